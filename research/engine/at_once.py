"""What a run writes, each time as one statement, which is a transaction by itself: a fifth of the trips of its parts.

PostgreSQL only; elsewhere the same is done in a transaction of several statements. A write of the journal is for runs
that keep their own account. ``asked`` locks the run as it is now, ``held`` says whether what is added may be added,
renews the lease and books. Whatever follows joins ``held``, so without the lease nothing is written. All values travel
as one JSON text: so the statement is always the same, and the driver has one value to convert.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any
from uuid import UUID

from django.db import models

from research import prepared, rows
from research.jsontext import JsonObject, compact_json
from research.models import Macro, Run, Step

_WRITE = """
WITH given AS (
  SELECT * FROM json_to_record(%s::json) AS given(run uuid, fence int, until timestamptz, in_time bool, calls bool,
    reserve numeric, reserved numeric, spent numeric, lost numeric, filled json, added json)
), asked AS (
  SELECT id, cancel_requested AS stop, given.*, given.reserve = 0 OR budget_usd IS NULL
    OR reserved_usd + spent_usd + lost_usd + reserved + spent + lost + reserve <= budget_usd AS fits
  FROM research_run JOIN given ON id = run AND research_run.fence = given.fence WHERE state = 'running'
  FOR UPDATE OF research_run
), held AS (
  UPDATE research_run SET lease_until = until,
    reserved_usd = reserved_usd + reserved + CASE WHEN goes THEN reserve ELSE 0 END,
    spent_usd = spent_usd + spent, lost_usd = lost_usd + lost
  FROM (SELECT *, fits AND in_time AND NOT (stop AND calls) AS goes FROM asked) AS verdict
  WHERE research_run.id = verdict.id RETURNING verdict.*
), filled AS (
  UPDATE research_step SET answer = one.answer, raw = one.raw, usage = one.usage, reserved_usd = one.reserved_usd,
    cost_usd = one.cost_usd, lost_usd = one.lost_usd, attempt = one.attempt, fence = one.fence,
    answered_at = one.answered_at
  FROM held, json_to_recordset(held.filled) AS one(seq int, answer jsonb, raw jsonb, usage jsonb,
    reserved_usd numeric, cost_usd numeric, lost_usd numeric, attempt int, fence int, answered_at timestamptz,
    repeated bool)
  WHERE run_id = held.id AND research_step.seq = one.seq AND (goes OR one.repeated IS NULL)
), added AS (
  INSERT INTO research_step (run_id, seq, kind, name, intent, answer, raw, usage, reserved_usd, cost_usd, lost_usd,
    attempt, fence, answered_at, started_at)
  SELECT held.id, one.* FROM held, json_to_recordset(held.added) AS one(seq int, kind text, name text,
    intent jsonb, answer jsonb, raw jsonb, usage jsonb, reserved_usd numeric, cost_usd numeric, lost_usd numeric,
    attempt int, fence int, answered_at timestamptz, started_at timestamptz)
  WHERE goes
)
SELECT stop, fits FROM held"""

_TAKE_UP = """
WITH given AS (
  SELECT * FROM json_to_record(%s::json)
    AS given(run uuid, owner text, now timestamptz, until timestamptz, deadlines json)
), claimed AS (
  UPDATE research_run SET state = 'running', lease_owner = owner, lease_until = until, fence = fence + 1,
    wake_at = NULL, started_at = COALESCE(started_at, now), deadline = COALESCE(deadline, LEAST(
      (deadlines ->> depth)::timestamptz,
      (SELECT head.deadline FROM research_run head WHERE head.id = research_run.parent_id)))
  FROM given WHERE id = run AND (state = 'queued' OR (state = 'running' AND lease_until < now))
  RETURNING research_run.*
), noted AS (
  INSERT INTO research_auditevent (at, action, object_type, object_id, detail)
  SELECT now, 'run.claimed', 'run', id::text, jsonb_build_object('worker', owner, 'fence', fence)
  FROM claimed, given
)
SELECT {run}, {macro} FROM claimed AS research_run JOIN research_macro ON research_macro.id = macro_id"""
_ENTER = "WITH given AS (SELECT %s::json AS all_of_it){besides} SELECT true FROM given"
_LEAVE = """
WITH given AS (SELECT %s::json AS all_of_it), held AS (
  UPDATE research_run AS run SET ({columns}) = (
    SELECT {columns} FROM json_populate_record(NULL::research_run, all_of_it -> 'changes'))
  FROM given WHERE run.id = (all_of_it ->> 'run')::uuid AND run.fence = (all_of_it ->> 'fence')::int
    AND run.state = 'running' RETURNING all_of_it
){besides}
SELECT true FROM held"""


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
    given: JsonObject = {
        "run": run_id,
        "fence": fence,
        "until": until,
        "in_time": in_time,
        "calls": calls,
        "reserve": str(account.reserve),
        "reserved": str(account.reserved),
        "spent": str(account.spent),
        "lost": str(account.lost),
        "filled": [*map(_outcome, filled), *({**_outcome(step), "repeated": True} for step in repeated)],
        "added": [{**_outcome(step), **_intent(step)} for step in added],
    }
    row = prepared.flags(_WRITE, compact_json(given, rows.text_of))
    return None if row is None else (row[0], row[1])


def _outcome(step: Step) -> JsonObject:
    """What changes when a step is answered; what is not there is NULL."""
    outcome: JsonObject = {
        "seq": step.seq,
        "reserved_usd": str(step.reserved_usd),
        "cost_usd": str(step.cost_usd),
        "lost_usd": str(step.lost_usd),
        "attempt": step.attempt,
        "fence": step.fence,
    }
    if step.answered_at is not None:
        given = {"answer": step.answer, "raw": step.raw, "usage": step.usage}
        outcome |= {name: value for name, value in given.items() if value is not None}
        outcome["answered_at"] = step.answered_at
    return outcome


def _intent(step: Step) -> JsonObject:
    return {
        "kind": step.kind,
        "name": step.name,
        "intent": step.intent,
        "started_at": step.started_at,
    }


def take_up(
    run_id: UUID, owner: str, *, now: datetime, until: datetime, deadlines: Mapping[str, datetime]
) -> Run | None:
    """The same with its line in the audit trail, and with the run's macro, as one statement. PostgreSQL only."""
    given = {
        "run": run_id,
        "owner": owner,
        "now": now,
        "until": until,
        "deadlines": deadlines,
    }
    found = prepared.rows(_take_up(), compact_json(given, rows.text_of))
    if not found:
        return None
    width = len(Run._meta.concrete_fields)
    run = rows.made(Run, found[0][:width])
    run.macro = rows.made(Macro, found[0][width:])
    return run


