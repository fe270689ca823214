"""How a new statement meets the current ones about the same fact. Statements in, statements out: no database.

Two statements that cannot both be true for the same days are either a sequence (the later beginning closes the earlier
period), a correction (the same source says something else for the same days), or a contradiction (another source does,
and a person has to decide). A period is cut as the books on SQL:2011 do it: the old row ends, what remains of it on the
left and on the right is recorded anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.utils.timezone import localdate

from entities.memory.facts import fact_of
from entities.models import FactProperty, Precision, Statement

DAY = timedelta(days=1)
CONTENT = [
    each.attname
    for each in Statement._meta.concrete_fields
    if each.name not in ("id", "superseded_by", "cut_by", "salt")
]


@dataclass
class Meeting:
    """``known`` says the same already; else ``ends`` are the statements that end, each with what remains of it."""

    known: Statement | None = None
    ends: list[tuple[Statement, list[Statement]]] = field(default_factory=list)


def meet(new: Statement, current: Sequence[Statement], today: date) -> Meeting:
    """Fit ``new`` among the current statements of the same fact. Its period and ``contradicts`` may be set."""
    mine = [old for old in current if _same_source(old, new)]
    known = next((old for old in mine if _says_already(old, new, today)), None)
    if known:
        return Meeting(known)
    _place(new, current, mine, today)
    meeting = Meeting()
    for old in sorted(current, key=lambda each: _sure(each)[0]):
        remains = _own(new, old) if old in mine else _others(new, old)
        if remains is not None:
            meeting.ends.append((old, remains))
    return meeting


def compatible(one: Statement, other: Statement) -> bool:
    """Both can be true on one day: the same value, and shares that overlap; a share that is not said fits any."""
    if one.value != other.value:
        return False
    if one.property == FactProperty.DETAIL and one.data != other.data:
        return False
    if one.share_low is None or other.share_low is None:
        return True
    low, high = sorted((one, other), key=lambda each: (each.share_low, each.share_high))
    if low.share_high is None or high.share_low is None:
        return True
    touching = low.share_high == high.share_low and not (low.share_high_open or high.share_low_open)
    return touching or low.share_high > high.share_low


def overlap(one: Statement, other: Statement) -> bool:
    """There are days for which both speak for certain."""
    (begin, end), (other_begin, other_end) = _sure(one), _sure(other)
    return begin < other_end and other_begin < end


def remainder(of: Statement, start: date | None, end: date | None, precision: str) -> Statement:
    """What remains of a statement for other days; ``precision`` is that of the new end, or of the new beginning."""
    rest = Statement(**{name: getattr(of, name) for name in CONTENT})
    if start != of.valid_from:
        rest.valid_from, rest.valid_from_precision = start, precision
    if end != of.valid_to:
        rest.valid_to, rest.valid_to_precision = end, precision
    return rest


def _same_source(one: Statement, other: Statement) -> bool:
    return (one.source_kind, one.source) == (other.source_kind, other.source)


def _says_already(old: Statement, new: Statement, today: date) -> bool:
    if fact_of(old).words() != fact_of(new).words():
        return False
    open_ended = old.valid_to is None or old.valid_to > today
    if new.valid_from is None and new.valid_to is None:
        return open_ended and (not new.as_of or not old.valid_from or old.valid_from <= new.as_of)
    return (new.valid_from, new.valid_to) == (old.valid_from, old.valid_to)


def _sure(statement: Statement) -> tuple[date, date]:
    """The days it speaks for with certainty: from its beginning, else the source's day, else when it was recorded."""
    end = statement.valid_to or date.max
    begin = statement.valid_from or statement.as_of or localdate(statement.recorded_from)
    if begin >= end:
        begin = statement.valid_from or end - DAY
    return begin, end


def _place(new: Statement, current: Sequence[Statement], mine: Sequence[Statement], today: date) -> None:
    """A beginning for a statement that came without one, where a boundary has to be drawn."""
    if new.valid_from is None and new.valid_to is not None:
        told = [
            old
            for old in current
            if compatible(old, new) and old.valid_from and old.valid_from < new.valid_to
        ]
        if told:
            first = min(told, key=lambda old: old.valid_from or date.max)
            new.valid_from, new.valid_from_precision = first.valid_from, first.valid_from_precision
    elif new.valid_from is None:
        day = new.as_of or today
        changed = [old for old in mine if not compatible(old, new) or (old.valid_to and old.valid_to <= day)]
        if changed and all(_sure(old)[0] < day for old in changed):
            new.valid_from, new.valid_from_precision = day, Precision.UNKNOWN


def _own(new: Statement, old: Statement) -> list[Statement] | None:
    """The same source says it anew: more exactly for the same days, or something else for some of them."""
    if not _touching(new, old):
        return None
    if compatible(new, old):
        if new.valid_from is None and new.valid_to is None:
            new.valid_from, new.valid_from_precision = old.valid_from, old.valid_from_precision
        return []
    return _begun(old) if _ends_before(new, old) else _portion(new, old)


def _others(new: Statement, old: Statement) -> list[Statement] | None:
    """Another source: a later beginning closes an earlier period, an end ends; else both stand, and may contradict."""
    if compatible(new, old):
        end = new.valid_to
        if end and old.valid_to is None and _sure(old)[0] < end and not (old.as_of and old.as_of >= end):
            return [remainder(old, old.valid_from, end, new.valid_to_precision)]
        return None
    if not overlap(new, old):
        return None
    if _ends_before(new, old):
        return _begun(old)
    begin = new.valid_from or new.as_of
    if begin and begin > _sure(old)[0] and not (old.as_of and old.as_of >= begin):
        if new.valid_from is None:
            new.valid_from, new.valid_from_precision = begin, Precision.UNKNOWN
        return _portion(new, old)
    new.contradicts = old
    return None


def _touching(new: Statement, old: Statement) -> bool:
    new_begin, old_begin = new.valid_from or date.min, old.valid_from or date.min
    return new_begin < (old.valid_to or date.max) and old_begin < (new.valid_to or date.max)


def _ends_before(new: Statement, old: Statement) -> bool:
    """Whether it came to be known late, of a time before the old statement begins: then it ends where that begins."""
    begin, mine = old.valid_from or old.as_of, new.valid_from or new.as_of
    if not (begin and mine) or mine >= begin or new.valid_to or (new.as_of and new.as_of >= begin):
        return False
    exact = old.valid_from_precision if old.valid_from else Precision.UNKNOWN
    new.valid_to, new.valid_to_precision = begin, exact
    return True


def _begun(old: Statement) -> list[Statement] | None:
    """The old statement beginning on the day for which its source speaks, unless it has a beginning."""
    if old.valid_from:
        return None
    return [remainder(old, old.as_of, old.valid_to, Precision.UNKNOWN)]


def _portion(new: Statement, old: Statement) -> list[Statement]:
    """The old statement without the days of the new one."""
    remains = []
    if new.valid_from and (old.valid_from is None or old.valid_from < new.valid_from):
        remains.append(remainder(old, old.valid_from, new.valid_from, new.valid_from_precision))
    if new.valid_to and (old.valid_to is None or old.valid_to > new.valid_to):
        remains.append(remainder(old, new.valid_to, old.valid_to, new.valid_to_precision))
    return remains
