"""Claims of a report and the verdicts on them. A verdict counts only with a quote that is in the source.

Claims are extracted by a model but tied to sentences by number, and the sources of a claim are those that its
sentence cites: what a model says about either is not believed.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Literal, TypeAlias

from common.entailment import compare
from research.checks.verdict import Verdict, bounded
from research.engine.claims.quote_finder import Found
from research.engine.deep.sentences import Sentence, marks
from research.jsontext import JsonObject

Kind: TypeAlias = Literal["negative", "quantitative", "comparative", "positive"]
Finding: TypeAlias = Literal["SUPPORTED", "PARTIALLY_SUPPORTED", "UNSUPPORTED", "CONTRADICTED", "UNKNOWN"]
# where a quote is in the archived text of a source; None if nothing is archived
Look: TypeAlias = Callable[[int, str], Found | None]

KINDS: tuple[Kind, ...] = ("negative", "quantitative", "comparative", "positive")
FINDINGS: tuple[Finding, ...] = ("SUPPORTED", "PARTIALLY_SUPPORTED", "UNSUPPORTED", "CONTRADICTED")
MAX_CLAIMS = 50
POSITIVE_SHARE = 0.3
BATCH = 5
MAX_CORRECTIONS = 5
THRESHOLD = 0.7
MIN_GAIN = 0.10
NOT_THE_COURT: Mapping[str, str] = {
    "party": "it is what a party submits, not what the court holds",
    "lower": "it is what a lower court said",
    "open": "the court leaves it open",
}


@dataclass(frozen=True)
class Claim:
    """One checkable statement of the sentence with that number."""

    number: int
    sentence: int
    text: str
    kind: Kind
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Judged:
    """What came of a claim: ``source`` and ``quote`` are the evidence, empty when there is none that was found.

    ``said`` is the verdict as it was given; ``finding`` is what it amounts to once its quote was looked up.
    """

    claim: Claim
    finding: Finding
    quote: str = ""
    source: int = 0
    reason: str = ""
    said: Finding = "UNKNOWN"

    def as_json(self) -> JsonObject:
        return asdict(self)


def select_claims(claims: Iterable[Claim], *, limit: int = MAX_CLAIMS) -> list[Claim]:
    """All claims that are not plainly positive, and a fixed 30 % of those that are."""
    every = list({(claim.sentence, claim.text): claim for claim in claims}.values())
    positive = [claim for claim in every if claim.kind == "positive"]
    others = [claim for claim in every if claim.kind != "positive"]
    share = math.ceil(POSITIVE_SHARE * len(positive))
    chosen = sorted(positive, key=lambda claim: sha256(claim.text.encode()).hexdigest())[:share]
    kept = sorted([*others, *chosen][:limit], key=lambda claim: (claim.sentence, claim.number))
    return [replace(claim, number=number) for number, claim in enumerate(kept, start=1)]


def batches(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Batches of the claims that cite something."""
    cited = [claim for claim in claims if claim.sources]
    return [cited[start : start + BATCH] for start in range(0, len(cited), BATCH)]


def judge(claim: Claim, finding: Finding, quote: str, source: int, look: Look) -> Judged:
    """The verdict as it counts: its quote must be in the source and state the claim."""
    if finding == "UNSUPPORTED":
        return Judged(claim, finding, reason="The cited source does not say so.", said=finding)
    found = look(source, quote) if quote else Found()
    if found is None:
        reason = "Nothing of the source was archived, so this was not verified."
        return Judged(claim, "UNKNOWN", reason=reason, said=finding)
    said = finding.lower().replace("_", " ")
    if not found.passage:
        reason = f"It was called {said}, but the quote given for that is not in the source."
        return Judged(claim, "UNSUPPORTED", reason=reason, said=finding)
    counts, why = (finding, "") if finding == "CONTRADICTED" else weigh(claim.text, finding, found)
    reason = f"It was called {said}, but its source may not bear it out: {why}." if why else ""
    return Judged(claim, counts, quote, source, reason, said=finding)


def weigh(claim: str, finding: Finding, found: Found) -> tuple[Finding, str]:
    """What rules leave of a favourable verdict, and why. Supported requires the same words."""
    says, why = compare(claim, found.passage)
    if says == "otherwise":
        return "CONTRADICTED", why
    if finding != "SUPPORTED":
        return finding, ""
    if says == "said" and found.voice in NOT_THE_COURT:
        return "UNKNOWN", NOT_THE_COURT[found.voice]
    weighed: Mapping[str, Finding] = {"said": "SUPPORTED", "lacking": "UNSUPPORTED", "open": "UNKNOWN"}
    return weighed[says], why