@cache
def _take_up() -> str:
    return _TAKE_UP.replace("{run}", rows.columns(Run)).replace("{macro}", rows.columns(Macro))


def leave(
    run_id: UUID, fence: int, changes: Mapping[str, object], besides: Sequence[Sequence[models.Model]] = ()
) -> bool:
    """Change a run for the last time under this fence, and store new rows ``besides``, each group of one model.

    False when the lease is lost; nothing is stored then.
    """
    given: dict[str, Any] = {
        "run": run_id,
        "fence": fence,
        "changes": rows.packed_changes(Run, changes),
        "besides": [rows.packed(group) for group in besides],
    }
    sql = _leave(tuple(given["changes"]), tuple(type(group[0]) for group in besides))
    held = prepared.flags(sql, compact_json(given, rows.text_of)) is not None
    if held:
        rows.stored(row for group in besides for row in group)
    return held


def enter(*groups: Sequence[models.Model]) -> None:
    """Store new rows, each group of one model, all or none. Raises what ``save`` raises."""
    given = {"besides": [rows.packed(group) for group in groups]}
    prepared.flags(_enter(tuple(type(group[0]) for group in groups)), compact_json(given, rows.text_of))
    rows.stored(row for group in groups for row in group)


@lru_cache(maxsize=50)
def _leave(columns: tuple[str, ...], besides: tuple[type[models.Model], ...]) -> str:
    return _LEAVE.replace("{columns}", ", ".join(columns)).replace("{besides}", _besides(besides, "held"))


@lru_cache(maxsize=50)
def _enter(besides: tuple[type[models.Model], ...]) -> str:
    return _ENTER.replace("{besides}", _besides(besides, "given"))


def _besides(besides: Sequence[type[models.Model]], source: str) -> str:
    """A part of the statement for each group of new rows."""
    paths = [f"all_of_it -> 'besides' -> {place}" for place in range(len(besides))]
    parts = [rows.unpacking(model, source, path) for model, path in zip(besides, paths, strict=True)]
    return "".join(f", part_{place} AS ({part})" for place, part in enumerate(parts))
