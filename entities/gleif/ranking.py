"""In which order records are told for a name: the score that explains itself, then how few slips part the names."""

from collections.abc import Collection
from dataclasses import dataclass

from entities.gleif.records import Record
from entities.names.keys import search_key
from entities.names.matching import LEGAL_NAME, SAME, NameVariant, score
from entities.names.pieces import SLIPS, slips

GOOD_SCORE = 85.0  # below it the next, wider way of searching is tried as well
SAME_NAME = 99.0  # the same but for case, accents, punctuation and legal form


@dataclass(frozen=True, slots=True)
class Match:
    """A record that a name may mean: the score of its best name (0 to 100), which name that was, and why.

    ``slips`` is how many slips of the pen part the name asked for from one of its names; three stands for more.
    """

    record: Record
    score: float
    matched_name: NameVariant
    explanation: str
    slips: int = SLIPS + 1


def match_of(name: str, record: Record) -> Match:
    """A record by the best of its names."""
    key = search_key(name)
    apart = min((slips(key, search_key(each.name)) for each in record.names), default=SLIPS + 1)
    return Match(record, *score(name, record.names), apart)


def good_enough(matches: Collection[Match], full: int) -> bool:
    """Whether to stop searching: a list as long as was asked for (``full``) may have cut off the entity meant."""
    best = max((match.score for match in matches), default=0.0)
    return best >= SAME_NAME or (best >= GOOD_SCORE and len(matches) < full)


def in_force(record: Record) -> bool:
    """Neither the entity nor its registration has ended; a lapsed one only was not renewed."""
    return record.registration_status in ("ISSUED", "LAPSED", "") and record.entity_status != "INACTIVE"


def rank(match: Match) -> tuple[bool, float, float, bool, int, bool, str]:
    """Names that are the same by their score, then names by how few slips part them from what was asked for.

    Of equal ones the record in force, then the legal name, then a stable order.
    """
    record, same = match.record, match.score >= SAME
    return (
        not same,
        -match.score if same else match.slips,
        -match.score,
        not in_force(record),
        match.slips,
        match.matched_name.type != LEGAL_NAME,
        record.lei,
    )
