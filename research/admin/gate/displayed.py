"""What of the form a person could see, in all the ways in which the page hides values: by a filter, in a part that has
not come, in a fold, or by cutting them off.

The page posts under which filters it has stood (``saw``), and the same of each later part (``part:…``) and of each fold
that was opened (``unfolded:…``). A value was displayed if one of the filters under which all that holds it stood open
shows it. With a script the page writes these down as they happen. Without one (``plain``) it stands under the filter
that is posted, and the server carries on what was posted before.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from research.admin.gate.fields import FILTERS, Block, Field, FieldSection
from research.admin.gate.submission import RAW
from research.review.pointer import is_inside

SAW, PLAIN, PART, UNFOLDED = "saw", "plain", "part:", "unfolded:"


@dataclass(frozen=True)
class Looked:
    """Under which filters a page has been looked at; ``now`` is the one it stands under."""

    post: Mapping[str, str]
    now: str

    def under(self, mark: str) -> frozenset[str]:
        """The filters under which what bears the mark has stood open; none for what has never been opened."""
        seen = frozenset(self.post.get(mark, "").split()) & {*FILTERS, RAW}
        posted = self.post.get("filter", "")
        by_hand = self.post.get(PLAIN) and mark in self.post and posted in FILTERS
        return seen | {posted} if by_hand else seen

    def told(self, mark: str, stands: bool) -> str:
        """What this answer says of the mark, for the next post: nothing of what does not stand open in it."""
        return " ".join(sorted(self.under(mark) | {self.now})) if stands else ""

    @property
    def page(self) -> frozenset[str]:
        """The filters under which the page has stood, with that of this answer: it is read before it is posted."""
        return self.under(SAW) | {self.now}

    @property
    def whole(self) -> bool:
        """Whether the raw JSON was shown, which hides nothing."""
        return RAW in self.page


def around(section: FieldSection, looked: Looked) -> frozenset[str]:
    """The filters under which a section stood open."""
    if section.foldable and section.fields:
        return looked.page & looked.under(UNFOLDED + section.section.pointer)
    return looked.page


def displayed(block: Block, filters: frozenset[str], cut_at: str) -> tuple[list[str], bool]:
    """The pointers of what was displayed of a block under some filters, and whether that is all of it.

    ``cut_at`` is the last place of the form where it does not show all of a document, else nothing.
    """
    values = [item for item in block.all_fields if _is_value(item)]
    seen = [item.row.pointer for item in values if not item.cut and item.filters & filters]
    whole = len(seen) == len(values)
    heading = block.heading.row.pointer if block.heading else ""
    if cut_at and heading and is_inside(cut_at, heading):
        return seen, False
    return ([heading] if whole and heading and not block.cut else seen), whole


def _is_value(item: Field) -> bool:
    row = item.row
    return row.state != "absent" and (row.kind in ("leaf", "more") or not row.count)
