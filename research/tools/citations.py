"""Citations as tools: find them in a text, verify them, write them in one language."""

from functools import partial
from typing import Any

from django.conf import settings

from citations.convert import apply, conversions
from citations.extract import extract
from citations.format import format_mention
from citations.mention import LANGUAGES, Mention
from citations.repair import repair
from citations.services import act_table
from citations.services.verification import verify
from research.jsontext import JsonObject
from research.tools.legal import law_tool, words
from research.tools.tool import Answer, ToolContext, ToolError, always

MAX_TEXT = 100_000
MAX_CITATIONS = 200
FEDERAL = ("bger", "evg", "bvger", "bstger", "bpatger")
LIGHTS = {"pass": "green", "warn": "yellow", "unknown": "yellow", "fail": "red"}
TEXT = words(1, MAX_TEXT)
LANGUAGE: JsonObject = {"type": "string", "enum": list(LANGUAGES)}
citation_tool = partial(law_tool, always)


@citation_tool(
    "extract_citations",
    "Find every Swiss citation of a text: where it stands, its form that is the same in all languages, its pinpoints. "
    "Whether it exists is another question: review_citations.",
    needs={"text": TEXT},
)
def extract_citations(arguments: JsonObject, context: ToolContext) -> Answer:
    found = extract(arguments["text"], acts=act_table())
    shown: list[Any] = [mention.as_json() for mention in found[:MAX_CITATIONS]]
    return Answer({"citations": shown, "count": len(found), "left_out": max(0, len(found) - MAX_CITATIONS)})


@citation_tool(
    "review_citations",
    "Verify every citation of a text with the authorities: green exists, yellow is open or needs a look, red does "
    "not exist. Open means that it could not be verified, not that it is wrong.",
    needs={"text": TEXT},
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


@citation_tool(
    "parse_citation",
    "The parts of a citation: kind, form that is the same in all languages, pinpoints, date, and of a BGE volume, "
    "division and page, of an article its act and paragraph. Form only: whether it exists says validate_citation.",
    needs={"citation": words(3, 500)},
)
def parse_citation(arguments: JsonObject, context: ToolContext) -> Answer:
    found = extract(arguments["citation"], acts=act_table())
    if not found:
        raise ToolError("INVALID_CITATION_FORMAT", "No citation was found in the text.")
    return Answer(
        {**found[0].as_json(), "date": found[0].date, "parts": _parts(found[0]), "others": len(found) - 1}
    )


def _parts(mention: Mention) -> JsonObject:
    """The parts of a citation, under the names of its kind."""
    words = (mention.normalized or "").split()
    if mention.kind == "bge" and len(words) == 4:
        return {"collection": words[0], "volume": words[1], "division": words[2], "page": words[3]}
    if mention.kind in ("cantonal", *FEDERAL) and len(words) > 1:
        canton = {"canton": words[1]} if mention.kind == "cantonal" and len(words) > 2 else {}
        return {"court": words[0], **canton, "docket": " ".join(words[1 + len(canton) :])}
    names = {name: value for name, value in mention.data.items() if value and name != "parts"}
    return {**names, **dict(mention.data.get("parts", ()))}


@citation_tool(
    "convert_citation",
    "Write one citation in another language: BGE 145 III 229 E. 4.2 is ATF 145 III 229 consid. 4.2.",
    needs={"citation": words(1, 2_000), "language": LANGUAGE},
)
def convert_citation(arguments: JsonObject, context: ToolContext) -> Answer:
    text = arguments["citation"]
    acts = act_table()
    if not extract(text, acts=acts):
        raise ToolError("INVALID_CITATION_FORMAT", "No citation was found in the text.")
    return Answer({"converted": apply(text, conversions(text, arguments["language"], acts=acts))})


@citation_tool(
    "standardize_document_citations",
    "A text with its citations put right (mixed languages, slashes, missing blanks) and, with a language, written as a "
    "court of that language writes them. Everything else stays as it is; every change is named.",
    needs={"text": TEXT},
    may={"language": LANGUAGE},
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


@citation_tool(
    "format_citation",
    "Write the citations of a text as a Swiss court does, in German, French, Italian or English.",
    needs={"citation": words(3, 2_000), "language": LANGUAGE},
    may={"style": {"type": "string", "enum": ["short", "long"], "default": "short"}},
)
def format_citation(arguments: JsonObject, context: ToolContext) -> Answer:
    acts = act_table()
    written = [
        {
            "citation": one.raw,
            "normalized": one.normalized,
            "formatted": format_mention(one, arguments["language"], style=arguments["style"], acts=acts),
        }
        for one in extract(arguments["citation"], acts=acts)
    ]
    if not written:
        raise ToolError("INVALID_CITATION_FORMAT", "No citation was found in the text.")
    return Answer({"citations": written})


@citation_tool(
    "validate_citation",
    "Whether a cited work exists. Distinguishes an impossible BGE from one that was not found, and from one that "
    "could not be looked up.",
    needs={"citation": words(3, 500)},
)
def validate_citation(arguments: JsonObject, context: ToolContext) -> Answer:
    mentions = [one for one in extract(arguments["citation"], acts=act_table()) if one.normalized]
    if not mentions:
        raise ToolError("INVALID_CITATION_FORMAT", "No citation was found in the text.")
    return Answer(verify(mentions[:1], lookups=1)[0].as_json())
