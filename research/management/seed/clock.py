"""Another day, for the process that tells the example: what it does stands where it would have happened."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo

from django.utils import timezone


@contextmanager
def days_ago(days: float) -> Iterator[None]:
    """Within it Django's clock is slow by so many days, in every thread; it goes on ticking."""
    late = timedelta(days=days)

    class Then(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = UTC) -> datetime:  # type: ignore[override]
            return datetime.now(tz) - late

    # models have bound ``timezone.now`` as a default long ago, so what it reads is changed and not the function
    timezone.datetime, before = Then, timezone.datetime  # type: ignore[attr-defined]
    try:
        yield
    finally:
        timezone.datetime = before  # type: ignore[attr-defined]
