"""Where works are cited: written by whoever has stored a text, read by the page of a citation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from citations.models import Citation, CitationUse
from citations.services.verification import Key, keep
from citations.verify.judgement import OPEN, Judgement, Standing
from common.text import storable_text
from common.transactions import retried

_BATCH = 400


@dataclass(frozen=True, slots=True)
class Cited:
    """A judged citation and the place (RFC 6901) of the text that it stands in."""

    pointer: str
    judgement: Judgement


@retried
def record_uses(*, label: str, reference: str, cited: Sequence[Cited], now: datetime | None = None) -> int:
    """Remember what a text cites, and what is known of it; how many places are new. The same again changes nothing."""
    now = now or timezone.now()
    named = [one for one in cited if one.judgement.mention.normalized]
    works = {_key(one): one.judgement.standing for one in named if len(_key(one)[1]) <= 300}
    with transaction.atomic():
        keep(_news(works), now=now)
        rows = _rows(works)
        uses = [_use(one, rows[_key(one)], label, reference, now) for one in named if _key(one) in rows]
        before = CitationUse.objects.filter(label=label, reference=reference).count()
        CitationUse.objects.bulk_create(uses, batch_size=_BATCH, ignore_conflicts=True)
        return CitationUse.objects.filter(label=label, reference=reference).count() - before


def _key(cited: Cited) -> Key:
    mention = cited.judgement.mention
    return mention.kind, storable_text(mention.normalized or "")


def _news(works: dict[Key, Standing]) -> dict[Key, Standing]:
    """What is not yet written down as it is, and does not put a guess in the place of an answer."""
    known = _rows(works)
    return {
        key: standing
        for key, standing in works.items()
        if key not in known
        or (known[key].expires_at is None and standing.verdict != known[key].verdict)
        or (known[key].verdict in OPEN and standing.verdict not in OPEN)
    }


def _rows(works: dict[Key, Standing]) -> dict[Key, Citation]:
    names = sorted({name for _, name in works})
    found: dict[Key, Citation] = {}
    for start in range(0, len(names), _BATCH):
        rows = Citation.objects.filter(key__in=names[start : start + _BATCH])
        found |= {(row.kind, row.key): row for row in rows if (row.kind, row.key) in works}
    return found


def _use(cited: Cited, row: Citation, label: str, reference: str, now: datetime) -> CitationUse:
    mention = cited.judgement.mention
    return CitationUse(
        citation=row,
        label=label,
        reference=reference,
        pointer=storable_text(cited.pointer)[:500],
        start=mention.start,
        end=mention.end,
        raw=storable_text(mention.raw)[:500],
        pinpoints=mention.pinpoints,
        at=now,
    )
