"""Which runs are taken up next: the same statement on both databases.

Each person has turns: the first of everybody comes before the second of anybody, and what already runs for somebody
counts as turns that they have had. Among the runs of one person the same holds for families, so a single question does
not wait behind a batch of five hundred; what was begun comes before what is new. What nobody asked for (a schedule)
has every fourth turn.
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from research.models.states import Depth, RunState, Trigger

_TURNS = f"""
WITH waiting AS (
  SELECT id, COALESCE(requested_by_id, 0) AS person, COALESCE(parent_id, id) AS family, created_at,
    CASE WHEN depth = '{Depth.DEEP}' THEN 1 ELSE 0 END AS long,
    CASE WHEN "trigger" = '{Trigger.SCHEDULE}' THEN 4 ELSE 1 END AS weight,
    CASE WHEN started_at IS NULL THEN 1 ELSE 0 END AS new
  FROM research_run
  WHERE state = '{RunState.QUEUED}' OR (state = '{RunState.RUNNING}' AND lease_until < %s)
), busy AS (
  SELECT COALESCE(requested_by_id, 0) AS person, COALESCE(parent_id, id) AS family, COUNT(*) AS runs
  FROM research_run WHERE state = '{RunState.RUNNING}' AND lease_until >= %s GROUP BY 1, 2
), in_families AS (
  SELECT waiting.*, COALESCE(busy.runs, 0) + ROW_NUMBER() OVER (
    PARTITION BY waiting.person, waiting.family ORDER BY new, created_at) AS place
  FROM waiting LEFT JOIN busy ON busy.person = waiting.person AND busy.family = waiting.family
), turns AS (
  SELECT in_families.*, COALESCE(had.runs, 0) + ROW_NUMBER() OVER (
    PARTITION BY in_families.person ORDER BY new, place, long, created_at) AS turn
  FROM in_families
  LEFT JOIN (SELECT person, SUM(runs) AS runs FROM busy GROUP BY person) AS had ON had.person = in_families.person
)
SELECT id, person, long FROM turns ORDER BY turn * weight, created_at, id LIMIT %s"""  # noqa: S608 - words of ours


class Turn(NamedTuple):
    """A run that is to be taken up; ``person`` is 0 for the machine itself."""

    run_id: UUID
    person: int
    long: bool


def next_turns(now: datetime, limit: int) -> list[Turn]:
    """The runs that are queued, or were left by a worker that died, in the order in which they are to be taken up."""
    moment = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(_TURNS, [moment, moment, limit])
        return [Turn(UUID(str(key)), int(person), bool(long)) for key, person, long in cursor.fetchall()]
