"""The one way in which Dossier searches the register by name, whoever asks: REST, the command line, a tool, a page.

A search gives candidates. Whether one of them is who was meant is an answer of its own: ``one``, ``several`` that may
be, or ``none``, each with the reason. Nobody picks for the asker.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from entities.gleif.errors import GleifBadRequest
from entities.gleif.jurisdictions import jurisdiction_code
from entities.gleif.ranking import GOOD_SCORE, SAME_NAME, Match, in_force
from entities.gleif.register import CANDIDATES, Register
from entities.gleif.verdicts import quoted
from entities.gleif.verification import brief
from entities.names.matching import normalise_name

MARGIN = 2.0  # scores less than so far apart tell nobody apart
SHOWN_BESIDE = 9  # other records that are named beside one that is not clear
SHOWN = 120  # characters of a name in a sentence
Kind = Literal["one", "several", "none"]
Code = Literal["score", "same_score", "bare_name", "jurisdictions", "margin", "nothing_alike", "low_score"]


@dataclass(frozen=True)
class Outcome:
    """Whether it is clear who was meant: ``code`` says why for programs, ``message`` in a sentence.

    ``leis`` are the one, or those that may be meant; empty for none.
    """

    kind: Kind
    code: Code
    message: str
    leis: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """An answer to a name: the outcome, and the candidates with the best first."""

    query: str
    outcome: Outcome
    matches: tuple[Match, ...]
    as_of: str

    def as_json(self) -> dict[str, Any]:
        return {
            "query": self.query,
            **outcome_json(self.outcome),
            "candidates": [match_json(match) for match in self.matches],
            "as_of": self.as_of,
        }


def find_by_name(
    name: str,
    *,
    register: Register,
    limit: int = 10,
    jurisdiction: str | None = None,
    category: str | None = None,
    status: str | None = None,
) -> Found:
    """Up to ``limit`` candidates and whether it is clear who is meant; ``jurisdiction`` is a code or a name.

    Raises GleifError, a GleifBadRequest for a place that is not known: nobody being there would be another answer.
    """
    place = _code_of(jurisdiction) if jurisdiction else None
    matches = register.search(name, limit=CANDIDATES, jurisdiction=place, category=category, status=status)
    return Found(name, settle(matches, name), tuple(matches[:limit]), register.as_of)


def _code_of(place: str) -> str:
    code = jurisdiction_code(place)
    if not code:
        raise GleifBadRequest(
            f"“{quoted(place)}” is not a place we know; write it like DE, US-DE or Germany."
        )
    return code


def settle(matches: Sequence[Match], name: str = "") -> Outcome:
    """The outcome of candidates. One whose registration has ended stands back behind one in force.

    A ``name`` of one word without its legal form decides only if no other name in force has that word.
    """
    if not matches:
        return Outcome("none", "nothing_alike", "The register has no name that is like it.")
    best = max(matches, key=lambda match: match.score)
    if best.score < GOOD_SCORE:
        scored = (
            f"The likest name, {_shown(best)}, scores {best.score:.0f} of 100; {GOOD_SCORE:.0f} are needed."
        )
        return Outcome("none", "low_score", scored)
    near = [match for match in matches if match.score > best.score - MARGIN]
    near = [match for match in near if in_force(match.record)] or near
    if len(near) == 1 and (beside := _sharing_it(name, near[0], matches)):
        leis = tuple(match.record.lei for match in (near[0], *beside))
        bare = f"{len(leis)} names have “{quoted(name)}” in them: say the legal form, or more of the name."
        return Outcome("several", "bare_name", bare, leis)
    if len(near) == 1:
        return Outcome("one", "score", _lead(near[0], matches), (near[0].record.lei,))
    return _several(near)


def _sharing_it(name: str, one: Match, matches: Sequence[Match]) -> list[Match]:
    """Others in force whose name has the one word that was asked for; none where the legal form is said."""
    asked = normalise_name(name)
    if one.score >= SAME_NAME or len(asked.words) != 1 or asked.forms:
        return []
    others = [match for match in matches if match.record.lei != one.record.lei and in_force(match.record)]
    named = ((match, normalise_name(match.matched_name.name).words) for match in others)
    return [match for match, words in named if asked.words[0] in words][:SHOWN_BESIDE]


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """The outcome as every face gives it."""
    return {
        "outcome": outcome.kind,
        "reason": outcome.code,
        "message": outcome.message,
        "leis": list(outcome.leis),
    }


def match_json(match: Match) -> dict[str, Any]:
    """A candidate: the record in brief, its score, and which of its names gave it and why."""
    name = match.matched_name
    return {
        **brief(match.record),
        "score": round(match.score, 1),
        "matched_name": {"name": name.name, "type": name.type, "language": name.language},
        "explanation": match.explanation,
    }


def _lead(one: Match, matches: Sequence[Match]) -> str:
    others = [match for match in matches if match.record.lei != one.record.lei]
    first = f"{_shown(one)} scores {one.score:.0f} of 100"
    if not others:
        return f"{first}; nothing else is like it."
    following = max(others, key=lambda match: (in_force(match.record), match.score))
    ended = "" if in_force(following.record) else ", which is no longer in force"
    return f"{first}; the next is {_shown(following)} with {following.score:.0f}{ended}."


def _several(near: Sequence[Match]) -> Outcome:
    leis = tuple(match.record.lei for match in near)
    low, high = min(match.score for match in near), max(match.score for match in near)
    places = sorted({match.record.jurisdiction or "an unknown place" for match in near})
    if low < high:
        apart = f"{len(near)} records score between {low:.0f} and {high:.0f} of 100; that tells nobody apart."
        return Outcome("several", "margin", apart, leis)
    if len(places) > 1:
        where = (
            f"{len(near)} records score {high:.0f} of 100, in {', '.join(places)}: say which place is meant."
        )
        return Outcome("several", "jurisdictions", where, leis)
    same = f"{len(near)} records in {places[0]} score {high:.0f} of 100; the name does not tell them apart."
    return Outcome("several", "same_score", same, leis)


def _shown(match: Match) -> str:
    name = match.record.legal_name
    return f"“{name if len(name) <= SHOWN else name[: SHOWN - 1] + '…'}”"
