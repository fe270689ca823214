"""Where things stand in the picture: columns by level, each entity beside the middle of what it leads to."""

from collections import defaultdict
from dataclasses import dataclass, field
from uuid import UUID

from entities.admin.graph.tree import Node, Tree, labels

WIDTH, HEIGHT = 248, 46
COLUMN, ROW = WIDTH + 72, HEIGHT + 12
MARGIN, ARC = 16, 44  # an arc above everything leads past what stands between


@dataclass(frozen=True)
class Box:
    """A rectangle: an entity, or how many more there are."""

    x: float
    y: float
    node: Node | None
    words: tuple[str, ...] = ()
    more: int = 0
    of: UUID | None = None
    side: int = 0


@dataclass(frozen=True)
class Line:
    """From the right side of one box to the left side of another; ``extra`` ones are not part of the tree."""

    start: Box
    end: Box
    words: tuple[str, ...] = ()
    extra: bool = False


@dataclass
class Picture:
    """Boxes and lines, and the size of it all; ``arc`` is the room above it that extra lines need."""

    boxes: list[Box] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    width: float = 0
    height: float = 0
    arc: float = 0


class _Side:
    """One side of the root: its boxes by entity, and the row that is free next."""

    def __init__(self, tree: Tree, direction: int) -> None:
        self.tree, self.direction = tree, direction
        self.next_row = 0.0
        self.rows: dict[UUID, float] = {}
        self.more: dict[UUID, float] = {}
        self.under: dict[UUID, list[Node]] = defaultdict(list)
        for node in tree.nodes.values():
            if node.level * direction > 0 and node.beside is not None:
                self.under[node.beside].append(node)
        self._place(tree.nodes[tree.root.pk])

    def _place(self, node: Node) -> float:
        """The row of an entity: the middle of the first and the last that it leads to."""
        places = [self._place(each) for each in self.under[node.entity.pk]]
        if (node.entity.pk, self.direction) in self.tree.more:
            places.append(self._take())
            self.more[node.entity.pk] = places[-1]
        row = (places[0] + places[-1]) / 2 if places else self._take()
        self.rows[node.entity.pk] = row
        return row

    def _take(self) -> float:
        row, self.next_row = self.next_row, self.next_row + 1
        return row


def place(tree: Tree) -> Picture:
    """Parents stand to the left, children to the right, the root in line with the middle of both."""
    above, below = _Side(tree, -1), _Side(tree, 1)
    root = tree.root.pk
    middle = max(above.rows[root], below.rows[root])
    levels = [node.level for node in tree.nodes.values()]
    levels += [tree.nodes[pk].level + side for pk, side in tree.more]
    left = min(levels)
    picture, boxes = Picture(), {}
    for side in (above, below):
        shift = middle - side.rows[root]
        for pk, row in side.rows.items():
            boxes[pk] = _box(tree, tree.nodes[pk], row + shift, left)
        for pk, row in side.more.items():
            level = tree.nodes[pk].level + side.direction
            picture.boxes.append(
                Box(
                    _x(level, left),
                    _y(row + shift),
                    None,
                    (),
                    tree.more[pk, side.direction],
                    pk,
                    side.direction,
                )
            )
    picture.boxes[:0] = boxes.values()
    picture.lines = [*_lines(tree, boxes), *_lines_to_more(picture, boxes)]
    picture.arc = ARC if any(line.extra for line in picture.lines) else 0
    picture.width = (max(levels) - left) * COLUMN + WIDTH + 2 * MARGIN
    picture.height = max(box.y for box in picture.boxes) + HEIGHT + MARGIN
    return picture


def _box(tree: Tree, node: Node, row: float, left: int) -> Box:
    return Box(_x(node.level, left), _y(row), node, tuple(labels(tree, node)))


def _x(level: int, left: int) -> float:
    return MARGIN + (level - left) * COLUMN


def _y(row: float) -> float:
    return MARGIN + row * ROW


def _lines(tree: Tree, boxes: dict[UUID, Box]) -> list[Line]:
    lines = []
    for (below, above), words in tree.edges.items():
        if below not in boxes or above not in boxes:
            continue
        low, high = tree.nodes[below], tree.nodes[above]
        spans = (low.beside == above and low.level > 0) or (high.beside == below and high.level < 0)
        lines.append(Line(boxes[above], boxes[below], tuple(above_is for above_is, _ in words), not spans))
    return lines


def _lines_to_more(picture: Picture, boxes: dict[UUID, Box]) -> list[Line]:
    rest = [box for box in picture.boxes if box.node is None and box.of is not None]
    return [
        Line(boxes[box.of], box) if box.side > 0 else Line(box, boxes[box.of])
        for box in rest
        if box.of is not None
    ]
