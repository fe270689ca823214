"""Trace a value of a document to its origin: stated as is, spelled differently, translated, or computed.

The rules by which a value may differ from what was told are these and no others. A name: case, accents, marks, another
script, the legal form in full or short, first and last name of a person in the other order, a remark in brackets. An
identifier: how it is divided, zeros before it. A place: the code of a country or its name. A number: how it is
written, a scale in words, per cent or fraction, rounding; the count of a list, the sum of a column, the difference of
two of its values. A date: how it is written.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import combinations, islice, permutations
from typing import Literal, TypeAlias

from entities.gleif.jurisdictions import jurisdiction_code, place_names
from entities.names.keys import search_key, words_of
from entities.names.pieces import spellings, without_forms
from research.checks.provenance.amounts import amount_of, dates_in, months_in, numbers_in
from research.checks.provenance.corpus import NAMES, Corpus, Leaf
from research.checks.provenance.values import Traced
from research.jsontext import Json

How: TypeAlias = Literal["exact", "spelled", "translated", "computed", "asked", "apart", "missing"]
MAX_LEAVES = 200  # maximum number of places of one value to compare
MAX_COLUMN = 60  # maximum number of values in a column to add or subtract
MAX_SIBLINGS = 3  # stated numbers of an object to compute with: among many, some pair gives any number
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_LINK = re.compile(r"\s+(?:&|\+|and|und|et|e)\s+", re.IGNORECASE)
_SAID_OF_PEOPLE = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "herr", "frau", "me", "maitre", "signor", "signora", "sir")
)


@dataclass(frozen=True, slots=True)
class Origin:
    """The evidence for a value. ``apart``: stated, but about somebody else."""

    how: How
    instead: str = ""


class Tracer:
    """Traces the values of one document. ``data`` is the document; its own lists may be counted."""

    def __init__(self, heard: Corpus, data: Json) -> None:
        self._heard, self._counts = heard, _counts(data) | heard.sizes
        self._data = data
        self._names: dict[str, list[Leaf]] = {}
        self._columns: set[Decimal] | None = None
        self._side_by_side: list[Decimal] | None = None

    def origin(self, one: Traced) -> Origin:
        rules = {
            "name": self._name,
            "identifier": self._identifier,
            "place": self._place,
            "number": self._number,
            "date": self._date,
        }
        return rules[one.kind](one)

    def _name(self, one: Traced) -> Origin:
        text = str(one.value)
        for words, how in _readings(text, within=one.within):
            if any(one.loose or self._fits(leaf, words) for leaf in _some(self._heard.phrase(words))):
                return Origin(how)
        if one.loose:
            return self._loose(text)
        asked = any(self._heard.asks(words) for words, _ in _readings(text, within=one.within))
        return Origin("asked" if asked else "missing")

    def _loose(self, text: str) -> Origin:
        """Two of several capitalised words may suffice. Words that occur in lower case elsewhere are not names."""
        words = words_of(text)
        for length in range(len(words), min(len(words), 2) - 1, -1):
            for at in range(len(words) - length + 1):
                part = words[at : at + length]
                owning = [*part[:-1], f"{part[-1]}s"]
                if next(self._heard.phrase(part), None) or next(self._heard.phrase(owning), None):
                    return Origin("spelled")
        if self._heard.asks(words):
            return Origin("asked")
        own = [word for word in words if word not in self._heard.written_small]
        return Origin("missing" if len(own) >= min(2, len(words)) else "exact")

    def _identifier(self, one: Traced) -> Origin:
        leaves = list(_some(self._leaves_of_identifier(str(one.value))))
        if not leaves:
            asked = any(self._heard.asks([form]) for form in _written(str(one.value)))
            return Origin("asked" if asked else "missing")
        if one.within or not one.beside:
            return Origin("exact")
        return self._beside(one, leaves, item=True)

    def _beside(self, one: Traced, leaves: Sequence[Leaf], *, item: bool) -> Origin:
        """Whether the value is stated together with the name it belongs to, if that name is stated at all."""
        named = self._leaves_of_name(one.beside[0])
        if not named:
            return Origin("exact")
        answers = {leaf.answer for leaf in named}
        items = {leaf.item for leaf in named}
        together = [
            leaf
            for leaf in leaves
            if leaf.item in items or (leaf.answer in answers and not (item and self._is_list(leaf, named)))
        ]
        return Origin("exact") if together else Origin("apart", one.beside[0])

    @staticmethod
    def _is_list(leaf: Leaf, named: Sequence[Leaf]) -> bool:
        """Whether value and name are in items of lists in this answer, and never in the same item."""
        return leaf.nested and all(other.nested for other in named if other.answer == leaf.answer)

    def _place(self, one: Traced) -> Origin:
        text = str(one.value)
        own, code = words_of(text), jurisdiction_code(text)
        if any(self._is_place(leaf, own) for leaf in self._heard.phrase(own)):
            return Origin("exact")
        for form in place_names(code):
            words = words_of(form)
            if any(self._is_place(leaf, words) for leaf in self._heard.phrase(words)):
                return Origin("translated")
        return Origin("asked" if self._heard.asks(own) else "missing")

    @staticmethod
    def _is_place(leaf: Leaf, words: Sequence[str]) -> bool:
        """Two-letter codes are words in many languages, so they only count on their own."""
        return len("".join(words)) > 3 or leaf.size <= 2

    def _number(self, one: Traced) -> Origin:
        values = _values(one.value)
        if not values:
            return Origin("missing")
        least = 2 if one.within else 3
        if leaves := list(
            _some(leaf for each in values for leaf in self._heard.number(*_bounds(each, least)))
        ):
            return self._beside(one, leaves, item=False) if one.beside else Origin("exact")
        for each in values:
            for other in (each * 100, each / 100):
                if other != each and next(self._heard.number(*_bounds(other)), None):
                    return Origin("translated")
        counted = any(each == int(each) and int(each) in self._counts for each in values)
        if (
            counted
            or any(each in self._reckoned() or each in self._from_siblings for each in values)
            or (one.within and self._follows_from_others(one, values))
        ):
            return Origin("computed")
        return Origin("asked" if any(map(self._heard.asks_number, values)) else "missing")

    def _date(self, one: Traced) -> Origin:
        days = list(dict.fromkeys(dates_in(str(one.value))))
        if self._heard.today in days:
            return Origin("exact")
        if not days:
            return self._period(str(one.value)) if one.within else Origin("exact")
        if leaves := list(_some(leaf for day in days for leaf in self._heard.day(day))):
            return self._beside(one, leaves, item=False) if one.beside else Origin("exact")
        return Origin("asked" if any(map(self._heard.asks_day, days)) else "missing")

    def _period(self, text: str) -> Origin:
        """A month of a year, or a year. Found if any date within it is stated."""
        today = self._heard.today
        if month := next(months_in(text), None):
            now = today is not None and month == (today.year, today.month)
            return Origin("exact" if now or month in self._heard.months else "missing")
        now = today is not None and text.strip() == str(today.year)
        if now or next(self._heard.phrase([text.strip()]), None):
            return Origin("exact")
        return Origin("asked" if self._heard.asks([text.strip()]) else "missing")

    def _follows_from_others(self, one: Traced, values: Sequence[Decimal]) -> bool:
        """Whether a number in prose can be computed from stated numbers beside it, or from two adjacent
        numbers of a source.
        """
        beside = [
            each
            for other in one.near
            if other != one.value
            for each in numbers_in(other)
            if next(self._heard.number(each, each), None)
        ]
        if any(_same(value, each) for each in _reckoned_from(beside[:MAX_COLUMN]) for value in values):
            return True
        if any(value in self._counted_together for value in values):
            return True
        if self._side_by_side is None:
            self._side_by_side = sorted(set(_simply_reckoned(self._heard.neighbours())))
        known = self._side_by_side
        return any(
            bisect_left(known, low) < bisect_right(known, high)
            for low, high in (_bounds(value, 2) for value in values if _is_telling(value))
        )

    @cached_property
    def _from_siblings(self) -> set[Decimal]:
        """The numbers that can be computed from a few stated numbers of their own object, such as a growth."""
        found: set[Decimal] = set()
        for numbers in map(_numbers_of, _objects(self._data)):
            stated = [one for one in numbers if next(self._heard.number(one, one), None)]
            if 2 <= len(stated) <= MAX_SIBLINGS:
                reckoned = list(_reckoned_from(stated))
                found |= {one for one in numbers if any(_same(one, each) for each in reckoned)}
        return found

    @cached_property
    def _counted_together(self) -> set[int]:
        """The number of items in two lists together, or in one list plus one."""
        some = sorted(self._counts)[:MAX_COLUMN]
        return {number for one in some for other in some for number in (one + other, one - other)}

    def _leaves_of_name(self, text: str) -> list[Leaf]:
        if text not in self._names:
            self._names[text] = [
                leaf
                for words, _ in _readings(text, within=False)
                for leaf in _some(self._heard.phrase(words))
                if self._fits(leaf, words)
            ]
        return self._names[text]

    def _fits(self, leaf: Leaf, words: Sequence[str]) -> bool:
        """In a name field a name must start the value: "Investors GmbH" is not "Global Investors GmbH"."""
        return leaf.key not in NAMES or self._heard.begins(leaf, words)

    def _leaves_of_identifier(self, text: str) -> Iterator[Leaf]:
        for form in _written(text):
            yield from self._heard.joined(form)

    def _reckoned(self) -> set[Decimal]:
        if self._columns is None:
            self._columns = {
                value
                for column in (*self._heard.columns().values(), *_columns(self._data).values())
                for value in _sums(column)
            }
        return self._columns


def _readings(text: str, *, within: bool) -> Iterator[tuple[Sequence[str], How]]:
    """The words of a name in each permitted spelling, starting with its own."""
    own = words_of(text)
    seen: set[tuple[str, ...]] = set()
    for words, how in _spelled(text, own, within=within):
        if words and tuple(words) not in seen:
            seen.add(tuple(words))
            yield words, how


def _spelled(text: str, own: list[str], *, within: bool) -> Iterator[tuple[list[str], How]]:
    yield own, "exact"
    bare = _BRACKETS.sub("", text).strip()
    for one in dict.fromkeys((text, bare, *_with_links(text))):
        core = without_forms(search_key(one))
        for key in spellings(one):
            if key != core or key == search_key(one):
                yield key.split(), "spelled"
        if core != search_key(one) and len(core.split()) > 1:
            yield core.split(), "spelled"
        people = [word for word in words_of(one) if word not in _SAID_OF_PEOPLE]
        if 2 <= len(people) <= 5 and core == search_key(one):
            yield people, "spelled"
            yield [people[-1], *people[:-1]], "spelled"
            yield [*people[1:], people[0]], "spelled"
    if within:
        for at in range(1, len(own) - 1):
            for key in spellings(" ".join(own[at:])):
                if len(key.split()) > 1:
                    yield key.split(), "spelled"


def _with_links(text: str) -> Iterator[str]:
    """ "Dupont & Fils" equals "Dupont et Fils", in four languages."""
    if _LINK.search(text):
        yield _LINK.sub(" ", text)
        yield from (_LINK.sub(f" {link} ", text) for link in ("and", "und", "et", "e"))


def _written(text: str) -> list[str]:
    """An identifier without separators, as is and with other leading zeros."""
    plain = "".join(words_of(text))
    bare = plain.lstrip("0")
    padded = [plain.zfill(8)] if plain.isdecimal() and len(plain) < 8 else []
    return [form for form in dict.fromkeys((plain, bare, *padded)) if form]


def _values(value: str | int | float) -> list[Decimal]:
    if isinstance(value, str):
        return amount_of(value)
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return []
    return [number] if number.is_finite() else []


def _bounds(value: Decimal, least: int = 3) -> tuple[Decimal, Decimal]:
    """The interval that rounds to the value as written: 18.6 covers 18.57, and 18,600,000 covers 18,570,000."""
    _, digits, exponent = value.normalize().as_tuple()
    if len(digits) < least or not isinstance(exponent, int) or -1 < exponent < 3:
        return value, value
    half = Decimal((0, (5,), exponent - 1))
    return value - half, value + half


def _sums(column: Sequence[Decimal]) -> Iterator[Decimal]:
    if 1 < len(column) <= MAX_COLUMN:
        yield sum(column, Decimal(0))
        yield from (abs(one - other) for one, other in combinations(column, 2))


def _same(value: Decimal, reckoned: Decimal) -> bool:
    """Whether a computed number equals the value at the precision of the value."""
    exponent = value.normalize().as_tuple().exponent
    half = Decimal((0, (5,), exponent - 1)) if isinstance(exponent, int) else Decimal(0)
    return abs(value - reckoned) <= half


def _reckoned_from(numbers: Sequence[Decimal]) -> Iterator[Decimal]:
    """The total; for any two the sum, difference, share and growth; the remainder to 100."""
    yield sum(numbers, Decimal(0))
    yield from (100 - one for one in numbers if 0 < one < 100)
    for one, other in permutations(numbers, 2):
        yield one + other
        yield abs(one - other)
        if other:
            yield 100 * one / other
            yield abs(100 * (one - other) / other)
            yield one * other / 100


def _simply_reckoned(pairs: Iterable[tuple[Decimal, Decimal]]) -> Iterator[Decimal]:
    """For two numbers of a source: sum, difference, and share in per cent."""
    for one, other in pairs:
        yield one + other
        yield abs(one - other)
        if min(one, other) <= 100:
            yield one * other / 100


def _is_telling(value: Decimal) -> bool:
    """Whether a number has enough digits that computing it is no coincidence."""
    return len(value.normalize().as_tuple().digits) > 1 and value > 100


def _columns(data: Json) -> dict[str, list[Decimal]]:
    """The numbers of a document by key."""
    found: dict[str, list[Decimal]] = {}
    for value in _objects(data):
        for key, one in value.items():
            if isinstance(one, int | float) and not isinstance(one, bool):
                found.setdefault(key, []).append(Decimal(str(one)))
    return found


def _numbers_of(value: Mapping[str, Json]) -> list[Decimal]:
    numbers = (one for one in value.values() if isinstance(one, int | float) and not isinstance(one, bool))
    return [Decimal(str(one)) for one in islice(numbers, MAX_COLUMN)]


def _counts(data: Json) -> set[int]:
    """Counts in the document: entries of each list, objects with a field, all and distinct."""
    found, lists = {0}, [0]
    fields: dict[str, list[str]] = {}
    for value in _objects(data):
        for key, one in value.items():
            if isinstance(one, list):
                lists.append(len(one))
            elif isinstance(one, str) and one:
                fields.setdefault(key, []).append(one)
    found |= {*lists, sum(lists)}
    for entries in fields.values():
        found |= {len(entries), len(set(entries))}
    return found


def _objects(data: Json) -> Iterator[Mapping[str, Json]]:
    stack: list[Json] = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack += value.values()
        elif isinstance(value, list):
            stack += value


def _some(leaves: Iterable[Leaf]) -> Iterator[Leaf]:
    for _, leaf in zip(range(MAX_LEAVES), leaves, strict=False):
        yield leaf
