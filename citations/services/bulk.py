"""Verifying many citations at the pace of their sources: the row is the truth, the broker only a doorbell.

A worker that dies leaves its place in ``done``; whoever is rung for next goes on from there.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from celery import current_app
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from citations.extract import extract
from citations.mention import Mention
from citations.models import BulkState, BulkVerification, Citation
from citations.services.authorities import act_table, lists
from citations.services.questions import source_of
from citations.services.verification import keep, look_up
from citations.verify.judge import Lists, local_standing
from citations.verify.judgement import OPEN
from common.outside.faults import SourceFault
from common.transactions import retried

log = logging.getLogger(__name__)

TASK = "citations.tasks.verify_bulk"
LEFT = timedelta(
    minutes=5
)  # a citation takes a minute at most: who has not been heard of for so long is gone
MOST = 10_000


@retried
def verify_again(*, citations: Iterable[Citation], asked_by: User | None = None) -> BulkVerification:
    """Have citations verified in the background; at most MOST at a time."""
    chosen = list(citations)[:MOST]
    with transaction.atomic():
        bulk = BulkVerification.objects.create(asked_by=asked_by, total=len(chosen))
        bulk.citations.set(chosen)
        transaction.on_commit(partial(_ring, bulk.pk))
    return bulk


def run_bulk(pk: int, *, now: datetime | None = None) -> int:
    """Verify what is left, unless another worker is at it; how many were verified. Trouble is noted and passed over."""
    begun = now or timezone.now()
    waiting = Q(state=BulkState.QUEUED) | Q(state=BulkState.RUNNING, alive_at__lt=begun - LEFT)
    mine = BulkVerification.objects.filter(waiting, pk=pk)
    if not mine.update(state=BulkState.RUNNING, alive_at=begun):
        return 0
    bulk = BulkVerification.objects.get(pk=pk)
    verified = 0
    for chosen in list(bulk.citations.order_by("pk").values_list("pk", flat=True)[bulk.done :]):
        trouble = verify_one(Citation.objects.get(pk=chosen), now=now or timezone.now())
        _step(pk, trouble, now or timezone.now())
        verified += not trouble
    BulkVerification.objects.filter(pk=pk).update(state=BulkState.FINISHED, finished_at=now or timezone.now())
    return verified


def _step(pk: int, trouble: str, now: datetime) -> None:
    row = BulkVerification.objects.filter(pk=pk)
    row.update(done=F("done") + 1, alive_at=now, **({"trouble": trouble[:300]} if trouble else {}))


def verify_one(citation: Citation, *, now: datetime) -> str:
    """Verify a work by the lists at hand and by its source; the trouble of its source, or an empty text."""
    hand = lists(today=timezone.localdate(now))
    local = local_standing(mention_of(citation, hand), hand)
    key = (citation.kind, citation.key)
    if local.verdict not in OPEN or not source_of(citation.kind):
        keep({key: local}, now=now)
        return ""
    try:
        look_up(key, now=now)
    except SourceFault as trouble:
        return f"{citation.key}: {trouble.message}"
    return ""


def mention_of(citation: Citation, hand: Lists) -> Mention:
    """A work read back from its canonical form."""
    for mention in extract(citation.key, acts=act_table()):
        if (mention.kind, mention.normalized) == (citation.kind, citation.key):
            return mention
    return Mention(citation.key, 0, len(citation.key), citation.kind, citation.key)


def sweep_bulk(*, now: datetime | None = None) -> int:
    """Ring again for what nobody has begun, or whose worker is gone; how many."""
    now = now or timezone.now()
    lost = Q(state=BulkState.QUEUED, created_at__lt=now - LEFT)
    left = Q(state=BulkState.RUNNING, alive_at__lt=now - LEFT)
    found = list(BulkVerification.objects.filter(lost | left).values_list("pk", flat=True))
    for pk in found:
        _ring(pk)
    return len(found)


def _ring(pk: int) -> None:
    try:
        current_app.send_task(TASK, args=[pk], retry=False)
    except (OperationalError, OSError) as error:
        log.warning("the broker did not take %s(%d) (%s); the sweep will ring again", TASK, pk, error)
