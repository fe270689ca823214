"""How many citations a person may have read: a leaky bucket of one minute's allowance, in the database of all workers.

What a text holds is known only when it was read, so a request that overshoots passes and the next one waits (the
generic cell rate algorithm, ITU-T I.371, with a request as a burst).
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from citations.models import CitationAllowance

WINDOW = timedelta(minutes=1)
MAX_AHEAD = timedelta(hours=1)  # the longest that one text can keep its person waiting
_TRIES = 5


def free_at(*, person: User, now: datetime) -> datetime:
    """From when on the person may go on; not after ``now`` when they may at once."""
    row = CitationAllowance.objects.filter(person=person).first()
    if row is None or settings.CITATIONS_PER_MINUTE <= 0:
        return now
    return max(now, row.due_at - WINDOW)


def charge(*, person: User, count: int, now: datetime) -> None:
    """Count what was read. Two requests at once are both counted: the row changes only where it is as it was read."""
    if count < 1 or settings.CITATIONS_PER_MINUTE <= 0:
        return
    cost = WINDOW / settings.CITATIONS_PER_MINUTE * count
    for _ in range(_TRIES):
        row = CitationAllowance.objects.filter(person=person).first()
        if row is None:
            if _began(person, min(now + cost, now + WINDOW + MAX_AHEAD)):
                return
            continue
        due = min(max(row.due_at, now) + cost, now + WINDOW + MAX_AHEAD)
        if CitationAllowance.objects.filter(pk=row.pk, due_at=row.due_at).update(due_at=due):
            return


def _began(person: User, due: datetime) -> bool:
    try:
        with transaction.atomic():
            CitationAllowance.objects.create(person=person, due_at=due)
    except IntegrityError:
        return False
    return True
