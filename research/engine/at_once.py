"""One write of the journal as one statement, which is a transaction by itself: a fifth of the trips of its parts.

PostgreSQL only, and for runs that keep their own account; elsewhere the journal does the same in a transaction of
several statements. ``asked`` locks the run as it is now, ``verdict`` says whether what is added may be added, ``held``
renews the lease and books. Whatever follows joins ``held``, so without the lease nothing is written. The steps travel
as JSON, so that the text of the statement is always the same one.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import connection

from research.models import Step

_WRITE = """
WITH asked AS (
  SELECT id, cancel_requested AS stop,
    %(reserve)s = 0 OR budget_usd IS NULL
      OR reserved_usd + spent_usd + lost_usd + %(due)s + %(reserve)s <= budget_usd AS fits
  FROM research_run WHERE id = %(run)s AND fence = %(fence)s AND state = 'running' FOR UPDATE
), verdict AS (
  SELECT id, stop, fits, fits AND %(in_time)s AND NOT (stop AND %(calls)s) AS goes FROM asked
), held AS (
  UPDATE research_run AS run SET lease_until = %(until)s,
    reserved_usd = reserved_usd + %(due_reserved)s + CASE WHEN goes THEN %(reserve)s ELSE 0 END,
    spent_usd = spent_usd + %(due_spent)s, lost_usd = lost_usd + %(due_lost)s
  FROM verdict WHERE run.id = verdict.id RETURNING run.id, stop, fits, goes
), filled AS (
  UPDATE research_step SET answer = given.answer, raw = given.raw, usage = given.usage,
    reserved_usd = given.reserved_usd, cost_usd = given.cost_usd,
    lost_usd = given.lost_usd, attempt = given.attempt, fence = given.fence, answered_at = given.answered_at
  FROM held, json_to_recordset(%(filled)s::json) AS given(seq int, answer jsonb, raw jsonb, usage jsonb,
    reserved_usd numeric, cost_usd numeric, lost_usd numeric, attempt int, fence int, answered_at timestamptz,
    repeated bool)
  WHERE run_id = held.id AND research_step.seq = given.seq AND (goes OR NOT given.repeated)
), added AS (
  INSERT INTO research_step (run_id, seq, kind, name, intent, answer, raw, usage, reserved_usd, cost_usd, lost_usd,
    attempt, fence, answered_at, started_at)
  SELECT held.id, given.* FROM held, json_to_recordset(%(added)s::json) AS given(seq int, kind text, name text,
    intent jsonb, answer jsonb, raw jsonb, usage jsonb, reserved_usd numeric, cost_usd numeric, lost_usd numeric,
    attempt int, fence int, answered_at timestamptz, started_at timestamptz)
  WHERE goes
)
SELECT stop, fits FROM held"""


@dataclass(frozen=True)
class Account:
    """What is due by now, in US dollars, and what is to be reserved if it fits the budget."""

    reserved: Decimal
    spent: Decimal
    lost: Decimal
    reserve: Decimal


def write(
    run_id: UUID,
    fence: int,
    until: datetime,
    *,
    filled: Sequence[Step],
    added: Sequence[Step],
    repeated: Sequence[Step],
    account: Account,
    in_time: bool,
    calls: bool,
) -> tuple[bool, bool] | None:
    """Whether somebody wants the run to stop and whether the reserve fits its budget; None when the lease is lost.

    ``added`` is only added, and ``repeated`` only written, in time, within the budget, and, when there are ``calls`` in
    it, if nobody wants a stop.
    """
    values: dict[str, Any] = {
        "run": run_id,
        "fence": fence,
        "until": until,
        "in_time": in_time,
        "calls": calls,
        "reserve": account.reserve,
        "due": account.reserved + account.spent + account.lost,
        "due_reserved": account.reserved,
        "due_spent": account.spent,
        "due_lost": account.lost,
        "filled": _json(
            [
                *(_row(step, repeated=False) for step in filled),
                *(_row(step, repeated=True) for step in repeated),
            ]
        ),
        "added": _json([_row(step, repeated=False) for step in added]),
    }
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, values)
        row: tuple[bool, bool] | None = cursor.fetchone()
        return row


def _json(rows: Sequence[dict[str, Any]]) -> str:
    return json.dumps(rows, ensure_ascii=False) if rows else "[]"


def _row(step: Step, *, repeated: bool) -> dict[str, Any]:
    return {
        "repeated": repeated,
        "seq": step.seq,
        "kind": step.kind,
        "name": step.name,
        "intent": step.intent,
        "answer": step.answer,
        "raw": step.raw,
        "usage": step.usage,
        "reserved_usd": str(step.reserved_usd),
        "cost_usd": str(step.cost_usd),
        "lost_usd": str(step.lost_usd),
        "attempt": step.attempt,
        "fence": step.fence,
        "started_at": step.started_at.isoformat(),
        "answered_at": step.answered_at and step.answered_at.isoformat(),
    }
