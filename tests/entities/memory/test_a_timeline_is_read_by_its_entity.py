"""A timeline is put together from the events of its entity, however many events of others there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from entities.memory.queries import timeline_of
from entities.models import EntityEvent
from tests.factories import EntityFactory
from tests.plans import rows_read

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite does not tell what it has read"),
]


def happen(entity, count):
    now = timezone.now()
    rows = [EntityEvent(entity=entity, at=now, type="note", summary=f"Event {n}") for n in range(count)]
    return EntityEvent.objects.bulk_create(rows)


def test_it_reads_what_happened_to_it_and_where_it_is_mentioned():
    entity, other = EntityFactory(), EntityFactory()
    happen(entity, 3)
    mentioned, *_ = happen(other, 1_000)
    mentioned.related.add(entity)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE entities_entityevent, entities_entityevent_related")
        # so few rows would be read as a whole, and rightly so
        for other in ("seqscan", "hashjoin", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{other} = off")
    with CaptureQueriesContext(connection) as asked:
        assert len(timeline_of(entity)) == 4
    (query,) = asked
    assert rows_read(query["sql"]) < 50
