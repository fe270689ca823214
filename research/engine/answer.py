"""Read the final document from a model's answer."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from research.checks.schema import check_schema
from research.engine.evidence import split_evidence
from research.engine.stops import Ended
from research.jsontext import Json, JsonObject, JsonTextError
from research.llm.answer_json import read_json
from research.llm.interface import Turn
from research.llm.wire import REASONS

MAX_FAULTS = 20


class NoDocument(ValueError):
    """The text holds no JSON document that can be stored."""


@dataclass(frozen=True)
class FinalDocument:
    """The document, whether it was extracted from text or repaired, and its evidence."""

    data: JsonObject
    repaired: bool
    evidence: list[JsonObject] = field(default_factory=list)


def read_document(text: str) -> FinalDocument:
    """The one JSON object that ``text`` holds: as it is, in a Markdown fence, between the outermost braces, or mended.

    Raises:
        NoDocument: nothing or several things to choose from; nothing is guessed, a truncated text is never completed.
    """
    if text.count("```") > 2 and not text.lstrip().startswith("{"):
        raise NoDocument("the answer holds several fenced blocks, and it is unclear which one is meant")
    try:
        data, repaired = read_json(text)
    except JsonTextError as error:
        raise NoDocument(f"the answer is not one JSON document: {error}") from None
    if not isinstance(data, dict):
        raise NoDocument(f"the document is a {type(data).__name__}, not an object")
    return FinalDocument(data, repaired)


def read_turn(turn: Turn, schema: JsonObject) -> FinalDocument:
    """The document of a turn, with its evidence split off. Raises NoDocument, also if the turn was cut off."""
    if turn.stop == "max_tokens":
        raise NoDocument("the answer was cut off at the limit of its length")
    document = read_document(turn.text)
    data, evidence = split_evidence(document.data, schema)
    repaired = document.repaired or bool(turn.detail.get("repaired"))
    return FinalDocument(data, repaired, evidence)


def no_answer(turn: Turn) -> Ended:
    """The error that ends a run, or part of one, when a turn holds no answer.

    The register researcher says why itself, under a code of its own. What a language model says is never the reason:
    its words are kept beside it (``Worker.fail``).
    """
    sentence = turn.detail.get("parse_failure") or REASONS.get(
        turn.stop, "The model ended without an answer."
    )
    own = turn.text if "code" in turn.detail else ""
    return Ended(**{"code": turn.stop, "retryable": False, **turn.detail, "message": own or sentence})


def faults_of(turn: Turn, schema: JsonObject) -> list[str]:
    """The faults of an answer, as sentences for the model. Empty if it can be stored."""
    try:
        document = read_turn(turn, schema)
    except NoDocument as error:
        return [str(error)]
    return list(_schema_faults(document.data, schema))[:MAX_FAULTS]


def _schema_faults(data: Json, schema: JsonObject) -> Iterator[str]:
    for verdict in check_schema(data, schema):
        if verdict.verdict == "fail":
            yield f"{verdict.pointer or 'the document'}: {verdict.message}"
