"""What needs a look, told once for all the places where the same is said, with a link to each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from research.admin.gate.changes import field_id, place_label
from research.admin.gate.evidence import WORDS, Badges
from research.admin.gate.submission import Submission
from research.checks.verdict import CheckLike
from research.models.states import CheckKind

LONG_FORM = 30  # rows; a shorter form shows its failed checks without being scrolled
MOST_LOOKS = 20
MOST_PLACES = 6


@dataclass
class Look:
    """One thing that checks say, and where: places of the document with the rows that stand for them."""

    check: CheckLike
    rows: dict[str, str] = field(default_factory=dict)
    places: list[tuple[str, str]] = field(default_factory=list)  # the first of them: the id of the row, words

    @property
    def more(self) -> int:
        return len(self.rows) - len(self.places)


@dataclass(frozen=True)
class Looks:
    """All things with one verdict; the first of them are listed."""

    verdict: str
    listed: list[Look]
    count: int

    @property
    def more(self) -> int:
        return self.count - len(self.listed)

    @property
    def words(self) -> str:
        """``2 warnings``."""
        plural = "s" if self.verdict == "warn" and self.count != 1 else ""
        return f"{self.count} {WORDS[self.verdict]}{plural}"


def looks(submission: Submission, badges: Mapping[str, Badges], verdict: str) -> Looks:
    """What has this verdict in a long form. The whole document and faults of form have places of their own."""
    found: dict[str, Look] = {}
    for pointer, checks in _of_rows(submission, badges):
        for check in checks:
            if check.verdict == verdict and check.kind != CheckKind.SCHEMA:
                found.setdefault(check.message, Look(check)).rows.setdefault(check.pointer, pointer)
    listed = list(found.values())[:MOST_LOOKS]
    for look in listed:
        look.places = [
            (field_id(row), place_label(submission.data, place, submission.labels))
            for place, row in islice(look.rows.items(), MOST_PLACES)
        ]
    return Looks(verdict, listed, len(found))


def _of_rows(
    submission: Submission, badges: Mapping[str, Badges]
) -> Sequence[tuple[str, Sequence[CheckLike]]]:
    """The problems and quotes of each row, from above to below."""
    if len(submission.rows) <= LONG_FORM:
        return []
    own = [
        (row.pointer, badges[row.pointer]) for row in submission.rows if row.pointer in badges and row.pointer
    ]
    return [(place, [*one.problems, *(quote.check for quote in one.quotes)]) for place, one in own]
