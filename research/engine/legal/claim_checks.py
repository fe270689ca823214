"""Verify a model's conclusions against the passages, like claims of a report.

Every sentence of a conclusion is a claim, so that a model cannot leave one out. Rules alone decide where a passage says
it in the same words; about the rest the model is asked, and its answer counts only with a quote that says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from citations.extract import extract
from citations.structure import sentences
from research.checks.grounds import sources_of
from research.checks.verdict import Verdict
from research.engine.claims.claim import Claim, Finding, Judged, checks, judge, uncited, unknown
from research.engine.claims.judgement import ask as ask_model
from research.engine.claims.passages import Shelf
from research.engine.claims.quote_finder import QuoteFinder
from research.engine.legal.passages import Passage, Text
from research.engine.legal.synthesis import Synthesis
from research.engine.worker import Worker
from research.jsontext import JsonObject

MAX_CLAIMS, MIN_CLAIM = 60, 12
COURTS = frozenset(("bge", "bger", "bvge", "bvger", "evg", "bstger", "cantonal"))
CEILINGS: Mapping[Finding, float] = {
    "SUPPORTED": 0.9,
    "PARTIALLY_SUPPORTED": 0.6,
    "UNKNOWN": 0.5,
    "UNSUPPORTED": 0.3,
    "CONTRADICTED": 0.1,
}
NOTHING_STATED = 0.3


@dataclass(frozen=True)
class Borne:
    """A sentence of the memo, its finding (-1: the summary), and its verdict."""

    sentence: str
    finding: int
    judged: Judged


def verified(worker: Worker, draft: Synthesis, texts: Mapping[str, Text], *, ask: bool) -> list[Borne]:
    """Verdicts on each sentence that a model wrote. Never raises for failures."""
    stated = list(_claims(draft))[:MAX_CLAIMS]
    claims = [claim for _, _, claim in stated]
    finder = QuoteFinder(sources_of(worker.root_id))
    resting = {place: one.passages for place, one in enumerate(draft.findings)}
    every = [passage for one in draft.findings for passage in one.passages]
    settled: dict[int, Judged] = {one.claim.number: one for one in uncited(claims)}
    for _, finding, claim in stated:
        if claim.number not in settled and (
            by_rules := _by_rules(claim, resting.get(finding, every), finder)
        ):
            settled[claim.number] = by_rules
    left = [claim for claim in claims if claim.number not in settled]
    shelf = Shelf({text.number: text.text for text in texts.values()})
    settled |= {one.claim.number: one for one in _asked(worker, left, shelf, finder, ask=ask)}
    return [Borne(sentence, finding, settled[claim.number]) for sentence, finding, claim in stated]


def capped(draft: Synthesis, borne: Sequence[Borne]) -> Synthesis:
    """The findings with confidence capped by the worst verdict on their sentences."""
    ceilings = dict.fromkeys(range(len(draft.findings)), NOTHING_STATED)
    for place in ceilings:
        found = [CEILINGS[one.judged.finding] for one in borne if one.finding == place]
        ceilings[place] = min(found, default=NOTHING_STATED)
    findings = (
        replace(one, confidence=min(one.confidence, ceilings[place]))
        for place, one in enumerate(draft.findings)
    )
    return replace(draft, findings=tuple(findings))


def verdicts(memo: JsonObject, borne: Sequence[Borne]) -> Iterator[Verdict]:
    """A check for each unchanged sentence. Sentences reworded by a person are the person's own."""
    places = [("/memo/executiveSummary", str(memo["executiveSummary"]))]
    places += [
        (f"/memo/findings/{at}/conclusion", str(one["conclusion"])) for at, one in enumerate(memo["findings"])
    ]
    for one in borne:
        wanted = places[:1] if one.finding < 0 else places[1:]
        pointer = next((place for place, text in wanted if one.sentence in text), None)
        if pointer is not None:
            yield from checks([one.judged], {one.judged.source: one.judged.source}, pointer=pointer)


def _claims(draft: Synthesis) -> Iterator[tuple[str, int, Claim]]:
    """(sentence, finding, claim), with named decisions removed from the claim."""
    number = 0
    every = tuple(dict.fromkeys(passage.source for one in draft.findings for passage in one.passages))
    written = [
        (place, one.conclusion, tuple(dict.fromkeys(passage.source for passage in one.passages)))
        for place, one in enumerate(draft.findings)
    ]
    for finding, text, sources in [*written, (-1, draft.summary, every)]:
        for start, end in sentences(text):
            stated = _bare(text[start:end])
            if len(stated) >= MIN_CLAIM:
                number += 1
                yield text[start:end], finding, Claim(number, number, stated, "positive", sources)


def _bare(sentence: str) -> str:
    """A sentence without citations of decisions and the brackets around them."""
    for one in reversed(extract(sentence)):
        if one.kind in COURTS:
            sentence = sentence[: one.lead] + sentence[one.end :]
    return " ".join(sentence.replace("()", "").replace("(; )", "").split()).replace(" .", ".")


def _by_rules(claim: Claim, passages: Sequence[Passage], finder: QuoteFinder) -> Judged | None:
    """The verdict if a passage states or denies it in the same words."""
    judged = [judge(claim, "SUPPORTED", one.quote, one.source, finder.look) for one in passages]
    for wanted in ("SUPPORTED", "CONTRADICTED"):
        for one in judged:
            if one.finding == wanted:
                return one
    return None


def _asked(
    worker: Worker, claims: Sequence[Claim], shelf: Shelf, finder: QuoteFinder, *, ask: bool
) -> list[Judged]:
    if not ask:
        return unknown(claims, "It was not verified: the research was over.")
    return ask_model(worker, claims, shelf, finder.look, "bearing")
