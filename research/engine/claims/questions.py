"""Questions of claim verification: which claims a report makes, and what the archived sources say."""

from collections.abc import Sequence
from functools import partial
from typing import cast

from research.engine.claims.claim import (
    FINDINGS,
    KINDS,
    Claim,
    Finding,
    Judged,
    Kind,
    Look,
    judge,
)
from research.engine.claims.passages import Shelf, passages
from research.engine.deep.sentences import Sentence
from research.engine.prompt_data import DATA_RULE, fenced
from research.engine.questions.question import (
    NUMBER,
    TEXT,
    BadAnswer,
    Question,
    list_schema,
    object_schema,
    text_of,
)
from research.jsontext import JsonObject

MAX_TEXT = 500
MAX_QUOTE = 1_000
MAX_EXTRACTED = 200
OTHERS = 2  # uncited sources to look into, in case the citation is wrong

EXTRACT = (
    "You list the statements of a report that can be checked against a source. "
    "A statement is negative (something is not so, or was not found), quantitative (a figure, a date, an amount), "
    "comparative (more, larger, first, only) or positive (any other assertion of fact). "
    "Opinions, recommendations, questions and statements about the report itself are not listed. "
    f"{DATA_RULE}"
)
VERIFY = (
    "You check statements against excerpts of the sources they cite. You know nothing but the excerpts. "
    "SUPPORTED: an excerpt says it. PARTIALLY_SUPPORTED: an excerpt says part of it, or something weaker. "
    "CONTRADICTED: an excerpt says something that cannot be true at the same time. UNSUPPORTED: none of these. "
    "Whatever is not UNSUPPORTED needs evidence_quote: one passage of the excerpt, word for word, a whole clause at "
    "least and two sentences at most, never shortened with dots, and source: the number of the source it stands in. "
    "The quote is searched in the stored page; if it is not found there, your verdict does not count. "
    f"{DATA_RULE}"
)
EXTRACTED = object_schema(
    claims=list_schema(
        object_schema(sentence=NUMBER, claim=TEXT, type={"type": "string", "enum": list(KINDS)})
    )
)
VERDICTS = object_schema(
    verdicts=list_schema(
        object_schema(
            claim=NUMBER,
            verdict={"type": "string", "enum": list(FINDINGS)},
            evidence_quote=TEXT,
            source=NUMBER,
        )
    )
)


def extraction(found: Sequence[Sentence]) -> Question[list[Claim]]:
    """Ask which claims the sentences of the report make."""
    lines = "\n".join(f"{sentence.number}: {' '.join(sentence.text.split())}" for sentence in found)
    prompt = (
        "List the checkable statements of this report. Each line begins with the number of its sentence; give that "
        "number as sentence. Write each statement so that it can be understood alone. A sentence may hold several.\n\n"
        + fenced("report", lines)
    )
    return Question("claims", EXTRACT, prompt, EXTRACTED, partial(_read_claims, found))


def verification(name: str, batch: Sequence[Claim], shelf: Shelf, look: Look) -> Question[list[Judged]]:
    """Ask what the sources say about a few claims. ``shelf`` holds the texts by ledger number."""
    parts = [_case(claim, shelf) for claim in batch]
    prompt = "Give one verdict for each statement, by its number.\n\n" + "\n\n".join(parts)
    return Question(name, VERIFY, prompt, VERDICTS, partial(_read_verdicts, batch, look))


def _case(claim: Claim, shelf: Shelf) -> str:
    cited = [number for number in claim.sources if number in shelf.texts]
    others = shelf.nearest(claim.text, without=cited, limit=OTHERS)
    lines = [f"Statement {claim.number}: {claim.text}"]
    for number in [*cited, *others]:
        role = "cited" if number in cited else "not cited, but perhaps meant"
        text = "\n…\n".join(passages(shelf.texts[number], claim.text)) or "(nothing was stored)"
        lines.append(f"Source {number} ({role}):\n{fenced(f'source {number}', text)}")
    return "\n".join(lines)


def _read_claims(found: Sequence[Sentence], data: JsonObject) -> list[Claim]:
    places = {sentence.number: sentence for sentence in found}
    unknown = sorted({item["sentence"] for item in data["claims"]} - places.keys())
    if unknown:
        raise BadAnswer(
            f"There is no sentence {', '.join(map(str, unknown[:5]))}; there are 1 to {len(found)}."
        )
    claims = []
    for number, item in enumerate(data["claims"][:MAX_EXTRACTED], start=1):
        text = text_of(item, "claim", MAX_TEXT)
        if text:
            sources = places[item["sentence"]].sources
            claims.append(Claim(number, item["sentence"], text, cast(Kind, item["type"]), sources))
    return claims


def _read_verdicts(batch: Sequence[Claim], look: Look, data: JsonObject) -> list[Judged]:
    given = {item["claim"]: item for item in data["verdicts"]}
    missing = [str(claim.number) for claim in batch if claim.number not in given]
    if missing:
        raise BadAnswer(f"There is no verdict on statement {', '.join(missing)}.")
    return [_judged(claim, given[claim.number], look) for claim in batch]


def _judged(claim: Claim, item: JsonObject, look: Look) -> Judged:
    quote = text_of(item, "evidence_quote", MAX_QUOTE)
    return judge(claim, cast(Finding, item["verdict"]), quote, item["source"], look)
