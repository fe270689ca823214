"""Drafts: what a person has typed on a page is kept until they send it, decide, discard it or leave it for long.

A log-in that has expired, a crash of the browser or a restart of the server then costs nothing.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from research.errors import DraftNotKept
from research.jsontext import MAX_BYTES, canonical_json, storable_text
from research.models import Draft, ResearchResult
from research.services.access import Person, require_decider

KEPT = timedelta(days=90)
MAX_DRAFTS = 200  # of one person


def drafts_of(*, about: ResearchResult | str, person: Person) -> QuerySet[Draft]:
    """The drafts of the person about a result, or on the page of an address; the newest first."""
    page = about if isinstance(about, str) else f"result:{about.pk}"
    return Draft.objects.filter(person_id=person.pk, page=page)


def keep_draft(
    *,
    about: ResearchResult | str,
    person: Person,
    digest: str,
    typed: Mapping[str, str | list[str]],
    revision: int,
    window: str = "",
    now: datetime | None = None,
) -> int:
    """Keep what was typed and return its revision; 0 is no draft, which is also what an empty form leaves.

    ``digest`` is that of the data which the page showed, or of where its form is sent to. ``revision`` is that of the
    draft which the form goes on from, ``window`` names the page that it stands in.

    Raises:
        DraftNotKept: another window has saved the draft meanwhile, it is too large, or there are too many.
    """
    if isinstance(about, ResearchResult):
        require_decider(person, about)
    now = now or timezone.now()
    Draft.objects.filter(saved_at__lt=now - KEPT).delete()
    mine = drafts_of(about=about, person=person).filter(digest=digest)
    own = mine.filter(Q(revision=revision) | Q(window=window[:16]))
    if not typed:
        own.delete()
        return _refuse_other(mine.first())
    kept = {
        storable_text(name): storable_text(one)
        if isinstance(one, str)
        else [storable_text(text) for text in one]
        for name, one in typed.items()
    }
    if len(canonical_json(kept)) > MAX_BYTES:
        raise DraftNotKept("Your edits are too long to be kept as a draft.")
    if own.update(typed=kept, revision=F("revision") + 1, window=window[:16], saved_at=now):
        return mine.get().revision
    _refuse_other(mine.first())
    if Draft.objects.filter(person_id=person.pk).count() >= MAX_DRAFTS:
        raise DraftNotKept(f"You have {MAX_DRAFTS} drafts: decide about some of them, or discard them.")
    try:
        with transaction.atomic():
            draft = Draft.objects.create(
                person_id=person.pk,
                page=about if isinstance(about, str) else f"result:{about.pk}",
                digest=digest,
                typed=kept,
                window=window[:16],
                saved_at=now,
            )
    except IntegrityError:
        return _refuse_other(mine.first())
    return draft.revision


def discard_drafts(*, about: ResearchResult | str, person: Person, digest: str | None = None) -> None:
    """Throw away what the person has typed about a result or on a page, or into one of its forms."""
    drafts = drafts_of(about=about, person=person)
    (drafts if digest is None else drafts.filter(digest=digest)).delete()


def _refuse_other(draft: Draft | None) -> int:
    if draft is None:
        return 0
    raise DraftNotKept(
        "Another window of yours has kept other edits of this result "
        f"({draft.saved_at:%Y-%m-%d %H:%M} UTC). The edits in this window are not kept.",
        revision=draft.revision,
    )