def uncited(claims: Sequence[Claim]) -> list[Judged]:
    """Claims without any citation in sentence and paragraph are unsupported without a question to the model."""
    reason = "Neither the sentence nor its paragraph cites a source."
    return [Judged(claim, "UNSUPPORTED", reason=reason) for claim in claims if not claim.sources]


def unknown(claims: Iterable[Claim], reason: str) -> list[Judged]:
    """Claims that could not be checked."""
    return [Judged(claim, "UNKNOWN", reason=reason) for claim in claims]


def fidelity(judged: Iterable[Judged]) -> JsonObject:
    """``{score, verified, supported, partially_supported, unsupported, contradicted, unknown}``; score may be None."""
    counts = {finding.lower(): 0 for finding in (*FINDINGS, "UNKNOWN")}
    for one in judged:
        counts[one.finding.lower()] += 1
    verified = sum(counts.values()) - counts["unknown"]
    points = counts["supported"] + 0.5 * counts["partially_supported"] - 0.5 * counts["contradicted"]
    return {
        "score": round(max(0.0, points / verified), 4) if verified else None,
        "verified": verified,
        **counts,
    }


def wants_another(summary: JsonObject) -> bool:
    """Whether the report should be rewritten once."""
    return summary["score"] is not None and summary["score"] < THRESHOLD


def is_better(second: JsonObject, first: JsonObject) -> bool:
    """Whether the second report replaces the first. It must be clearly better."""
    return second["score"] is not None and second["score"] - (first["score"] or 0.0) >= MIN_GAIN - 1e-9


def correct(report: str, found: Sequence[Sentence], judged: Sequence[Judged]) -> tuple[str, list[JsonObject]]:
    """The report with at most five wrong citations put right, and what was done.

    Evidence that stands in another source than the cited one gives that source's number; a citation that bears out
    nothing of its sentence is taken away. A contradiction is left as it is: a person has to see both sides.
    """
    places = {sentence.number: sentence for sentence in found}
    done: list[JsonObject] = []
    edits: dict[int, tuple[int, str]] = {}
    for one in judged:
        sentence = places.get(one.claim.sentence)
        change = _change(report, sentence, one, judged) if sentence and sentence.own else None
        if change and change[0] not in edits and len(done) < MAX_CORRECTIONS:
            start, end, old, new = change
            edits[start] = (end, f"[{new}]" if new else "")
            done.append({"claim": one.claim.number, "was": old, "now": new or None})
    for start, (end, text) in sorted(edits.items(), reverse=True):
        before = report[:start] if text else report[:start].rstrip(" ")
        report = before + text + report[end:]
    return report, done


def checks(
    judged: Iterable[Judged], numbering: Mapping[int, int], *, pointer: str = "/report"
) -> list[Verdict]:
    """Verdicts for the review, at ``pointer``. Sources have the numbers of the report."""
    words = {
        "SUPPORTED": ("pass", "The source bears this out."),
        "PARTIALLY_SUPPORTED": ("warn", "The source bears this out in part."),
        "UNSUPPORTED": ("fail", "No source bears this out."),
        "CONTRADICTED": ("fail", "The source says otherwise."),
        "UNKNOWN": ("unknown", "This was not verified."),
    }
    return [_check(one, *words[one.finding], numbering.get(one.source, 0), pointer) for one in judged]


def _check(one: Judged, verdict: str, says: str, number: int, pointer: str) -> Verdict:
    where = f" [{number}]" if number else ""
    quoted = f" It says{where}: “{one.quote}”" if one.quote and one.finding != "SUPPORTED" else ""
    return Verdict(
        kind="claim",
        code=one.finding.lower(),
        pointer=pointer,
        subject=bounded(one.claim.text, 300),
        verdict=verdict,
        message=bounded(f"“{one.claim.text}” {one.reason or says}{quoted}"),
        evidence={
            "claim": one.claim.text,
            "kind": one.claim.kind,
            "quote": one.quote,
            "source": number or None,
        },
    )


def _change(
    report: str, sentence: Sentence, one: Judged, judged: Sequence[Judged]
) -> tuple[int, int, int, int] | None:
    """(start, end, old number, new number or 0) of the marker to change."""
    cited = list(marks(report, sentence))
    here = [other for other in judged if other.claim.sentence == sentence.number]
    held_up = {other.source for other in here if other.source}
    loose = [mark for mark in cited if len(mark.numbers) == 1 and mark.numbers[0] not in held_up]
    if not loose:
        return None
    mark = loose[0]
    if one.finding in ("SUPPORTED", "PARTIALLY_SUPPORTED") and one.source not in one.claim.sources:
        return mark.start, mark.end, mark.numbers[0], one.source
    if all(other.said == "UNSUPPORTED" for other in here):
        return mark.start, mark.end, mark.numbers[0], 0
    return None
