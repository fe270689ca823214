"""Answers of GLEIF's API are kept for some hours, so that the same LEIs are not asked for again and again.

Only what the API really answered is kept: absence, time-outs and refusals never are.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from entities.gleif.records import JsonObject, Record
from entities.models import LeiRecord, RegisterName

MAX_NAME = 20_000
_UPDATED = (
    "legal_name",
    "jurisdiction",
    "category",
    "entity_status",
    "registration_status",
    "next_renewal",
    "successor",
    "attributes",
    "register",
    "as_of",
    "fetched_at",
    "expires_at",
)


class RecordCache:
    """Records of the API in ``LeiRecord``, with the moment until which they stand for an answer."""

    def __init__(self, keep: timedelta) -> None:
        self._keep = keep

    def recall(self, leis: Collection[str]) -> dict[str, tuple[JsonObject, str]]:
        """(attributes, publish date) of those that are known and not expired."""
        known = LeiRecord.objects.filter(
            pk__in=list(leis), register=RegisterName.GLEIF, expires_at__gt=timezone.now()
        )
        return {
            lei: (attributes, as_of)
            for lei, attributes, as_of in known.values_list("pk", "attributes", "as_of")
        }

    def keep(self, records: Collection[Record], as_of: str) -> None:
        """Keep answers; imported records are never written over. A database that refuses costs only the cache."""
        fresh = {record.lei: record for record in records}
        with suppress(DatabaseError), transaction.atomic():
            for lei in LeiRecord.objects.filter(pk__in=list(fresh), register=RegisterName.LOCAL).values_list(
                "pk", flat=True
            ):
                del fresh[lei]
            LeiRecord.objects.bulk_create(
                [self._row(fresh[lei], as_of) for lei in sorted(fresh)],
                update_conflicts=True,
                unique_fields=["lei"],
                update_fields=_UPDATED,
            )

    def _row(self, record: Record, as_of: str) -> LeiRecord:
        now = timezone.now()
        return LeiRecord(
            **record_fields(record),
            register=RegisterName.GLEIF,
            as_of=as_of,
            fetched_at=now,
            expires_at=now + self._keep,
        )


def configured() -> RecordCache | None:
    """As the settings want it; None when nothing is to be kept."""
    return (
        RecordCache(timedelta(hours=settings.GLEIF_CACHE_HOURS)) if settings.GLEIF_CACHE_HOURS > 0 else None
    )


def record_fields(record: Record) -> dict[str, Any]:
    """What ``LeiRecord`` keeps of a record, within the lengths of its columns."""
    return {
        "lei": record.lei,
        "legal_name": record.legal_name[:MAX_NAME],
        "jurisdiction": record.jurisdiction[:10],
        "category": record.category[:40],
        "entity_status": record.entity_status[:20],
        "registration_status": record.registration_status[:30],
        "next_renewal": record.next_renewal,
        "successor": next((one.lei for one in record.successors if one.lei), "")[:20],
        "attributes": record.attributes,
    }
