"""The store on PostgreSQL: a write is one statement, planned once, which is a transaction by itself.

That is a fifth of the trips of its parts, and without it a turn takes twice the processor time. Runs that keep another
run's account, and writes that something else belongs to, take the portable way.

``asked`` locks the run as it is now, ``held`` says whether what is added may be added, renews the lease and books.
Whatever follows joins ``held``, so without the lease nothing is written. The values of steps travel one by one: as one
JSON text the server took half as long again, as it reads a text once for every level. ``IS TRUE`` keeps the server from
looking a run up by its state, which all runs at work share, instead of by its key.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import date, datetime
from functools import cache, lru_cache
from itertools import chain, repeat
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, models, transaction

from research.jsontext import Json, compact_json
from research.models import Macro, Run, Step
from research.store import prepared, rows
from research.store.portable import RunStore, Verdict, Write

_WRITE = """
WITH given AS (
  SELECT %s::uuid AS run, %s::int AS fence, %s::timestamptz AS until, %s::bool AS in_time, %s::bool AS calls,
    %s::numeric AS reserve, %s::numeric AS reserved, %s::numeric AS spent, %s::numeric AS lost
), asked AS (
  SELECT id, cancel_requested AS stop, given.*, given.reserve = 0 OR budget_usd IS NULL
    OR reserved_usd + spent_usd + lost_usd + reserved + spent + lost + reserve <= budget_usd AS fits
  FROM research_run JOIN given ON id = run AND research_run.fence = given.fence WHERE (state = 'running') IS TRUE
  FOR UPDATE OF research_run
), held AS (
  UPDATE research_run SET lease_until = until,
    reserved_usd = reserved_usd + reserved + CASE WHEN goes THEN reserve ELSE 0 END,
    spent_usd = spent_usd + spent, lost_usd = lost_usd + lost
  FROM (SELECT *, fits AND in_time AND NOT (stop AND calls) AS goes FROM asked) AS verdict
  WHERE research_run.id = verdict.id RETURNING verdict.*
){filled}{added}
SELECT stop, fits FROM held"""
_FILLED = """, filled AS (
  UPDATE research_step SET answer = one.answer, raw = one.raw, usage = one.usage, reserved_usd = one.reserved_usd,
    cost_usd = one.cost_usd, lost_usd = one.lost_usd, attempt = one.attempt, fence = one.fence,
    answered_at = one.answered_at
  FROM held, (VALUES {rows}) AS one(repeated, seq, answer, raw, usage, reserved_usd, cost_usd, lost_usd, attempt,
    fence, answered_at)
  WHERE run_id = %s::uuid AND research_step.seq = one.seq AND (goes OR NOT one.repeated)
)"""
_ADDED = """, added AS (
  INSERT INTO research_step (run_id, kind, name, intent, started_at, seq, answer, raw, usage, reserved_usd, cost_usd,
    lost_usd, attempt, fence, answered_at)
  SELECT held.id, one.* FROM held, (VALUES {rows}) AS one(kind, name, intent, started_at, seq, answer, raw, usage,
    reserved_usd, cost_usd, lost_usd, attempt, fence, answered_at)
  WHERE goes AND one.seq IS NOT NULL
)"""
_OUTCOME = (
    "%s::int, %s::jsonb, %s::jsonb, %s::jsonb, %s::numeric, %s::numeric, %s::numeric, %s::int, %s::int, "
    "%s::timestamptz"
)
_FILLED_ROW = f"(%s::bool, {_OUTCOME})"
_ADDED_ROW = f"(%s::text, %s::text, %s::jsonb, %s::timestamptz, {_OUTCOME})"

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
  INSERT INTO research_auditevent (at, action, object_type, object_id, detail, witnessed)
  SELECT now, 'run.claimed', 'run', id::text, jsonb_build_object('worker', owner, 'fence', fence), jsonb_build_object()
  FROM claimed, given
)
SELECT {run}, {macro} FROM claimed AS research_run JOIN research_macro ON research_macro.id = macro_id"""
_LEAVE = """
WITH held AS (
  UPDATE research_run SET ({columns}) = (SELECT {columns} FROM json_populate_record(NULL::research_run, %s::json))
  WHERE id = %s::uuid AND fence = %s::int AND (state = 'running') IS TRUE RETURNING true
){besides}
SELECT true FROM held"""


