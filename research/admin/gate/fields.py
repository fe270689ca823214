"""The rows as the page shows them: each with what its field holds now, its checks and its sources."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString

from research.admin.gate.changes import Shown, field_id, show
from research.admin.gate.evidence import Badges, SourceNote
from research.admin.gate.submission import Submission
from research.checks.verdict import WORST_FIRST
from research.memo.html import as_fragment
from research.memo.prose import read_prose
from research.review.rows import Row, Section, sections

LONGEST_LEI = 30  # with what people put around one
FEW_ITEMS = 4
LONG_GROUP = 30  # rows; the groups and lists within a longer group fold by themselves
SHORT = 40
MARKDOWN = re.compile(r"^#{1,6} .*\n", re.MULTILINE)  # a heading with something below it
ALL = "all"
FILTERS = (
    ALL,
    "changed",
    "problems",
    "failed",
    "edited",
)  # of the page: what each shows stands in review.css, too
EMPTY_WORDS = {"absent": "absent", "null": "null", "empty": "empty text"}


@dataclass
class Field:
    """One row with everything that stands beside it."""

    row: Row
    id: str
    text: str
    edited: bool = False
    removed: bool = False
    error: str = ""
    badges: Badges = field(default_factory=Badges)
    sources: list[int] = field(default_factory=list)
    stale: bool = False
    before: Shown | None = None
    since: Shown | None = None

    @property
    def other_sources(self) -> list[int]:
        """Sources behind it of which no quote tells."""
        quoted = {quote.number for quote in self.badges.quotes}
        return [number for number in self.sources if number not in quoted]

    @property
    def placeholder(self) -> str:
        return EMPTY_WORDS.get(self.row.state, "")

    @property
    def old(self) -> Shown:
        """What an edited field held before, for a person."""
        if self.before:
            return self.before
        return Shown("absent", "absent") if self.row.state == "absent" else show(self.row.value)

    @property
    def now(self) -> Shown:
        """What the document holds, for a page without fields."""
        return Shown("absent", "absent") if self.row.state == "absent" else show(self.row.value)

    @property
    def prose(self) -> SafeString:
        """What a long text in Markdown reads like; empty when it is no such text."""
        long = self.row.widget == "area" or (self.row.widget == "fixed" and isinstance(self.row.value, str))
        reads = read_prose(self.text) if long and MARKDOWN.search(self.text) else []
        return as_fragment(reads)

    @property
    def lines(self) -> int:
        """How tall a text area must be to show its text."""
        return min(14, max(2, sum(1 + len(line) // 56 for line in self.text.split("\n"))))

    @property
    def suggestions(self) -> list[tuple[str, str]]:
        """LEIs to put into the field with one click; a text that only mentions an LEI is not for replacing."""
        alone = (
            self.row.widget == "line" and len(self.text) <= LONGEST_LEI and not self.text.strip().count(" ")
        )
        return [pair for pair in self.badges.suggestions if alone and pair[0] != self.text]

    @property
    def next_id(self) -> str:
        """Of a list: the id of the item that one more would be."""
        asked = int(self.text) if self.text.isascii() and self.text.isdigit() else 0
        return field_id(f"{self.row.pointer}/{self.row.count + asked}")

    @property
    def cut(self) -> bool:
        """Whether the page does not show all of it."""
        return self.row.kind == "more" or (self.row.widget == "fixed" and not self.prose and self.now.cut)

    @property
    def filters(self) -> frozenset[str]:
        """The filters of the page that show it."""
        own = self.edited or self.before is not None or self.removed or self.row.blank
        shows = {
            ALL: True,
            "changed": own or self.since is not None,
            "problems": self.badges.troubled or bool(self.error),
            "failed": bool(self.badges.count("fail") or self.error),
            "edited": own,
        }
        return frozenset(name for name, on in shows.items() if on)

    @property
    def classes(self) -> str:
        """The CSS states of the row; each also has a word or an icon in it."""
        states = {
            "is-edited": self.edited or self.before is not None,
            "is-changed": self.since is not None,
            "is-removed": self.removed,
            "is-invalid": bool(self.error),
            "is-blank": self.row.blank,
            "has-problem": self.badges.troubled or bool(self.error),
            "is-stale": self.stale,
        }
        return " ".join([f"row-{self.row.kind}", *(name for name, on in states.items() if on)])


@dataclass
class Block:
    """Rows that fold together: an item of a top-level list, a part of a long group, or what stands outside of these."""

    heading: Field | None
    fields: list[Field] = field(default_factory=list)
    foldable: bool = False
    folded: bool = False  # unless the person has unfolded it
    cut: bool = False  # whether it is one of several pieces
    told: str = ""  # under which filters it has stood open

    @property
    def worst(self) -> str:
        verdicts = {item.badges.worst for item in self.all_fields}
        return next((word for word in WORST_FIRST if word in verdicts), "")

    @property
    def all_fields(self) -> list[Field]:
        return [*([self.heading] if self.heading else []), *self.fields]

    @property
    def edited(self) -> bool:
        return any(item.edited or item.before is not None or item.error for item in self.all_fields)

    @property
    def changed(self) -> bool:
        """Whether anything in it is not as it was approved before."""
        return any(item.since is not None for item in self.all_fields)

    def may_fold(self, many: bool) -> bool:
        """An item of many that shows no problem; a part that makes no claims, unless something failed or is unknown."""
        if self.heading is None or self.heading.row.blank or self.edited or self.changed:
            return False
        if self.heading.row.kind == "item":
            return many and self.worst in ("", "pass")
        return self.heading.row.no_claim and self.worst not in ("fail", "unknown")

    @property
    def gist(self) -> str:
        """A few of its values, to be recognised while folded."""
        texts = [item.text for item in self.fields[1:] if item.row.widget == "line" and item.text]
        return " · ".join(text for text in texts if len(text) <= SHORT)[:100]


@dataclass
class FieldSection:
    """A section with its fields and what there is to see in it."""

    section: Section
    id: str
    heading: Field | None
    fields: list[Field]
    asked: bool = False  # whether the person has unfolded it
    told: str = ""  # under which filters it has stood open
    folds: bool = False  # whether items of it are folded

    @property
    def blocks(self) -> list[Block]:
        """The fields, those of each item of a list and of each part of a long group together; some are folded."""
        blocks: list[Block] = []
        parts = ("item", "group", "list") if len(self.fields) > LONG_GROUP else ("item",)
        for item in self.fields:
            if item.row.kind in parts and item.row.depth == 1:
                blocks.append(Block(item))
            elif blocks and (item.row.depth > 1 or blocks[-1].heading is None):
                blocks[-1].fields.append(item)
            else:
                blocks.append(Block(None, [item]))
        many = sum(block.heading is not None and block.heading.row.kind == "item" for block in blocks)
        for block in blocks:
            block.foldable = block.folded = block.may_fold(many > FEW_ITEMS)
        return blocks

    @property
    def no_claim(self) -> bool:
        """Whether it only tells how the answer came about."""
        rows = [self.heading.row] if self.heading else [item.row for item in self.fields]
        return all(row.no_claim for row in rows)

    @property
    def unfolded(self) -> bool:
        """Claims stand open, and so does what failed, was edited or is new, and what was unfolded."""
        return self.asked or not self.foldable

    @property
    def foldable(self) -> bool:
        """Whether it only tells how the answer came about, and there is nothing to look at in it."""
        shown = Block(self.heading, self.fields)
        told = (
            self.failed
            or self._count("unknown")
            or shown.edited
            or shown.changed
            or any(item.row.blank for item in self.fields)
        )
        return not (told or (self.fields and not self.no_claim))

    @property
    def failed(self) -> int:
        return self._count("fail")

    @property
    def warned(self) -> int:
        return self._count("warn")

    @property
    def edited(self) -> int:
        return sum(item.edited or item.before is not None for item in self.fields)

    def _count(self, verdict: str) -> int:
        found = [*self.fields, *([self.heading] if self.heading else [])]
        return sum(item.badges.count(verdict) for item in found)


def field_sections(
    submission: Submission,
    badges: Mapping[str, Badges],
    notes: Sequence[SourceNote],
    *,
    stale: bool = False,
    before: Mapping[str, Shown] | None = None,
    since: Mapping[str, Shown] | None = None,
) -> list[FieldSection]:
    """The whole form, what makes no claims at its end.

    ``stale`` says that the checks are not those of the edited values; ``before`` holds what values were before edits
    that are in the document already, ``since`` what was approved before this result.
    """
    numbers: dict[str, list[int]] = {}
    for note in notes:
        for place, _ in note.rows:
            numbers.setdefault(place, []).append(note.source.number)
    made = {
        row.pointer: _field(submission, row, badges, numbers, stale)
        for row in submission.rows
        if row.kind != "more"
    }
    for pointer, item in made.items():
        item.before, item.since = (before or {}).get(pointer), (since or {}).get(pointer)
    return sorted((_section(section, made) for section in sections(submission.rows)), key=_comes_late)


def _comes_late(section: FieldSection) -> bool:
    return section.no_claim and not section.failed


def _field(
    submission: Submission,
    row: Row,
    badges: Mapping[str, Badges],
    numbers: Mapping[str, list[int]],
    stale: bool,
) -> Field:
    place, edited = field_id(row.pointer), submission.edited(row)
    return Field(
        row,
        place,
        submission.text(row),
        edited=edited,
        removed=submission.is_removed(row),
        error=submission.errors.get(row.pointer, ""),
        badges=badges.get(row.pointer, Badges()),
        sources=numbers.get(place, []),
        stale=stale and edited,
    )


def _section(section: Section, made: Mapping[str, Field]) -> FieldSection:
    fields = [made.get(row.pointer) or Field(row, field_id("more"), "") for row in section.rows]
    heading = made.get(section.pointer) if section.heading else None
    return FieldSection(section, f"s-{field_id(section.pointer)}", heading, fields)
