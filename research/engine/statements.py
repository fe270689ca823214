"""The statements of every turn as SQL, and whatever differs between the two databases in them.

The ORM would cost more than the journal's own work here. Everything else goes through the ORM.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection, models

from research import prepared, rows
from research.jsontext import Json, compact_json
from research.models import Run, Step

_CLAIM = (
    "UPDATE research_run SET state = 'running', lease_owner = %s, lease_until = %s, fence = fence + 1, wake_at = NULL, "
    "started_at = COALESCE(started_at, {moment}), deadline = COALESCE(deadline, (SELECT MIN(own) FROM "
    "(SELECT CASE research_run.depth {when} END AS own UNION ALL "
    "SELECT head.deadline FROM research_run head WHERE head.id = research_run.parent_id) AS both_of_them)) "
    "WHERE id = %s AND (state = 'queued' OR (state = 'running' AND lease_until < %s)) RETURNING {columns}"
)
_WHEN = "WHEN %s THEN {moment}"
_HOLD = (
    "UPDATE research_run SET lease_until = %s WHERE id = %s AND fence = %s AND state = 'running' "
    "RETURNING cancel_requested"
)
_HOLD_ALL = (
    "UPDATE research_run SET lease_until = %s WHERE state = 'running' AND ({}) "
    "RETURNING id, fence, cancel_requested"
)
_MANY = 100
# heads before children, as in every transaction that touches several runs: see children.py
_HOLD_ALL_IN_ORDER = (
    "WITH due AS MATERIALIZED (SELECT id FROM research_run WHERE state = 'running' AND ({}) "
    "ORDER BY parent_id NULLS FIRST, id FOR NO KEY UPDATE) "
    "UPDATE research_run AS run SET lease_until = %s FROM due WHERE run.id = due.id "
    "RETURNING run.id, run.fence, run.cancel_requested"
)
_KINDS = "SELECT DISTINCT kind FROM research_source WHERE run_id = %s"
_LOCK = "SELECT id FROM research_run WHERE id = %s FOR UPDATE"
_ANSWER = (
    "UPDATE research_step SET answer = {json}, raw = {json}, usage = {json}, reserved_usd = %s, "
    "cost_usd = %s, lost_usd = %s, attempt = %s, fence = %s, answered_at = %s WHERE run_id = %s AND seq = %s"
)
_INSERT = (
    "INSERT INTO research_step (run_id, seq, kind, name, intent, answer, raw, usage, reserved_usd, cost_usd, lost_usd, "
    "fence, attempt, started_at, answered_at) VALUES "
)
_ROW = "(%s, %s, %s, %s, {json}, {json}, {json}, {json}, %s, %s, %s, %s, %s, %s, %s)"
_BOOK = (
    "UPDATE research_run SET reserved_usd = ROUND(reserved_usd + {amount}, 6), "
    "spent_usd = ROUND(spent_usd + {amount}, 6), lost_usd = ROUND(lost_usd + {amount}, 6) WHERE id = %s"
)
_WITHIN = (
    " AND (budget_usd IS NULL OR ROUND(reserved_usd + spent_usd + lost_usd + {amount}, 6) <= budget_usd)"
)


@cache
def on_postgresql() -> bool:
    """Which of the two databases it is, asked once: the way to Django's connection is longer than the answer."""
    return connection.vendor == "postgresql"


def claim(
    run_id: UUID, owner: str, *, now: datetime, until: datetime, deadlines: Mapping[str, datetime]
) -> Run | None:
    """Take the lease of a run that is queued, or whose lease has lapsed; the run, or None when it is not free.

    ``deadlines`` are those of a run that is taken up for the first time, by its depth; no child's is later
    than its parent's.
    """
    by_depth = [value for depth, moment in deadlines.items() for value in (depth, _moment(moment))]
    values = [owner, _moment(until), _moment(now), *by_depth, _key(run_id), _moment(now)]
    sql = _CLAIM.replace("{when}", " ".join([_WHEN] * len(deadlines)))
    row = _run(sql.replace("{columns}", rows.columns(Run)), values).fetchone()
    return None if row is None else rows.made(Run, row)


def steps_of(run_id: UUID) -> list[Step]:
    """The journal of a run, in its order."""
    return rows.read(Step, "WHERE run_id = %s ORDER BY seq", [_key(run_id)])


