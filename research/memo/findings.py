"""The decided data as groups of values, each with its original and its checks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from research.checks.verdict import SEVERITY
from research.jsontext import Json, JsonObject
from research.memo.edits import NOTHING, item_label, text_of
from research.review.pointer import join, resolve
from research.review.rows import human_label
from research.review.shapes import Shape, shape_of

MAX_VALUES = 5_000
MAX_LEVELS = 12
LONG = 80
# Lists that other sections show. They are findings only if a check or an edit needs attention.
TOLD_ELSEWHERE = {
    "summary": ("key_findings", "key_concerns", "red_flags", "risk_factors"),
    "limitations": ("data_gaps", "limitations"),
    "next_steps": ("recommended_verifications", "recommended_actions", "open_questions"),
}
_ELSEWHERE = {name: section for section, names in TOLD_ELSEWHERE.items() for name in names}


@dataclass(frozen=True)
class Point:
    """A check that did not pass, as a sentence."""

    verdict: str
    message: str


@dataclass(frozen=True)
class Value:
    """One value: ``was`` is None where no one edited it, and empty where it was not there before.

    Checks that pass are counted, those without an answer named, and those that warn or fail told in full. ``notes`` are
    the numbers of its quotes.
    """

    pointer: str
    label: str
    text: str
    was: str | None = None
    passed: int = 0
    unknown: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    notes: tuple[int, ...] = ()

    @property
    def long(self) -> bool:
        """Whether it needs a line of its own."""
        return len(self.text) + len(self.was or "") > LONG

    @property
    def quiet(self) -> bool:
        """Whether neither an edit nor a check needs attention."""
        return self.was is None and not self.unknown and not self.points


@dataclass(frozen=True)
class Group:
    """An object, a list or a list item: its values, nested groups, and the checks of the whole."""

    pointer: str
    label: str
    values: tuple[Value, ...] = ()
    groups: tuple["Group", ...] = ()
    points: tuple[Point, ...] = ()
    notes: tuple[int, ...] = ()

    @property
    def short_values(self) -> list[Value]:
        """Values on the line of the label, without its name and missing values."""
        if any(value.long and not value.label for value in self.values):
            return []  # lists of sentences are shown item by item
        name = self.label.partition(". ")[2]
        return [
            value
            for value in self.values
            if not value.long and not (value.text in (name, NOTHING) and value.quiet and not value.passed)
        ]

    @property
    def long_values(self) -> list[Value]:
        """Values that need their own lines."""
        sentences = any(value.long and not value.label for value in self.values)
        return [value for value in self.values if value.long or sentences]

    @property
    def all_points(self) -> list[Point]:
        """Open points of the group and of its short values."""
        return [*self.points, *(point for value in self.short_values for point in value.points)]


@dataclass
class Findings:
    """The groups, texts shown by other sections, and the number of values left out for size."""

    groups: list[Group] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    left_out: int = 0


def read_findings(
    data: Json,
    origin: Json,
    schema: Json,
    checks: Sequence[JsonObject],
    notes: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
    named: Callable[[str], str] = str,
) -> Findings:
    """Read the data in the order of its schema, so that a database that sorts keys changes nothing.

    ``origin`` is ``edits.origins``, ``notes`` the numbers of quotes by place, ``named`` writes the names of fields.
    Top-level values of their own make a group without a label, which stands first only if the document begins with one.
    """
    walk = _Walk(schema, origin, checks, notes, named)
    if not _is_container(data):
        return Findings()
    top = walk.group("", "", data, shape_of(schema, schema), 0)
    own = [Group("", "", top.values)] if top.values else []
    first = next(walk.members(data, shape_of(schema, schema)))[2]
    groups = [*top.groups, *own] if _is_container(first) else [*own, *top.groups]
    return Findings(groups, walk.told, walk.left_out)


class _Walk:
    def __init__(
        self,
        schema: Json,
        origin: Json,
        checks: Sequence[JsonObject],
        notes: Mapping[str, tuple[int, ...]],
        named: Callable[[str], str],
    ) -> None:
        self.schema, self.origin, self.notes, self.named = schema, origin, notes, named
        self.checks: dict[str, list[JsonObject]] = {}
        for check in checks:
            self.checks.setdefault(check["pointer"], []).append(check)
        self.told: dict[str, list[str]] = {}
        self.left, self.left_out = MAX_VALUES, 0

    def group(self, pointer: str, label: str, data: Json, shape: Shape, depth: int) -> Group:
        values: list[Value] = []
        groups: list[Group] = []
        for token, name, value, inner in self.members(data, shape):
            place = join(pointer, token)
            if _is_container(value) and depth < MAX_LEVELS:
                group = self.group(place, name, value, inner, depth + 1)
                groups += self._told_elsewhere(token, value, group)
            elif self._has_room():
                values.append(self._value(place, "" if isinstance(data, list) else name, value))
        points = _points(self.checks.get(pointer, ())) if pointer else ()
        notes = self.notes.get(pointer, ()) if pointer else ()
        return Group(pointer, label, tuple(values), tuple(groups), tuple(points), notes)

    def members(self, data: Json, shape: Shape) -> Iterator[tuple[str, str, Json, Shape]]:
        """Token, label, value and shape of each member, in the order of the schema."""
        if isinstance(data, list):
            for index, value in enumerate(data):
                inner = shape_of(shape.item(index), self.schema)
                yield str(index), item_label(str(index), value), value, inner
            return
        known = [key for key in shape.properties if key in data]
        for key in [*known, *sorted(data.keys() - shape.properties.keys())]:
            inner = shape_of(shape.member(key), self.schema)
            yield key, self.named(inner.title or human_label(key)), data[key], inner

    def _value(self, pointer: str, label: str, value: Json) -> Value:
        text, checks = text_of(value), self.checks.get(pointer, [])
        return Value(
            pointer,
            label,
            text,
            was=self._was(pointer, text),
            passed=sum(check["verdict"] == "pass" and not _is_quote(check) for check in checks),
            unknown=tuple(
                self.named(check["code"].replace("_", " "))
                for check in checks
                if check["verdict"] == "unknown"
            ),
            points=tuple(_points(check for check in checks if check["verdict"] != "unknown")),
            notes=self.notes.get(pointer, ()),
        )

    def _was(self, pointer: str, text: str) -> str | None:
        told = resolve(self.origin, pointer)[1]
        if told is None:
            return ""
        was = told if isinstance(told, str) else NOTHING
        return None if was == text or _is_container(told) else was

    def _told_elsewhere(self, key: str, value: Json, group: Group) -> list[Group]:
        """The group without values that another section shows, unless they need attention."""
        section = _ELSEWHERE.get(key)
        if section is None or not isinstance(value, list):
            return [group]
        texts = self.told.setdefault(section, [])
        told = (_sentence(item, self.named) for item in value)
        texts += [text for text in told if text not in texts]
        rest = replace(group, values=tuple(each for each in group.values if not each.quiet))
        return [rest] if rest.values or rest.groups or rest.points else []

    def _has_room(self) -> bool:
        self.left -= 1
        self.left_out += self.left < 0
        return self.left >= 0


def _points(checks: Iterable[JsonObject]) -> list[Point]:
    """The checks that did not pass, worst first."""
    found = (check for check in checks if check["verdict"] != "pass")
    ordered = sorted(found, key=lambda check: -SEVERITY[check["verdict"]])
    return [Point(check["verdict"], check["message"]) for check in ordered]


def _is_quote(check: JsonObject) -> bool:
    """Quotes have a footnote, so they are not counted again."""
    return check.get("kind") == "quote"


def _sentence(item: Json, named: Callable[[str], str]) -> str:
    """An entry of a list of texts. An object is shown value by value."""
    if not isinstance(item, dict):
        return text_of(item)
    return "; ".join(f"{named(human_label(key))}: {text_of(item[key])}" for key in sorted(item))


def _is_container(value: Json) -> bool:
    return isinstance(value, dict | list) and bool(value)
