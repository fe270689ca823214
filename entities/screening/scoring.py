"""How like a subject is an entry of a list, field by field: the best pair of names, dates of birth, countries, numbers.

The score of the names is what the others add to or take from. What one side does not know takes nothing.

    birth      the same day +5, the same year or month +2, one day apart 0, day and month swapped −5,
               another day of the year −10, another year −20
    country    one in common +2, none in common −8
    number     the same number of the same issuer: at least 95; the same number alone +5
    kind       a vessel or aircraft against a company −10
"""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from entities.names.keys import search_key
from entities.names.matching import NameVariant
from entities.names.matching import compare as compare_company_names
from entities.screening import dates
from entities.screening.persons import compare_names
from entities.screening.records import Entry, Identifier, ListedName
from entities.screening.subject import Subject

ALGORITHM: Final = "dossier-screening-1"
NUMBER_SCORE: Final = 95.0
SAME_DAY, SAME_TIME = 5.0, 2.0
BIRTH: Final = {dates.NEAR: 0.0, dates.SWAPPED: -5.0, dates.OTHER_DAY: -10.0, dates.OTHER_YEAR: -20.0}
COUNTRY_SAME, COUNTRY_OTHER, OTHER_KIND, NUMBER_ALONE = 2.0, -8.0, -10.0, 5.0
_MARKS = re.compile(r"[^0-9A-Z]+")


@dataclass(frozen=True, slots=True)
class FieldLikeness:
    """What one field says: points that it adds, the values that were compared, and how they are to each other."""

    field: str
    points: float
    ours: str
    theirs: str
    relation: str


@dataclass(frozen=True, slots=True)
class Likeness:
    """The score of 100, and every field that bears on it; the first is the name."""

    score: float
    fields: tuple[FieldLikeness, ...]

    @property
    def explanation(self) -> str:
        """One line for a person."""
        told = (f"{one.field} {one.points:+g}: {one.relation}" for one in self.fields[1:])
        name = self.fields[0]
        first = f"name {name.points:g}: “{name.ours}” and “{name.theirs}”, {name.relation}"
        return "; ".join([first, *told])

    def as_json(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "fields": [asdict(one) for one in self.fields],
            "explanation": self.explanation,
        }


def compare(subject: Subject, entry: Entry) -> Likeness:
    """How like they are. Values in, values out."""
    told = [
        best_name(subject, entry),
        *_birth(subject, entry),
        *_country(subject, entry),
        *_kind(subject, entry),
    ]
    told += _number(subject.identifiers, entry.identifiers, sum(one.points for one in told))
    score = sum(one.points for one in told)
    return Likeness(round(max(0.0, min(100.0, score)), 1), tuple(told))


def best_name(subject: Subject, entry: Entry) -> FieldLikeness:
    """The pair of names that fits best."""
    person = entry.kind == "person"
    fits = (
        _person_name(ours, theirs) if person else _company_name(ours, theirs)
        for ours in subject.names
        for theirs in entry.names
    )
    return max(fits, key=lambda one: one.points)


def comparable(subject_kind: str, entry_kind: str) -> bool:
    """Whether a subject of one kind can be an entry of the other."""
    return not subject_kind or (subject_kind == "person") == (entry_kind == "person")


def most_added(subject: Subject) -> float:
    """The most that other fields can add to the score of a subject's names."""
    return (
        SAME_DAY * bool(subject.births)
        + COUNTRY_SAME * bool(subject.countries)
        + NUMBER_ALONE * bool(subject.identifiers)
    )


def _person_name(ours: str, theirs: ListedName) -> FieldLikeness:
    fit = compare_names(ours, theirs)
    return FieldLikeness("name", fit.score, ours, theirs.text, _with_type(fit.relation, theirs))


def _company_name(ours: str, theirs: ListedName) -> FieldLikeness:
    """By the rules of the LEI register; a weak alias only when it is the same."""
    if theirs.weak:
        same = search_key(ours) == search_key(theirs.text)
        relation = "the same" if same else "a weak alias is compared only as a whole"
        return FieldLikeness("name", 100.0 * same, ours, theirs.text, _with_type(relation, theirs))
    match = compare_company_names(ours, NameVariant(theirs.text))
    return FieldLikeness("name", round(match.score, 1), ours, theirs.text, _with_type(match.relation, theirs))


def _with_type(relation: str, name: ListedName) -> str:
    kind = "weak alias" if name.weak else {"former": "former name", "alias": "alias"}.get(name.type, "")
    return f"{relation} ({kind})" if kind else relation


def _birth(subject: Subject, entry: Entry) -> list[FieldLikeness]:
    relation, ours, theirs = dates.compare_dates(subject.births, entry.births)
    if relation == dates.UNKNOWN:
        return []
    exact = len(ours) == 10 and ours == theirs
    points = BIRTH.get(relation, SAME_DAY if exact else SAME_TIME)
    return [FieldLikeness("birth", points, ours, theirs, relation)]


def _country(subject: Subject, entry: Entry) -> list[FieldLikeness]:
    if not subject.countries or not entry.countries:
        return []
    common = sorted({*subject.countries} & {*entry.countries})
    ours, theirs = ", ".join(subject.countries), ", ".join(entry.countries[:10])
    if common:
        return [FieldLikeness("country", COUNTRY_SAME, ours, theirs, f"{', '.join(common)} in common")]
    return [FieldLikeness("country", COUNTRY_OTHER, ours, theirs, "none in common")]


def _kind(subject: Subject, entry: Entry) -> list[FieldLikeness]:
    if subject.kind != "entity" or entry.kind == "entity":
        return []
    return [FieldLikeness("kind", OTHER_KIND, subject.kind, entry.kind, f"the entry is a {entry.kind}")]


def _number(ours: Iterable[Identifier], theirs: Iterable[Identifier], so_far: float) -> list[FieldLikeness]:
    """A number is evidence, not identity: two people may have one passport, two registers one number."""
    listed = {plain_number(one.number): one for one in theirs}
    for one in ours:
        other = listed.get(plain_number(one.number))
        if other is None or len(plain_number(one.number)) < 5:
            continue
        told = (f"{one.type} {one.number}".strip(), f"{other.type} {other.number}".strip())
        if one.issuer and other.issuer and one.issuer != other.issuer:
            return [FieldLikeness("number", 0.0, *told, "the same number of another issuer")]
        if one.issuer and other.issuer:
            points = max(NUMBER_SCORE - so_far, 0.0)
            return [FieldLikeness("number", points, *told, "the same number of the same issuer")]
        return [FieldLikeness("number", NUMBER_ALONE, *told, "the same number, issuer not told")]
    return []


def plain_number(number: str) -> str:
    """A number without blanks and marks, in capitals, and without the word IMO."""
    return _MARKS.sub("", number.upper()).removeprefix("IMO")
