"""Ask a model in batches what sources say about claims, and once more where only the words differ.

A model that calls a claim supported is believed where its quote has the claim's words. Where only words differ it is
asked, at most once a claim, which words of the quote render them; what of that is believed ``common.rendering`` tells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from common.rendering import compare_rendered, unrendered
from research.engine.claims.claim import (
    BATCH,
    NOT_THE_COURT,
    Claim,
    Judged,
    Look,
    batches,
    unknown,
)
from research.engine.claims.passages import Shelf
from research.engine.claims.questions import verification
from research.engine.prompt_data import DATA_RULE, fenced
from research.engine.questions.answers import put_all
from research.engine.questions.question import NUMBER, TEXT, Question, list_schema, object_schema
from research.engine.worker import Worker
from research.jsontext import JsonObject

MAX_WORDS = 40
Renderings = Mapping[int, Mapping[str, str]]
RENDER = (
    "You compare statements with quotes that may say them in other words, or in another language. For every word "
    "that is listed give the words of the quote, exactly as they stand there, that mean the same in this place. Give "
    "an empty text where no words of the quote do: a word that is broader, narrower, the opposite, or about somebody "
    "else does not mean the same. "
    f"{DATA_RULE}"
)
RENDERED = object_schema(
    statements=list_schema(
        object_schema(statement=NUMBER, words=list_schema(object_schema(word=TEXT, in_the_quote=TEXT)))
    )
)


@dataclass(frozen=True)
class Reworded:
    """A claim called supported, the sentences of its quote, and the claim's words that they lack."""

    judged: Judged
    passage: str
    words: tuple[str, ...]


def ask(worker: Worker, claims: Sequence[Claim], shelf: Shelf, look: Look, name: str) -> list[Judged]:
    """A verdict on each claim that cites something. Errors become verdicts too."""
    wanted = {f"{name}.{number}": batch for number, batch in enumerate(batches(claims), start=1)}
    questions = [verification(key, batch, shelf, look) for key, batch in wanted.items()]
    answers = put_all(worker, questions)
    found: list[Judged] = []
    for key, batch in wanted.items():
        answer = answers[key]
        found += unknown(batch, f"It was not verified: {answer}") if isinstance(answer, str) else answer
    return _affirmed(worker, found, look, f"{name}.words")


def _affirmed(worker: Worker, found: Sequence[Judged], look: Look, name: str) -> list[Judged]:
    """The verdicts, with open ones settled if the model can say which words have the same meaning."""
    open_ones = [one for judged in found if (one := reworded(judged, look))]
    parts = [open_ones[start : start + BATCH] for start in range(0, len(open_ones), BATCH)]
    wanted = {f"{name}.{number}": part for number, part in enumerate(parts, start=1)}
    questions = [rendering(key, part) for key, part in wanted.items()]
    if not questions:
        return list(found)
    answers = put_all(worker, questions)
    settled: dict[int, Judged] = {}
    for key, part in wanted.items():
        answer = answers[key]
        for one in part:
            given = {} if isinstance(answer, str) else answer.get(one.judged.claim.number, {})
            settled[one.judged.claim.number] = affirm(one, given)
    return [settled.get(one.claim.number, one) for one in found]


def reworded(judged: Judged, look: Look) -> Reworded | None:
    """The question about a claim. None if more than its words is open."""
    if judged.finding != "UNKNOWN" or judged.said != "SUPPORTED" or not judged.quote:
        return None
    found = look(judged.source, judged.quote)
    if not found or found.voice in NOT_THE_COURT:
        return None
    words = unrendered(judged.claim.text, found.passage)[:MAX_WORDS]
    return Reworded(judged, found.passage, words) if words else None


def rendering(name: str, part: Sequence[Reworded]) -> Question[Renderings]:
    """Ask which words of the quotes have the meaning of the claims' words."""
    cases = [
        f"Statement {one.judged.claim.number}: {one.judged.claim.text}\n"
        f"Words: {', '.join(one.words)}\n{fenced('quote', one.passage)}"
        for one in part
    ]
    prompt = "Give for each statement, by its number, every word that is listed.\n\n" + "\n\n".join(cases)
    return Question(name, RENDER, prompt, RENDERED, _read)


def _read(data: JsonObject) -> Renderings:
    return {
        one["statement"]: {each["word"].strip().lower(): each["in_the_quote"] for each in one["words"]}
        for one in data["statements"]
    }


def affirm(one: Reworded, given: Mapping[str, str]) -> Judged:
    """The verdict with the model's answer about words, as far as rules accept it."""
    told = {word: given[word.lower()] for word in one.words if word.lower() in given}
    says, why = compare_rendered(one.judged.claim.text, one.passage, told)
    if says == "said":
        return replace(one.judged, finding="SUPPORTED", reason="")
    reason = f"It was called supported, but its source may not bear it out: {why}."
    return replace(one.judged, reason=reason)  # an answer about words never contradicts