def kinds_of_sources(root_id: UUID) -> set[str]:
    """What a family has read: of the web, of a register; empty when it has read nothing."""
    return {kind for (kind,) in prepared.rows(_KINDS, _key(root_id))}


def hold(run_id: UUID, fence: int, until: datetime) -> bool | None:
    """Renew the lease; whether somebody wants the run to stop, or None when the lease is lost."""
    row = _run(_HOLD, [_moment(until), _key(run_id), fence]).fetchone()
    return None if row is None else bool(row[0])


def hold_all(held: Sequence[tuple[UUID, int]], until: datetime) -> dict[tuple[UUID, int], bool]:
    """Renew many leases; for each that is still held, by run and fence, whether somebody wants the run to stop."""
    found: dict[tuple[UUID, int], bool] = {}
    for start in range(0, len(held), _MANY):
        some = held[start : start + _MANY]
        values = [value for run_id, fence in some for value in (_key(run_id), fence)]
        in_order = on_postgresql()
        values = [*values, _moment(until)] if in_order else [_moment(until), *values]
        sql = _HOLD_ALL_IN_ORDER if in_order else _HOLD_ALL
        sql = sql.format(" OR ".join(["(id = %s AND fence = %s)"] * len(some)))
        for key, fence, stop in _run(sql, values).fetchall():
            found[key if isinstance(key, UUID) else UUID(key), fence] = bool(stop)
    return found


def leave(
    run_id: UUID, fence: int, changes: Mapping[str, object], besides: Sequence[Sequence[models.Model]] = ()
) -> bool:
    """Change a run for the last time under this fence, and store new rows ``besides``, each group of one model.

    False when the lease is lost; the caller's transaction must not go on then.
    """
    for group in besides:
        rows.insert(*group)
    held = "WHERE id = %s AND fence = %s AND state = 'running'"
    return rows.update(Run, changes, held, [_key(run_id), fence]) == 1


def lock(run_id: UUID) -> None:
    """Keep others from the row until the transaction ends. SQLite has one writer anyway."""
    if on_postgresql():
        _run(_LOCK, [run_id])


def fill(step: Step) -> None:
    """Write what came back for a step, and what is reserved for it still."""
    money = [step.reserved_usd, step.cost_usd, step.lost_usd]
    values = [*contents_of(step), *map(_amount, money), step.attempt, step.fence]
    _run(_ANSWER, [*values, _moment(step.answered_at), _key(step.run_id), step.seq])


def insert(steps: Sequence[Step]) -> None:
    """Add steps; IntegrityError when a number is taken."""
    values: list[object] = []
    for step in steps:
        values += [
            _key(step.run_id),
            step.seq,
            step.kind,
            step.name,
            json_text(step.intent),
            *contents_of(step),
        ]
        values += map(_amount, (step.reserved_usd, step.cost_usd, step.lost_usd))
        values += [step.fence, step.attempt, _moment(step.started_at), _moment(step.answered_at)]
    _run(_INSERT + ", ".join([_ROW] * len(steps)), values)


def book(run_id: UUID, *, reserved: Decimal, spent: Decimal, lost: Decimal, within_budget: bool) -> bool:
    """Change the account of a run. False when ``within_budget`` is asked for and it would not fit."""
    values: list[object] = [*map(_amount, (reserved, spent, lost)), _key(run_id)]
    if not within_budget:
        return bool(_run(_BOOK, values).rowcount)
    return bool(_run(_BOOK + _WITHIN, [*values, _amount(reserved + spent + lost)]).rowcount)


def contents_of(step: Step) -> list[object]:
    return [json_text(step.answer), json_text(step.raw), json_text(step.usage)]


def _run(sql: str, values: Sequence[object]) -> Any:
    postgres = on_postgresql()
    marks = {
        "json": "%s::jsonb" if postgres else "%s",
        "moment": "%s::timestamptz" if postgres else "%s",
        "amount": "%s::numeric" if postgres else "CAST(%s AS REAL)",
    }
    cursor: Any = connection.cursor()
    cursor.execute(sql.format(**marks), values)
    return cursor


def json_text(value: Json) -> str | None:
    return None if value is None else compact_json(value).decode()


def _key(key: UUID) -> object:
    return key if connection.features.has_native_uuid_field else key.hex


def _moment(moment: datetime | None) -> object:
    return connection.ops.adapt_datetimefield_value(moment)


def _amount(amount: Decimal) -> object:
    return amount if on_postgresql() else str(amount)