class PostgresqlStore(RunStore):
    """See ``RunStore`` for what the methods promise."""

    def one_transaction(self, *, alone: bool) -> AbstractContextManager[object]:
        return nullcontext() if alone else transaction.atomic()

    def take(
        self, run_id: UUID, worker: str, *, now: datetime, until: datetime, deadlines: Mapping[str, datetime]
    ) -> Run | None:
        given = {"run": run_id, "owner": worker, "now": now, "until": until, "deadlines": deadlines}
        found = prepared.rows(_take_up(), _text(given))
        if not found:
            return None
        width = len(Run._meta.concrete_fields)
        run = rows.made(Run, found[0][:width])
        run.macro = rows.made(Macro, found[0][width:])
        return run

    def write(self, write: Write) -> Verdict | None:
        if write.before or write.phase is not None or write.root_id != write.run_id:
            return super().write(write)
        account = write.account
        values: list[object] = [write.run_id, write.fence, write.until, write.in_time, write.calls]
        values += [account.reserve, account.reserved, account.spent, account.lost]
        answered = [
            *((False, *_outcome(step)) for step in write.filled),
            *((True, *_outcome(step)) for step in write.repeated),
        ]
        begun = [
            (step.kind, step.name, _json(step.intent), step.started_at, *_outcome(step))
            for step in write.added
        ]
        if answered:
            values += [*_in_line(answered, _FILLED_ROW), write.run_id]
        values += _in_line(begun, _ADDED_ROW)
        verdict = prepared.flags(_write(_room(len(answered)), _room(len(begun))), *values)
        return None if verdict is None else Verdict(*verdict)

    def leave(
        self,
        run_id: UUID,
        fence: int,
        changes: Mapping[str, object],
        besides: Sequence[Sequence[models.Model]] = (),
    ) -> bool:
        fields: list[tuple[Any, object]] = [
            (Run._meta.get_field(name), value) for name, value in changes.items()
        ]
        packed = {field.column: field.get_prep_value(value) for field, value in fields}
        sql = _leave(tuple(packed), tuple(type(group[0]) for group in besides))
        if prepared.flags(sql, _text(packed), run_id, fence, *map(_packed, besides)) is None:
            return False
        for row in chain.from_iterable(besides):  # keys that the database gave are not known
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
        return True


def _in_line(table: Sequence[tuple[object, ...]], row: str) -> Iterator[object]:
    """The values of a table, one after the other, and NULL for the rows that there is room for."""
    yield from chain.from_iterable(table)
    yield from repeat(None, row.count("%s") * (_room(len(table)) - len(table)))


def _room(count: int) -> int:
    """As many rows or a few more, a power of two: the server plans a handful of statements, not one for each count."""
    return 1 << (count - 1).bit_length() if count else 0


@lru_cache(maxsize=100)
def _write(filled: int, added: int) -> str:
    one = _FILLED.replace("{rows}", ", ".join([_FILLED_ROW] * filled)) if filled else ""
    other = _ADDED.replace("{rows}", ", ".join([_ADDED_ROW] * added)) if added else ""
    return _WRITE.replace("{filled}", one).replace("{added}", other)


def _outcome(step: Step) -> tuple[object, ...]:
    """What changes when a step is answered; what is not there is NULL."""
    answered = step.answered_at is not None
    return (
        step.seq,
        *((_json(value) if answered else None) for value in (step.answer, step.raw, step.usage)),
        *(step.reserved_usd, step.cost_usd, step.lost_usd),
        *(step.attempt, step.fence, step.answered_at),
    )


def _json(value: Json) -> bytes | None:
    return None if value is None else compact_json(value)


def _packed(rows: Sequence[models.Model]) -> bytes:
    """New rows of one model as JSON by column; the database makes of each value what its column holds."""
    fields = _inserted(type(rows[0]))
    for row in rows:
        for field in fields:
            field.pre_save(row, add=True)  # some fields get their value at this moment
    return _text([{field.column: row.__dict__[field.attname] for field in fields} for row in rows])


def _text(value: Json) -> bytes:
    return compact_json(value, lambda one: one.isoformat() if isinstance(one, date) else str(one))


@cache
def _take_up() -> str:
    return _TAKE_UP.replace("{run}", rows.columns(Run)).replace("{macro}", rows.columns(Macro))


@lru_cache(maxsize=50)
def _leave(columns: tuple[str, ...], besides: tuple[type[models.Model], ...]) -> str:
    """The statement that changes these columns and stores rows of these models, a parameter for each."""
    parts = (f", part_{place} AS ({_insertion(model)})" for place, model in enumerate(besides))
    return _LEAVE.replace("{columns}", ", ".join(columns)).replace("{besides}", "".join(parts))


def _insertion(model: type[models.Model]) -> str:
    table, names = model._meta.db_table, [field.column for field in _inserted(model)]
    given = ", ".join(f"new.{name}" for name in names)
    return (
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {given} "  # noqa: S608 - names of ours
        f"FROM held, json_populate_recordset(NULL::{table}, %s::json) AS new"
    )


@lru_cache(maxsize=100)
def _inserted(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.local_concrete_fields if not isinstance(field, models.AutoField)]
