"""Taking back what a piece of work wrote, row by row, as far as nobody has built on it since.

A row that the work made and that nobody touched is removed: what was stated by mistake was never so, and a relationship
that "ended today" would say that it was. What it said stays in the account of the work, and as a statement that has
ended (see ``retract``). A field gets back what it held.
An event stays on the timeline of an entity that stays, marked as taken back; findings are invalidated.

The plan only reads. It is made again under lock before it is carried out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias
from uuid import UUID

from django.db import models
from django.utils import timezone

from common.transactions import retried
from entities.memory.base import MAX_SOURCE
from entities.memory.facts import Fact, fact_of_form, fact_of_link, facts_of_entity
from entities.memory.statements import retract
from entities.memory.vouching import together
from entities.memory.writes import MAX_SUMMARY, add_event
from entities.memory.written import (
    TABLES,
    VOUCHED,
    Key,
    Row,
    Written,
    brief,
    chunks,
    facts,
    holder_of,
    paths,
    rows_of,
)
from entities.models import (
    Entity,
    EntityEvent,
    EntityPair,
    EntityResearch,
    NameKey,
    PairState,
    Relationship,
    Representation,
    Statement,
)

Action: TypeAlias = Literal["remove", "restore", "mark", "keep"]
TIMELINE = frozenset({"entityevent", "entityresearch"})
TAKEN_BACK = "taken-back"
MAX_NAMED = 5


@dataclass(frozen=True)
class TakeBack:
    """What happens to one row; ``why`` says why it is kept. ``values`` are what ``fields`` get back, if any."""

    action: Action
    table: str
    row: str
    entity: str
    what: str
    why: str = ""
    fields: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.table, self.row

    def as_json(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in ("action", "table", "row", "entity", "what", "why")},
            "fields": list(self.fields),
        }


def plan_taking_back(
    written: Sequence[Written],
    *,
    claimed: Mapping[Key, str] | None = None,
    own: Collection[Key] = (),
    lock: bool = False,
) -> list[TakeBack]:
    """What can be taken back of an account, the last written first. Reads only; with ``lock`` the rows are held.

    ``claimed`` are rows on which other work rests, with the words for it. ``own`` are rows of other tables that lead to
    an entity only because of the work itself.
    """
    folded = [each for each in _folded(written).values() if each.how != "met"]
    now = rows_of([each.key for each in folded], lock=lock)
    steps = [step for each in reversed(folded) for step in _steps(each, now.get(each.key), (claimed or {}))]
    steps = _bearers_stay(steps, now, own)
    return _lei_forms_stay([_possible(step, now, steps) for step in steps], now)


@retried
@together()
def take_back(steps: Sequence[TakeBack], *, reason: str, source: str, calls: Collection[int] = ()) -> None:
    """Carry a plan out that was made under lock, and tell the timelines of the entities that stay.

    What the verb ``calls`` stated ends as well, but for what is kept of it.
    """
    now = rows_of([step.key for step in steps])
    told = _counted(steps, now)
    for step in steps:
        if step.action == "restore":
            _restore(now[step.key], step)
        elif step.action == "mark":
            _mark(now[step.key], reason, source)
    _remove([step for step in steps if step.action == "remove"])
    kept = _facts_of(now[step.key] for step in steps if step.action == "keep" and step.key in now)
    for some in chunks(sorted(calls)):
        retract(Statement.objects.filter(call__in=some), kept=kept, at=timezone.now())
    for entity, count in told.items():
        add_event(
            entity=entity,
            type=TAKEN_BACK,
            summary=f"{count} fact{'s' * (count != 1)} taken back: {reason}",
            importance=6,
            source=source,
            source_type=EntityEvent.SourceType.MANUAL,
        )


def _facts_of(rows: Iterable[Row]) -> dict[UUID, list[Fact]]:
    """What the rows say, by entity."""
    said: dict[UUID, list[Fact]] = {}
    for row in rows:
        facts: list[Fact | None] = []
        if isinstance(row, Entity):
            facts = [*facts_of_entity(row)]
        elif isinstance(row, Representation):
            facts = [fact_of_form(row)]
        elif isinstance(row, Relationship):
            facts = [fact_of_link(row)]
        said.setdefault(holder_of(row).pk, []).extend(filter(None, facts))
    return said


def _folded(written: Sequence[Written]) -> dict[Key, Written]:
    """One entry for a row, from what it was before the first writing to what it was after the last."""
    folded: dict[Key, Written] = {}
    for each in written:
        known = folded.get(each.key)
        folded[each.key] = _joined(known, each) if known else each
    return folded


def _joined(first: Written, then: Written) -> Written:
    """Two writings of one row. What somebody else wrote in between is what the later one found, and is gone back to."""
    if "met" in (first.how, then.how):
        return first if then.how == "met" else then
    new = {path: value for path, value in first.new.items() if path in then.new or path not in then.old}
    if first.how == "made":
        return replace(first, new=new | then.new)
    old = {**first.old}
    for path in {*then.old, *then.new} - {VOUCHED}:
        found = path in then.old and brief(then.old[path]), path in then.old
        left = first.new.get(path, False), path in first.new
        if (path in first.old or path in first.new) and found == left:
            continue
        old.pop(path, None)
        old |= {path: then.old[path]} if path in then.old else {}
    return replace(first, old=old, new=new | then.new)


def _steps(each: Written, row: Row | None, claimed: Mapping[Key, str]) -> list[TakeBack]:
    step = TakeBack("keep", *each.key, each.entity, each.what)
    if row is None:
        return [replace(step, why="it is not there any more")]
    if each.key in claimed:
        return [replace(step, why=claimed[each.key])]
    said = facts(row)
    if each.how == "changed":
        return _steps_back(each, said, step)
    moved = sorted(path for path in {*said, *each.new} if said.get(path, step) != each.new.get(path, step))
    if moved:
        return [replace(step, why=_since(moved))]
    return [replace(step, action="mark" if each.table in TIMELINE else "remove")]


def _steps_back(each: Written, said: Mapping[str, Any], step: TakeBack) -> list[TakeBack]:
    """Fields that still hold what was written get back what they held; the others are kept."""
    changed = sorted(({*each.old, *each.new}) - {VOUCHED})
    if VOUCHED in each.new and said[VOUCHED] != each.new[VOUCHED]:
        return [
            replace(step, why="a person has verified it since, or taken that back", fields=tuple(changed))
        ]
    same = tuple(path for path in changed if said.get(path, step) == each.new.get(path, step))
    moved = tuple(path for path in changed if path not in same)
    values = {path: each.old[path] for path in same if path in each.old}
    back = replace(step, action="restore", fields=same, values=values)
    kept = replace(step, why=_since(moved), fields=moved)
    return [*[back] * bool(same), *[kept] * bool(moved)]


def _since(moved: Sequence[str]) -> str:
    told = {
        "merged_into_id": "it was merged into another entity since",
        VOUCHED: "a person has verified it since",
        "entity_id": "it has moved to another entity since",
        "subject_id": "it has moved to another entity since",
        "active": "it was made inactive since",
        "valid_to": "it has ended since",
    }
    known = next((told[path] for path in told if path in moved), "")
    if known:
        return known
    if set(moved) <= {"last_seen_at"}:
        return "another source has seen it since"
    more = f" and {len(moved) - MAX_NAMED} more" if len(moved) > MAX_NAMED else ""
    return f"{', '.join(moved[:MAX_NAMED])}{more} changed since"


def _bearers_stay(steps: Sequence[TakeBack], now: Mapping[Key, Row], own: Collection[Key]) -> list[TakeBack]:
    """A form or an entity goes only if nothing remains that leads to it; its events go with it, or stay with it."""
    going = {step.key for step in steps if step.action in ("remove", "mark")}
    kept: dict[Key, str] = {}
    for table in ("representation", "entity"):
        pks = [pk for name, pk in going if name == table]
        kept |= {(table, pk): words for pk, words in _resting(table, pks, going, own).items()}
        going -= kept.keys()
    told = []
    for step in steps:
        if step.key in kept:
            step = replace(step, action="keep", why=f"in use by now: {kept[step.key]}")  # noqa: PLW2901
        elif step.action == "mark" and ("entity", str(now[step.key].entity_id)) in going:
            step = replace(step, action="remove")  # noqa: PLW2901
        told.append(step)
    return told


def _resting(table: str, pks: Sequence[str], going: Collection[Key], own: Collection[Key]) -> dict[str, str]:
    """By row, how many rows of which tables, of any app, lead to it besides those that go."""
    counts: dict[str, dict[str, int]] = {}
    for leads in TABLES[table]._meta.get_fields(include_hidden=True):
        if not isinstance(leads, models.ManyToOneRel) or leads.related_model in (NameKey, Statement):
            continue
        other, side = leads.related_model, leads.field
        for chunk in chunks(pks):
            rows = other._base_manager.filter(**{f"{side.name}__in": chunk})
            rows = rows.exclude(type=TAKEN_BACK) if other is EntityEvent else rows
            rows = (
                rows.exclude(state=PairState.OPEN) if other is EntityPair else rows
            )  # nobody has said a thing
            for pk, row in rows.values_list("pk", side.attname):
                key = (str(other._meta.model_name), str(pk))
                if key not in going and key not in own:
                    words = counts.setdefault(str(row), {})
                    name = str(other._meta.verbose_name)
                    words[name] = words.get(name, 0) + 1
    return {
        pk: ", ".join(f"{count} × {name}" for name, count in words.items()) for pk, words in counts.items()
    }


def _possible(step: TakeBack, now: Mapping[Key, Row], steps: Sequence[TakeBack]) -> TakeBack:
    """A relationship that was ended is not current again beside one that states the same by now."""
    if step.action != "restore" or step.table != "relationship" or "valid_to" not in step.fields:
        return step
    row, going = now[step.key], {each.row for each in steps if each.action == "remove"}
    same = Relationship.objects.filter(
        subject_id=row.subject_id, object_id=row.object_id, type=row.type, valid_to=None
    )
    if any(str(pk) not in going for pk in same.exclude(pk=row.pk).values_list("pk", flat=True)):
        return replace(step, action="keep", why="it is stated anew by now")
    return step


def _lei_forms_stay(steps: Sequence[TakeBack], now: Mapping[Key, Row]) -> list[TakeBack]:
    """The form that says the LEI which an entity carries stays as long as the entity does."""
    done = {step.key: step for step in steps if step.action in ("remove", "restore")}
    return [
        replace(step, action="keep", why=f"{step.entity} stays and carries this LEI")
        if step.action == "remove" and step.table == "representation" and _carried(now[step.key], done)
        else step
        for step in steps
    ]


def _carried(form: Representation, done: Mapping[Key, TakeBack]) -> bool:
    if form.type != Representation.Type.LEI:
        return False
    step = done.get(("entity", str(form.entity_id)))
    if step and step.action == "remove":
        return False
    lei = step.values.get("lei", form.entity.lei) if step else form.entity.lei
    return bool(lei == form.key)


def _counted(steps: Iterable[TakeBack], now: Mapping[Key, Row]) -> dict[Entity, int]:
    """How many facts are taken from each entity that stays."""
    gone = {step.row for step in steps if step.action == "remove" and step.table == "entity"}
    holders = [holder_of(now[step.key]) for step in steps if step.action != "keep"]
    counts: dict[Entity, int] = {}
    for entity in holders:
        if str(entity.pk) not in gone:
            counts[entity] = counts.get(entity, 0) + 1
    return counts


def _remove(steps: Sequence[TakeBack]) -> None:
    """What leads to entities first."""
    for table in sorted(TABLES, key="entity".__eq__):
        for chunk in chunks([step.row for step in steps if step.table == table]):
            TABLES[table]._default_manager.filter(pk__in=chunk).delete()


def _restore(row: Row, step: TakeBack) -> None:
    names = {path.partition(".")[0] for path in step.fields}
    for name in names:
        setattr(row, name, _given_back(row, name, step))
    row.save(update_fields=[*names, *[each.name for each in row._meta.fields if each.name == "updated_at"]])


def _given_back(row: Row, name: str, step: TakeBack) -> Any:
    column = row._meta.get_field(name)
    if name in step.values:
        return column.to_python(step.values[name])
    now = paths(name, getattr(row, name))
    kept = {path: value for path, value in now.items() if path not in step.fields}
    mine = {path: value for path, value in step.values.items() if path.startswith(f"{name}.")}
    return {path.partition(".")[2]: value for path, value in {**kept, **mine}.items()}


def _mark(row: Row, reason: str, source: str) -> None:
    if isinstance(row, EntityResearch):
        row.invalidated_at, row.invalidated_why = timezone.now(), reason[:300]
        row.save(update_fields=["invalidated_at", "invalidated_why"])
        return
    row.data = {
        **row.data,
        TAKEN_BACK: {"why": reason, "source": source[:MAX_SOURCE], "importance": row.importance},
    }
    row.summary, row.importance = f"Taken back: {row.summary}"[:MAX_SUMMARY], 0
    row.save(update_fields=["data", "summary", "importance"])
