"""Screening one subject: who on the lists is like it, explained, and which lists were looked at. Writes nothing."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from django.utils import timezone

from common.connection import give_connection_back
from entities.models import ListEntry, ListVersion, ScreeningPolicy
from entities.screening.coverage import Looked, coverage, gaps
from entities.screening.found import Hit
from entities.screening.index import ListIndex
from entities.screening.match_api import ask_match_api, is_set_up
from entities.screening.policy import Policy
from entities.screening.records import Entry, from_json
from entities.screening.scoring import ALGORITHM, compare
from entities.screening.subject import Subject

Outcome: TypeAlias = Literal["hits", "none", "unknown"]
MAX_HITS = 200  # of one subject; more says that the name says nothing
MAX_REMEMBERED = 5_000  # entries

_lock = threading.Lock()
_indexes: dict[tuple[int, ...], ListIndex] = {}
_remembered: dict[int, tuple[ListEntry, Entry]] = {}


@dataclass(frozen=True)
class Screened:
    """What came of screening a subject.

    ``outcome`` is hits; none, when every list of the policy was looked at and is current; else unknown, and ``reasons``
    say why. There is no "clear": a list is not all there is.
    """

    subject: Subject
    hits: tuple[Hit, ...]
    looked: tuple[Looked, ...]
    policy: Policy
    more: int = 0

    @property
    def reasons(self) -> list[str]:
        return gaps(self.looked)

    @property
    def outcome(self) -> Outcome:
        if self.hits:
            return "hits"
        return "unknown" if self.reasons else "none"

    def as_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "reasons": self.reasons,
            "subject": self.subject.as_json(),
            "hits": [hit.as_json() for hit in self.hits],
            "more_hits": self.more,
            "lists": [{**one.as_json(), "told": one.told} for one in self.looked],
            "policy": self.policy.as_values(),
            "algorithm": ALGORITHM,
        }


def current_policy() -> Policy:
    """The defaults with the newest version that a person entered."""
    row = ScreeningPolicy.objects.first()
    return Policy().with_values(row.values) if row else Policy()


def screen(subject: Subject, *, now: datetime | None = None) -> Screened:
    """Screen against every list that is imported, and ask the match API where one is set up."""
    policy, now = current_policy(), now or timezone.now()
    looked = coverage(policy, now)
    screened = screen_with(subject, policy=policy, looked=looked, index=index_of(looked))
    if not is_set_up():
        return screened
    give_connection_back()
    hits, asked = ask_match_api(subject, policy=policy, now=now)
    return replace(screened, hits=(*screened.hits, *hits), looked=(*screened.looked, asked))


def screen_with(subject: Subject, *, policy: Policy, looked: Sequence[Looked], index: ListIndex) -> Screened:
    """The same with what is the same for many subjects."""
    by_version = {one.version: one for one in looked if one.version}
    least = min(policy.person_threshold, policy.company_threshold)
    found = []
    for row, entry in _entries(index.candidates(subject, least)):
        likeness = compare(subject, entry)
        if likeness.score >= policy.threshold(entry.kind):
            found.append((row, entry, likeness))
    found.sort(key=lambda one: (-one[2].score, one[0].list_name, one[0].key))
    labels = {one.source: one for one in by_version.values()}
    hits = tuple(
        Hit(
            row.list_name,
            labels[row.list_name].label,
            entry,
            row.digest,
            likeness,
            labels[row.list_name].version,
        )
        for row, entry, likeness in found[:MAX_HITS]
        if row.list_name in labels
    )
    return Screened(subject, hits, tuple(looked), policy, max(0, len(found) - MAX_HITS))


def index_of(looked: Sequence[Looked]) -> ListIndex:
    """The index of the versions that are live, made once for each process and set of versions."""
    key = tuple(sorted(one.version for one in looked if one.version))
    with _lock:
        if key not in _indexes:
            _indexes.clear()
            _indexes[key] = ListIndex(_current_entries(key))
        return _indexes[key]


def _current_entries(versions: Sequence[int]) -> Iterator[tuple[int, Entry]]:
    names = ListVersion.objects.filter(pk__in=versions).values_list("list_name", flat=True)
    rows = ListEntry.objects.filter(list_name__in=list(names), until__isnull=True).order_by("pk")
    for pk, content in rows.values_list("pk", "content").iterator():
        yield pk, from_json(content)


def _entries(rows: Sequence[int]) -> list[tuple[ListEntry, Entry]]:
    """Entries by their rows, which never change what they say; those that are asked for often are remembered."""
    missing = [row for row in rows if row not in _remembered]
    if len(_remembered) + len(missing) > MAX_REMEMBERED:
        _remembered.clear()
        missing = list(rows)
    for row in ListEntry.objects.filter(pk__in=missing) if missing else ():
        _remembered[row.pk] = (row, from_json(row.content))
    return [_remembered[row] for row in rows if row in _remembered]
