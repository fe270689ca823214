"""The part of memory that is drawn: some levels above an entity and some below, never more than a page can bear."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from django.db.models import Count, F, QuerySet, Window
from django.db.models.expressions import OrderBy
from django.db.models.functions import RowNumber

from entities.memory.people import seen
from entities.models import Entity, Relationship

Kind = Relationship.Type
# What makes a tree: the subject stands below the object.
TREE = (
    Kind.DIRECTLY_CONSOLIDATED_BY,
    Kind.ULTIMATELY_CONSOLIDATED_BY,
    Kind.OWNED_BY,
    Kind.CONTROLLED_BY,
    Kind.FUND_MANAGED_BY,
    Kind.SUBFUND_OF,
    Kind.FEEDER_TO,
    Kind.BRANCH_OF,
    Kind.MEMBER_OF,
)
ULTIMATE = (Kind.ULTIMATELY_CONSOLIDATED_BY,)
STEPS = tuple(kind for kind in TREE if kind not in ULTIMATE)
# What the object is to the subject, and what the subject is to the object: a box says what it is itself.
WORDS = {
    Kind.DIRECTLY_CONSOLIDATED_BY: ("direct parent", "direct child"),
    Kind.ULTIMATELY_CONSOLIDATED_BY: ("ultimate parent", "ultimate child"),
    Kind.OWNED_BY: ("owner", "owned"),
    Kind.CONTROLLED_BY: ("control", "controlled"),
    Kind.FUND_MANAGED_BY: ("fund manager", "managed fund"),
    Kind.SUBFUND_OF: ("umbrella", "sub-fund"),
    Kind.FEEDER_TO: ("master fund", "feeder fund"),
    Kind.BRANCH_OF: ("head office", "branch"),
    Kind.MEMBER_OF: ("group", "member"),
}
LEVELS_UP, LEVELS_DOWN = 4, 2
PARENTS, CHILDREN = 8, 24  # of the entity itself
FURTHER_PARENTS, FURTHER_CHILDREN, SECOND_LEVEL = 3, 5, 48
Pair: TypeAlias = tuple[UUID, UUID]  # below, above


@dataclass(frozen=True)
class Node:
    """An entity in the picture, at its level: 0 is the one it is about, above it are negative ones.

    ``beside`` is the entity through which it was reached.
    """

    entity: Entity
    level: int
    beside: UUID | None


@dataclass
class Tree:
    """What is drawn. ``more`` says how many neighbours of an entity are left out, above (-1) or below (1) it."""

    root: Entity
    nodes: dict[UUID, Node] = field(default_factory=dict)
    edges: dict[Pair, list[tuple[str, str]]] = field(default_factory=dict)
    more: dict[tuple[UUID, int], int] = field(default_factory=dict)
    shown: dict[tuple[UUID, int], set[UUID]] = field(default_factory=dict)


def read_tree(root: Entity) -> Tree:
    """Two queries a level, however many neighbours there are; an entity that is reached twice stands there once.

    Ultimate parents come last, as far out as anybody: they usually stand above the direct ones, not beside them.
    """
    tree = Tree(root, nodes={root.pk: Node(root, 0, None)})
    for direction, levels in ((-1, LEVELS_UP), (1, LEVELS_DOWN)):
        frontier = [root.pk]
        for level in range(1, levels + 1):
            frontier = _reach(tree, frontier, direction, level, STEPS)
            if not frontier:
                break
        outermost = min(node.level for node in tree.nodes.values()) - 1 if direction < 0 else 1
        _reach(tree, [root.pk], direction, 1, ULTIMATE, at=outermost)
    return tree


def _reach(
    tree: Tree,
    frontier: list[UUID],
    direction: int,
    level: int,
    types: Collection[str],
    at: int | None = None,
) -> list[UUID]:
    """Add the neighbours of these; gives those that were not there before."""
    mine, far = ("subject", "object") if direction < 0 else ("object", "subject")
    every = Relationship.objects.filter(
        **{f"{mine}__in": frontier, f"{far}__merged_into__isnull": True},
        type__in=TREE,
        valid_to__isnull=True,
    )
    every = seen(every, far)
    cap, reached = _cap(direction, level, len(frontier)), []
    for row in _nearest(every.filter(type__in=types), mine, far, cap):
        near, other = getattr(row, f"{mine}_id"), getattr(row, far)
        shown = tree.shown.setdefault((near, direction), set())
        if other.pk not in shown and other.pk not in tree.nodes and len(shown) >= cap:
            continue
        shown.add(other.pk)
        words = tree.edges.setdefault((row.subject_id, row.object_id), [])
        words += [] if _words(row) in words else [_words(row)]
        if other.pk not in tree.nodes:
            tree.nodes[other.pk] = Node(other, level * direction if at is None else at, near)
            reached.append(other.pk)
    _count_more(tree, every, mine, far, direction)
    return reached


def _cap(direction: int, level: int, width: int) -> int:
    if level == 1:
        return PARENTS if direction < 0 else CHILDREN
    if direction < 0:
        return FURTHER_PARENTS
    return max(1, min(FURTHER_CHILDREN, SECOND_LEVEL // width))


def _nearest(rows: QuerySet[Relationship], mine: str, far: str, cap: int) -> QuerySet[Relationship]:
    """The first rows of each, the largest shares before the others; two entities may be related in several ways."""
    order: list[OrderBy | str] = [F("percentage").desc(nulls_last=True), f"{far}__name", far, "type"]
    ranked = rows.annotate(rank=Window(RowNumber(), partition_by=F(mine), order_by=order))
    return ranked.filter(rank__lte=cap * 3).select_related(far).order_by("rank", mine)


def _count_more(tree: Tree, rows: QuerySet[Relationship], mine: str, far: str, direction: int) -> None:
    counted = rows.order_by().values(mine).annotate(many=Count(far, distinct=True))
    for row in counted:
        place = (row[mine], direction)
        left = row["many"] - len(tree.shown.get(place, ()))
        tree.more.pop(place, None)
        if left > 0:
            tree.more[place] = left


def _words(row: Relationship) -> tuple[str, str]:
    share = "" if row.percentage is None else f" {row.percentage.normalize():f} %"
    above, below = WORDS[Kind(row.type)]
    return f"{above}{share}", f"{below}{share}"


def labels(tree: Tree, node: Node) -> Iterable[str]:
    """What an entity is to the one beside it, through which it was reached."""
    if node.beside is None:
        return []
    if node.level > 0:
        return [below for _, below in tree.edges.get((node.entity.pk, node.beside), [])]
    return [above for above, _ in tree.edges.get((node.beside, node.entity.pk), [])]
