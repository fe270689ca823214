"""Walks in the database: whose they are, which view is the current one, and until when they last.

The next token is taken by one conditional UPDATE before anything is done: of two callers with the same token one goes
on, and a worker that dies in between leaves a token without a view, which is how the next caller knows.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from research.browsing.menu import arrange
from research.browsing.view import Seen
from research.errors import WalkRefused
from research.jsontext import storable_json, storable_text
from research.models import Document, Walk, WalkView
from research.models.states import OPEN_RUN_STATES
from research.web.archive.store import keep

MAX_HISTORY = 200
MAX_NOTES = 20
NOTHING_OPEN = "Nothing is open yet. Call research_open with an address."


@dataclass(frozen=True)
class Owner:
    """Whose walks they are: a run's, a person's, or neither's (a command line keeps the id of its own)."""

    run_id: UUID | None = None
    person_id: int | None = None

    @property
    def walks(self) -> QuerySet[Walk]:
        return Walk.objects.filter(Q(run=self.run_id), Q(person=self.person_id))


def begin_walk(owner: Owner) -> Walk:
    return Walk.objects.create(run_id=owner.run_id, person_id=owner.person_id)


def find_walk(owner: Owner, key: str | None) -> Walk | None:
    """The walk with this id, or the one that was used last.

    Raises:
        WalkRefused: ``unknown_session``, ``ended_session``.
    """
    end_walks()
    if not key:
        known = owner.run_id or owner.person_id
        return owner.walks.filter(ended_at=None).order_by("-used_at").first() if known else None
    try:
        walk = owner.walks.filter(pk=key).first()
    except (ValidationError, ValueError):
        walk = None
    if walk is None:
        message = (
            "There is no session of yours with this id. Call research_open without sessionId for a new one."
        )
        raise WalkRefused("unknown_session", message)
    if walk.ended_at:
        message = (
            f"This session ended at {walk.ended_at:%Y-%m-%d %H:%M} UTC. Call research_open for a new one."
        )
        raise WalkRefused("ended_session", message)
    return walk


def end_walks() -> int:
    """End the walks that nobody used for long, and those of runs that are over; returns how many."""
    now = timezone.now()
    idle = Q(run=None, used_at__lt=now - timedelta(minutes=settings.DOSSIER_BROWSE_IDLE_MINUTES))
    over = Q(run__isnull=False) & ~Q(run__state__in=OPEN_RUN_STATES)
    ended = Walk.objects.filter(idle | over, ended_at=None).values("pk")
    return Walk.objects.filter(pk__in=list(ended.values_list("pk", flat=True)), ended_at=None).update(
        ended_at=now
    )


def current_view(walk: Walk) -> WalkView | None:
    """None before the first view, and after a worker died on the way to one."""
    return WalkView.objects.select_related("document").filter(walk=walk, number=walk.number).first()


def require_token(walk: Walk, token: str) -> None:
    """Raises WalkRefused: the token is not that of the current view."""
    if token != walk.token:
        raise stale(walk, token)


def stale(walk: Walk, token: str) -> WalkRefused:
    now = Walk.objects.values_list("number", flat=True).get(pk=walk.pk)
    current = f"v{now}"
    message = (
        f"The view {token[:20]!r} is not the current one any more; that is {current}. Nothing was chosen. Call "
        "research_menu to see what can be chosen now."
    )
    return WalkRefused("stale_view_token", message, given=token[:20], current=current)


def take_number(walk: Walk) -> int:
    """Take the next token. Raises WalkRefused when another call was first."""
    free = Walk.objects.filter(pk=walk.pk, number=walk.number, ended_at=None)
    if not free.update(number=walk.number + 1, used_at=timezone.now()):
        raise stale(walk, walk.token)
    walk.number += 1
    return walk.number


def give_number_back(walk: Walk) -> None:
    """Nothing came of it: the view before stays the current one."""
    number = walk.number
    if Walk.objects.filter(pk=walk.pk, number=number).update(number=number - 1):
        walk.number = number - 1


def record_view(walk: Walk, seen: Seen, *, act: str, chosen: str = "") -> WalkView:
    """Archive the text of a view under the token that was taken, and note where the walk stands now."""
    document = archived(seen)
    with transaction.atomic():
        row = WalkView.objects.create(
            walk=walk,
            number=walk.number,
            act=act,
            chosen=storable_text(chosen)[:300],
            url=storable_text(seen.url)[:2000],
            title=storable_text(seen.title)[:500],
            engine=seen.engine,
            document=document,
            items=storable_json(_numbered(seen)),
            forms=storable_json(list(seen.forms)),
            links=[link for link in seen.links if len(link) <= 2_000],
            notes=storable_json([*seen.notes][:MAX_NOTES]),
            screenshot=seen.screenshot,
        )
        kept = {
            "engine": seen.engine,
            "history": walk.history,
            "position": walk.position,
            "depths": walk.depths,
        }
        Walk.objects.filter(pk=walk.pk).update(**kept, used_at=timezone.now())
    walk.engine = seen.engine
    return row


def archived(seen: Seen) -> Document | None:
    """The text of a view as a document, which quotes are checked against; None of a page without any text."""
    if not seen.text:
        return None
    return keep(
        text=seen.text,
        url=seen.url,
        title=seen.title,
        mime=seen.mime,
        language=seen.language,
        warnings=seen.warnings,
        fetched_at=timezone.now(),
    )


def _numbered(seen: Seen) -> list[dict[str, object]]:
    items = list(seen.items)
    return items if items and "id" in items[0] else arrange(items, seen.url)


def enter_history(walk: Walk, url: str, *, depth: int) -> None:
    """Stand at a new address; what lay ahead is forgotten."""
    if walk.address != url:
        walk.history = [*walk.history[: walk.position + 1], url][-MAX_HISTORY:]
        walk.position = len(walk.history) - 1
    walk.depths = {**walk.depths, url: min(depth, walk.depths.get(url, depth))}
