"""Memos that take long to set: a worker writes them, and whoever asked asks again until there is one.

The row is the truth and the broker a doorbell. Nothing sweeps after it: an order that no worker takes up in time is
carried out by whoever asks next, so it works without a worker too, and one that nobody asks for again needs nobody.
"""

import hashlib
import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from research.doorbell import ring_on_commit
from research.errors import DossierError, FormatUnavailable
from research.memo.pdf import page_of, takes_long
from research.models import Memo, MemoOrder, ResearchResult
from research.models.memo import MemoFormat, MemoStyle
from research.models.states import MemoOrderState
from research.services.access import Person
from research.services.memos import Draft, compose_memo, draft_memo, write_draft

log = logging.getLogger(__name__)

PATIENCE = timedelta(seconds=10)  # how long an order waits for a worker
LEFT = timedelta(minutes=5)  # setting takes a minute at most: who has been at it for longer is gone
BROKEN = "The memo could not be set; the log of the server says why."


def request_memo(
    *,
    result: ResearchResult,
    style: str = "",
    format: str = "",
    language: str = "en",
    template: str = "",
    actor: Person | None = None,
) -> Memo | MemoOrder:
    """The memo that ``compose_memo`` would write, or the order for it while a worker sets it.

    Raises:
        InvalidParameters, FormatUnavailable: as ``compose_memo``; the latter also when setting it has failed.
    """
    draft = draft_memo(result=result, style=style, format=format, language=language, template=template)
    page = (
        page_of(draft.document()) if draft.format == MemoFormat.PDF and draft.style != MemoStyle.JSON else ""
    )
    if not takes_long(page):
        return write_draft(draft, actor=actor)
    now = timezone.now()
    order = _ordered(draft, page, actor, now)
    if _is_left(order, now):
        carry_out(order.pk, now=now)
        order.refresh_from_db()
    if order.state == MemoOrderState.FAILED:
        raise FormatUnavailable(order.error)
    return order.memo or order


def carry_out(pk: int, *, now: datetime | None = None) -> None:
    """Write what was ordered, unless somebody else is at it. What goes wrong stands in the order."""
    now = now or timezone.now()
    free = Q(state=MemoOrderState.QUEUED) | Q(state=MemoOrderState.RUNNING, begun_at__lt=now - LEFT)
    if not MemoOrder.objects.filter(free, pk=pk).update(state=MemoOrderState.RUNNING, begun_at=now):
        return
    order = MemoOrder.objects.select_related("result__run", "asked_by").get(pk=pk)
    memo, error = _written(order)
    state = MemoOrderState.WRITTEN if memo else MemoOrderState.FAILED
    MemoOrder.objects.filter(pk=pk, state=MemoOrderState.RUNNING, begun_at=now).update(
        state=state, memo=memo, error=error[:500]
    )


def _written(order: MemoOrder) -> tuple[Memo | None, str]:
    options = {"style": order.style, "language": order.language, "template": order.template}
    try:
        return compose_memo(result=order.result, format=MemoFormat.PDF, actor=order.asked_by, **options), ""
    except DossierError as error:
        return None, str(error)
    except Exception:
        log.exception("the memo of order %d could not be set", order.pk)
        return None, BROKEN


def _ordered(draft: Draft, page: str, actor: Person | None, now: datetime) -> MemoOrder:
    """The order for this page: as it stands, a new one, or one that failed a while ago, queued again."""
    with transaction.atomic():
        order, new = MemoOrder.objects.get_or_create(
            result=draft.result,
            style=draft.style,
            language=draft.labels.language,
            template=draft.template.name,
            content=hashlib.sha256(f"{draft.template.digest}\n{page}".encode(errors="replace")).hexdigest(),
            defaults={"asked_by_id": actor.pk if actor else None, "asked_at": now},
        )
        failed = MemoOrder.objects.filter(pk=order.pk, state=MemoOrderState.FAILED, begun_at__lt=now - LEFT)
        if failed.update(state=MemoOrderState.QUEUED, asked_at=now):
            order.refresh_from_db()
            new = True
        if new:
            ring_on_commit("set_memo", order.pk)
    return order


def _is_left(order: MemoOrder, now: datetime) -> bool:
    """Whether no worker has begun in time, or the one that did is gone."""
    if order.state == MemoOrderState.QUEUED:
        return order.asked_at <= now - PATIENCE
    return order.state == MemoOrderState.RUNNING and (order.begun_at or now) < now - LEFT
