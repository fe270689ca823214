"""Which line of a register is the company that is meant: one for sure, several that a person must tell apart, or none.

The score is that of names (``entities.names.matching``), from 0 to 1. Thresholds belong to the register and are edited
by people. A score alone decides nothing: a line is taken by itself only if it is the only good one, in force, where the
company is said to be, and fits by a present name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, TypeAlias

from entities.gleif.jurisdictions import country_of
from entities.gleif.records import PREVIOUS_NAME
from entities.names.matching import LEGAL_NAME, NameMatch, compare, variant_kind
from entities.registers.records import Hit

Verdict: TypeAlias = Literal["auto", "ambiguous", "reject"]
MAX_CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From ``auto`` on a line may be taken by rule, from ``ambiguous`` on it is worth a person's look, below ``reject``
    it is not even shown. With ``always_human`` no line is ever taken by rule."""

    auto: Decimal = Decimal("0.90")
    ambiguous: Decimal = Decimal("0.70")
    reject: Decimal = Decimal("0.50")
    always_human: bool = False


DEFAULTS = {
    "": Thresholds(),
    "gleif": Thresholds(Decimal("0.92"), Decimal("0.75")),
    "companies_house": Thresholds(Decimal("0.88"), Decimal("0.70")),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The company that is looked for; ``number`` is its number in this register, if somebody knows it."""

    name: str
    jurisdiction: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line with its score and everything that speaks against taking it."""

    hit: Hit
    score: Decimal
    explanation: str
    doubts: tuple[str, ...] = ()
    same_number: bool = False

    @property
    def sure(self) -> bool:
        return not self.doubts


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict with its reason; ``chosen`` only when the verdict is "auto". Best candidates first."""

    verdict: Verdict
    reason: str
    candidates: tuple[Candidate, ...]
    chosen: Candidate | None = None


def match(wanted: Wanted, hits: Sequence[Hit], thresholds: Thresholds) -> Outcome:
    """Judge the lines of one register."""
    unique = {hit.number: hit for hit in reversed(hits)}
    judged = sorted((_judge(wanted, hit) for hit in unique.values()), key=_rank)
    shown = tuple(one for one in judged if one.score >= thresholds.reject or one.same_number)[:MAX_CANDIDATES]
    good = [one for one in shown if one.score >= thresholds.ambiguous or one.same_number]
    if not good:
        return Outcome("reject", _why_none(judged, thresholds), shown)
    return _decide(_without_twins(good), shown, thresholds)


def _judge(wanted: Wanted, hit: Hit) -> Candidate:
    best = max((compare(wanted.name, name) for name in hit.names), key=_level)
    same_number = bool(wanted.number) and wanted.number == hit.number
    score = (Decimal(str(best.score)) / 100).quantize(Decimal("0.001"))
    explanation = best.explanation + (f"; the number {hit.number} is the one given" if same_number else "")
    return Candidate(hit, score, explanation, tuple(_doubts(wanted, hit, best)), same_number)


def _level(match: NameMatch) -> tuple[float, bool]:
    return match.score, match.variant.type == LEGAL_NAME


def _doubts(wanted: Wanted, hit: Hit, best: NameMatch) -> list[str]:
    place, country = hit.jurisdiction, country_of(hit.jurisdiction)
    doubts = [
        (
            hit.standing == "ended",
            f"the register says that it has ended ({hit.status or 'no status stated'})",
        ),
        (best.variant.type == PREVIOUS_NAME, f"it fits by a {variant_kind(best.variant)} only"),
        (
            bool(wanted.jurisdiction and place) and country_of(wanted.jurisdiction) != country,
            f"it is in {place}, not in {wanted.jurisdiction}",
        ),
        (
            bool(wanted.number) and wanted.number != hit.number,
            f"its number is {hit.number}, not {wanted.number}",
        ),
    ]
    return [sentence for holds, sentence in doubts if holds]


def _rank(one: Candidate) -> tuple[bool, Decimal, int, str]:
    return not one.same_number, -one.score, len(one.doubts), one.hit.number


def _without_twins(good: list[Candidate]) -> list[Candidate]:
    """An ended company beside a live one of a score as good is told, and does not make the live one ambiguous."""
    top = good[0].score
    live = [one for one in good if one.hit.standing != "ended" and (one.score >= top or one.same_number)]
    if not live:
        return good
    ended = [one for one in good if one.hit.standing == "ended"]
    told = ", ".join(one.hit.number for one in ended)
    first = replace(
        live[0],
        explanation=live[0].explanation + (f"; passed over because ended: {told}" if ended else ""),
    )
    return [
        first,
        *(one for one in good if one.hit.number != first.hit.number and one.hit.standing != "ended"),
    ]


def _decide(good: list[Candidate], shown: tuple[Candidate, ...], thresholds: Thresholds) -> Outcome:
    best = good[0]
    rivals = [one for one in good[1:] if one.score >= min(best.score, thresholds.auto)]
    reasons = [
        (thresholds.always_human, "this register is always decided by a person"),
        (not best.sure, "; ".join(best.doubts)),
        (bool(rivals) and not best.same_number, _rivals(best, rivals)),
        (
            best.score < (thresholds.ambiguous if best.same_number else thresholds.auto),
            f"the best score is {best.score}, and {thresholds.auto} is needed",
        ),
    ]
    why = next((sentence for holds, sentence in reasons if holds), "")
    if why:
        return Outcome("ambiguous", f"{best.hit.name} ({best.hit.number}): {why}", shown)
    return Outcome("auto", f"{best.hit.name} ({best.hit.number}): {best.explanation}", shown, best)


def _rivals(best: Candidate, rivals: Sequence[Candidate]) -> str:
    numbers = ", ".join(one.hit.number for one in rivals[:5])
    return f"as good as {best.hit.number}: {numbers}"


def _why_none(judged: Sequence[Candidate], thresholds: Thresholds) -> str:
    if not judged:
        return "the register found nothing"
    best = judged[0]
    return f"the nearest is {best.hit.name} ({best.hit.number}) with {best.score}; {thresholds.ambiguous} is needed"
