"""Citations of a text as tools: find them, hold them against the authorities, write them in one language."""

from typing import Any

from django.conf import settings

from citations.convert import apply, conversions
from citations.extract import extract
from citations.mention import LANGUAGES
from citations.repair import repair
from citations.services import act_table
from citations.services.verification import verify
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, ToolError, tool

MAX_TEXT = 100_000
MAX_CITATIONS = 200
LIGHTS = {"pass": "green", "warn": "yellow", "unknown": "yellow", "fail": "red"}
TEXT = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT}
LANGUAGE = {"type": "string", "enum": list(LANGUAGES)}


@tool(
    "extract_citations",
    "Find every Swiss citation of a text: where it stands, its form that is the same in all languages, its pinpoints. "
    "Whether it exists is another question: review_citations.",
    {"required": ["text"], "properties": {"text": TEXT}},
)
def extract_citations(arguments: JsonObject, context: ToolContext) -> Answer:
    found = extract(arguments["text"], acts=act_table())
    shown: list[Any] = [mention.as_json() for mention in found[:MAX_CITATIONS]]
    return Answer({"citations": shown, "count": len(found), "left_out": max(0, len(found) - MAX_CITATIONS)})


@tool(
    "review_citations",
    "Hold every citation of a text against the authorities: green is found, yellow is open or worth a look, red does "
    "not exist. Open means that nobody could tell, not that it is wrong.",
    {"required": ["text"], "properties": {"text": TEXT}},
)
def review_citations(arguments: JsonObject, context: ToolContext) -> Answer:
    text = arguments["text"]
    found = extract(text, acts=act_table())
    judged = verify(found[:MAX_CITATIONS], text=text, lookups=settings.CITATION_LOOKUPS)
    reviewed: list[Any] = [{**one.as_json(), "light": LIGHTS[one.check]} for one in judged]
    lights = [one["light"] for one in reviewed]
    counts: JsonObject = {light: lights.count(light) for light in ("green", "yellow", "red")}
    left_out = max(0, len(found) - MAX_CITATIONS)
    return Answer({"citations": reviewed, "counts": counts, "left_out": left_out})


@tool(
    "convert_citation",
    "Write one citation in another language: BGE 145 III 229 E. 4.2 is ATF 145 III 229 consid. 4.2.",
    {
        "required": ["citation", "language"],
        "properties": {"citation": {**TEXT, "maxLength": 2_000}, "language": LANGUAGE},
    },
)
def convert_citation(arguments: JsonObject, context: ToolContext) -> Answer:
    text = arguments["citation"]
    acts = act_table()
    if not extract(text, acts=acts):
        raise ToolError("INVALID_CITATION_FORMAT", "No citation was found in the text.")
    return Answer({"converted": apply(text, conversions(text, arguments["language"], acts=acts))})


@tool(
    "standardize_document_citations",
    "A text with its citations put right (mixed languages, slashes, missing blanks) and, with a language, written as a "
    "court of that language writes them. Everything else stays as it is; every change is named.",
    {"required": ["text"], "properties": {"text": TEXT, "language": LANGUAGE}},
)
def standardize_document_citations(arguments: JsonObject, context: ToolContext) -> Answer:
    acts = act_table()
    text, repairs = repair(arguments["text"], acts=acts)
    changes: list[Any] = [{"before": one.before, "after": one.after, "why": one.why} for one in repairs]
    if language := arguments.get("language"):
        converted = conversions(text, language, acts=acts)
        changes += [
            {"before": one.before, "after": one.after, "why": f"written in {language}"} for one in converted
        ]
        text = apply(text, converted)
    return Answer({"text": text, "changes": changes})
