"""A long form in parts: the first are on the page, each of the others comes when a person opens it.

A part that is on the page says so in a hidden field, and so does an item that was unfolded, so that what a person has
opened is known when they sign.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from research.admin.gate.changes import field_id
from research.admin.gate.displayed import PART, UNFOLDED, Looked, around, displayed
from research.admin.gate.evidence import WORDS
from research.admin.gate.fields import ALL, Block, Field, FieldSection
from research.checks.verdict import WORST_FIRST
from research.review.pointer import is_inside

FIRST_ROWS = 300  # on the page when it is opened, and as many again in short sections further down
PART_ROWS = 150
SHORT_SECTION = 30


@dataclass
class Part:
    """Some of the rows of a section. ``whole`` is a section that is not divided."""

    key: str
    blocks: list[Block]
    whole: bool = False
    opened: bool = True
    fresh: bool = True
    """Whether its rows are in this answer; in the background those are left out that have not changed."""
    told: str = ""
    """Under which filters it has stood open: the value of its mark."""

    @property
    def id(self) -> str:
        return f"p-{field_id(self.key)}"

    @cached_property
    def fields(self) -> list[Field]:
        return [item for block in self.blocks for item in block.all_fields]

    @property
    def values(self) -> int:
        return sum(item.row.kind == "leaf" and item.row.state != "absent" for item in self.fields)

    @property
    def label(self) -> str:
        """``26. Alpha to 50. Zeta``."""
        first, last = (_name(self.blocks[place]) for place in (0, -1))
        return first if first == last else f"{first} to {last}"

    @cached_property
    def counts(self) -> list[tuple[str, str]]:
        """``[("fail", "3 failed"), ("unknown", "1 unknown")]``."""
        found: Counter[str] = Counter()
        for item in self.fields:
            found.update({verdict: item.badges.count(verdict) for verdict in WORST_FIRST})
        return [(verdict, f"{found[verdict]} {WORDS[verdict]}") for verdict in WORST_FIRST if found[verdict]]

    @property
    def changed(self) -> bool:
        return any(block.edited or block.changed for block in self.blocks) or any(
            item.row.blank or item.removed for item in self.fields
        )


@dataclass
class Form:
    """The sections of a form, each in parts. ``looked`` says what has been opened, its post what is asked for."""

    sections: Sequence[FieldSection]
    looked: Looked
    parts: dict[str, list[Part]] = field(default_factory=dict)

    @property
    def post(self) -> Mapping[str, str]:
        return self.looked.post

    def __post_init__(self) -> None:
        rows = sum(len(section.fields) for section in self.sections)
        left, spare = FIRST_ROWS, FIRST_ROWS
        for section in self.sections:
            size = len(section.fields)
            short = size <= SHORT_SECTION and spare > 0
            whole = rows <= FIRST_ROWS or short or (size <= PART_ROWS and left > 0)
            spare -= size if short else 0
            made = [Part(section.section.pointer, section.blocks, whole=True)] if whole else _divided(section)
            section.asked = UNFOLDED + section.section.pointer in self.post
            section.told = self.looked.told(UNFOLDED + section.section.pointer, section.asked)
            for block in chain.from_iterable(part.blocks for part in made):
                block.folded = block.foldable and not self._has_unfolded(section, block)
                if block.heading and block.foldable:
                    mark = UNFOLDED + block.heading.row.pointer
                    block.told = self.looked.told(mark, not block.folded)
            for part in made:
                part.opened = whole or left > 0 or part.changed or self._has_opened(part)
                part.fresh = part.opened and ("asked" not in self.post or self._has_touched(part))
                part.told = self.looked.told(PART + part.key, part.opened)
                left -= 0 if short else len(part.fields)
            section.folds = any(block.folded for part in made if part.opened for block in part.blocks)
            self.parts[section.id] = made

    def _has_opened(self, part: Part) -> bool:
        asked = self.post.get("show", "")
        return (
            PART + part.key in self.post
            or PART + ALL in self.post
            or asked == part.key
            or self._holds(part, asked)
        )

    def _has_unfolded(self, section: FieldSection, block: Block) -> bool:
        one = block.heading is not None and UNFOLDED + block.heading.row.pointer in self.post
        return one or self.post.get("show") == f"{UNFOLDED}{section.section.pointer}"

    def _has_touched(self, part: Part) -> bool:
        return part.whole or part.changed or part.id in self.post.get("touched", "").split()

    def _holds(self, part: Part, asked: str) -> bool:
        return asked.startswith("f-") and any(item.id == asked for item in part.fields)

    def asked_for(self) -> tuple[FieldSection, Part] | None:
        """The part that was asked for, by its key or by a field in it."""
        asked = self.post.get("show", "")
        for section in self.sections:
            for part in self.parts[section.id]:
                if asked and not part.whole and (part.key == asked or self._holds(part, asked)):
                    return section, part
        return None

    def unopened(self) -> Iterator[tuple[FieldSection, Part]]:
        """The parts that nobody has opened."""
        for section in self.sections:
            yield from ((section, part) for part in self.parts[section.id] if not part.opened)

    def places(self, cut_at: str = "") -> tuple[list[str], bool]:
        """What was displayed, as few pointers of the form's rows as say it, and whether that is all of the form.

        ``cut_at`` is the last place of a form that ends before its document does.
        """
        found: list[str] = []
        everything = True
        for section in self.sections:
            filters = around(section, self.looked)
            shown = [ALL in filters or bool(section.fields)]  # of an empty list its heading is all there is
            places: list[str] = []
            for part in self.parts[section.id]:
                for block in part.blocks if part.opened else ():
                    seen, whole = displayed(
                        block, filters & self._stood(part) & self._unfolded(block), cut_at
                    )
                    places += seen
                    shown.append(whole)
                shown.append(part.opened)
            pointer = section.section.pointer
            whole = all(shown) and not (cut_at and pointer and is_inside(cut_at, pointer))
            found += [pointer] if whole and pointer else places
            everything = everything and whole
        return found, everything

    def _stood(self, part: Part) -> frozenset[str]:
        """The filters under which a part has been on the page."""
        return self.looked.page if part.whole else self.looked.under(PART + part.key)

    def _unfolded(self, block: Block) -> frozenset[str]:
        """The filters under which a block stood open."""
        if block.heading is None or not block.foldable:
            return self.looked.page
        return self.looked.under(UNFOLDED + block.heading.row.pointer)


def _divided(section: FieldSection) -> list[Part]:
    groups: list[list[Block]] = [[]]
    for block in chain.from_iterable(map(_cut, section.blocks)):
        if sum(len(one.all_fields) for one in groups[-1]) + len(block.all_fields) > PART_ROWS and groups[-1]:
            groups.append([])
        groups[-1].append(block)
    return [Part(f"{section.section.pointer}@{number}", blocks) for number, blocks in enumerate(groups)]


def _cut(block: Block) -> Iterator[Block]:
    """A block that is too long for one part in several, the first with its heading."""
    if len(block.fields) <= PART_ROWS:
        yield block
        return
    for start in range(0, len(block.fields), PART_ROWS):
        heading = block.heading if start == 0 else None
        yield Block(heading, block.fields[start : start + PART_ROWS], cut=True)


def _name(block: Block) -> str:
    shown = block.heading or block.fields[0]
    return shown.row.label
