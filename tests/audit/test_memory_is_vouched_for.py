"""What people said of entities, and every statement, is vouched for: what was written past Dossier is named."""

import json
import uuid
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, models, transaction

from entities.memory import (
    ChangeLog,
    create_entity,
    ensure_entity,
    judge_pair,
    link,
    merge_entities,
    plan_merge,
    propose_pairs,
    undo_merge,
    unverify_entity,
    verify_entity,
)
from entities.memory.likeness import lookalikes
from entities.memory.vouching import together, written
from entities.models import (
    Anomaly,
    AnomalyAct,
    Entity,
    EntityAct,
    EntityPair,
    ImportedFact,
    RegisterCorrection,
    RegisterSelection,
    ScreeningDecision,
    ScreeningHit,
    Statement,
)
from entities.services.anomalies import Finding, decide_anomaly, report_anomalies
from entities.services.screening import decide_hit
from research.audit.verification import verify_trail
from research.models import AuditEvent
from tests.factories import EntityFactory, UserFactory

RIGHTS = ("verify_entity", "merge_entity", "decide_anomaly", "decide_screeninghit", "view_person")


@pytest.fixture
def person(db):
    return UserFactory(rights=RIGHTS)


@pytest.fixture
def memory(person):
    """A row of each kind, written by the services; gives one row of each, by what it is called in a fault."""
    alpha = ensure_entity(name="Alpha Holding AG", jurisdiction="CH")
    owner = create_entity(name="Jane Roe", type="person")
    link(subject=alpha, object=owner, type="owned-by", percentage=Decimal(60), source="a")
    later = ChangeLog(at=datetime.now(UTC) + timedelta(seconds=1))
    link(subject=alpha, object=owner, type="owned-by", percentage=Decimal(40), source="a", log=later)
    verified = verify_entity(entity=owner, actor=person, reason="passport seen")
    twin = create_entity(name="Alpha Holding A.G.", type="legal-entity")
    propose_pairs(twin, lookalikes(twin.name, type=twin.type, besides=twin))
    pair = EntityPair.objects.get()
    judge_pair(pair=pair, judgement="different", actor=person, reason="another canton")
    finding = Finding(alpha, "one", "Shares exceed 100 %.", {"sum": 130})
    report_anomalies(kind="shares", findings=[finding], among=Entity.objects.filter(pk=alpha.pk))
    anomaly = Anomaly.objects.get()
    decide_anomaly(anomaly=anomaly, actor=person, reason="rounded", digest=anomaly.digest)
    hit = ScreeningHit.objects.create(
        entity=owner, source="un", key="1", name="Jane ROE", score=90, fingerprint="f", subject_digest="s"
    )
    decided = decide_hit(
        hit=hit, revision=hit.revision, verdict="false-positive", reason="born later", by=person
    )
    selection = RegisterSelection.objects.create(
        entity=alpha,
        register="zefix",
        query={},
        verdict="auto-selected",
        number="1",
        chooser="rule",
        reason="exact",
    )
    fact = ImportedFact.objects.create(selection=selection, ordinal=1, kind="field", entity=alpha, row="1")
    written("importedfact", [fact.pk])
    correction = RegisterCorrection.objects.create(
        selection=selection, kind="wrong-entity", reason="another", corrected_by=person
    )
    ended = Statement.objects.filter(recorded_to__isnull=False).get()
    assert verify_trail().faults == []
    return {
        f"Statement {ended.pk}": ended,
        f"Entity act {verified.pk}": verified,
        f"Pair of entities {pair.pk}": pair,
        f"Anomaly act {anomaly.acts.get(kind='decided').pk}": anomaly.acts.get(kind="decided"),
        f"Anomaly act {anomaly.acts.get(kind='found').pk}": anomaly.acts.get(kind="found"),
        f"Anomaly {anomaly.pk}": anomaly,
        f"Screening decision {decided.pk}": decided,
        f"Screening hit {hit.pk}": hit,
        f"Register selection {selection.pk}": selection,
        f"Register correction {correction.pk}": correction,
        f"Imported fact {fact.pk}": fact,
        f"Entity {owner.pk}": owner,
    }


COLUMNS = {
    Statement: "value",
    EntityAct: "reason",
    EntityPair: "judged_at",
    AnomalyAct: "reason",
    Anomaly: "digest",
    ScreeningDecision: "reason",
    ScreeningHit: "key",
    RegisterSelection: "reason",
    RegisterCorrection: "reason",
    ImportedFact: "row",
    Entity: "verified_at",
}


def _key(row):
    return (
        f"'{row.pk.hex}'"
        if connection.vendor == "sqlite" and isinstance(row.pk, uuid.UUID)
        else f"'{row.pk}'"
    )


def _faults(forge, statement):
    """What the trail says of a forgery, which is taken back afterwards."""
    with transaction.atomic():
        try:
            faults = forge(statement).faults
        finally:
            transaction.set_rollback(True)
    return faults


def test_rows_that_were_changed_are_named(memory, forge):
    wrong = {}
    for name, row in memory.items():
        column = COLUMNS[type(row)]
        forged = "2020-01-01 00:00:00+00:00" if column.endswith("_at") else "forged"
        statement = f"UPDATE {row._meta.db_table} SET {column} = '{forged}' WHERE id = {_key(row)}"
        faults = _faults(forge, statement)
        if len(faults) != 1 or not faults[0].startswith(f"{name} is not as event"):
            wrong[name] = faults
    assert wrong == {}


def test_what_people_said_of_an_entity_cannot_be_turned_round(memory, forge):
    by_table = {row._meta.db_table: (name, row) for name, row in memory.items()}
    turns = {
        "entities_entitypair": "state = 'same'",
        "entities_anomaly": "state = 'open'",
        "entities_screeninghit": "state = 'true-match'",
        "entities_entity": "verified = false, verified_by = ''",
    }
    for table, turn in turns.items():
        name, row = by_table[table]
        (fault,) = _faults(forge, f"UPDATE {table} SET {turn} WHERE id = {_key(row)}")
        assert fault.startswith((f"{name} is not as event", f"{name} is gone")), fault
    unverified = ensure_entity(name="Gamma SA", jurisdiction="FR")
    statement = "UPDATE entities_entity SET verified = true, verified_by = 'team' WHERE id = "
    (fault,) = _faults(forge, statement + _key(unverified))
    assert fault == f"Entity {unverified.pk} stands in the database, and no event vouches for it."


def test_rows_that_were_deleted_are_named(memory, forge):
    wrong = {}
    for name, row in memory.items():
        if isinstance(row, Entity | ScreeningHit | Anomaly | RegisterSelection):
            continue  # other rows lead to it: the database refuses
        faults = _faults(forge, f"DELETE FROM {row._meta.db_table} WHERE id = {_key(row)}")
        if not any(fault.startswith(f"{name} is gone; event") for fault in faults):
            wrong[name] = faults
    assert wrong == {}


def _copied(row: models.Model) -> str:
    """SQL that inserts the row once more, with what a second one needs to be let in."""
    pk = row._meta.pk
    new: dict[str, str] = {"id": f"'{uuid.uuid4().hex}'" if isinstance(pk, models.UUIDField) else "4242"}
    new |= {"slot": "'another'", "revision": "99", "ordinal": "99", "matter": "'other'", "slug": "'other'"}
    new |= {"selection_id": "'" + uuid.uuid4().hex + "'"} if isinstance(row, RegisterCorrection) else {}
    new |= {"entity_id": "other_id", "other_id": "entity_id"} if isinstance(row, EntityPair) else {}
    columns = [field.column for field in row._meta.concrete_fields]
    values = ", ".join(new.get(column, f'"{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    table = row._meta.db_table
    return f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE id = {_key(row)}"


def test_rows_that_were_put_in_are_named(memory, forge):
    wrong = {}
    for name, row in memory.items():
        if isinstance(row, ScreeningHit | RegisterCorrection):
            continue  # one of an entry, one of a selection: the database refuses a second
        kind = name.rpartition(" ")[0]
        faults = _faults(forge, _copied(row))
        if not faults or not all("stands in the database, and no event vouches" in each for each in faults):
            wrong[name] = faults
        if not any(fault.startswith(kind) for fault in faults):
            wrong[name] = faults
    assert wrong == {}


def test_the_end_of_a_statement_is_vouched_for_by_itself(memory, forge):
    ended = Statement.objects.get(recorded_to__isnull=False)
    current = Statement.objects.filter(recorded_to__isnull=True, property="name").first()
    told = f"The end of statement {ended.pk}"
    ends = {
        f"UPDATE entities_statement SET recorded_to = '2030-01-01 00:00:00+00:00' WHERE id = {ended.pk}": (
            f"{told} is not as event"
        ),
        "UPDATE entities_statement SET recorded_to = NULL, superseded_by_id = NULL, slot = 'x' "
        f"WHERE id = {ended.pk}": (f"{told} is gone; event"),
        f"UPDATE entities_statement SET recorded_to = '2030-01-01 00:00:00+00:00' WHERE id = {current.pk}": (
            f"The end of statement {current.pk} stands in the database, and no event"
        ),
    }
    for statement, expected in ends.items():
        assert any(fault.startswith(expected) for fault in _faults(forge, statement)), statement


def test_a_merge_and_its_undoing_hold(memory, person):
    into, other = EntityFactory(name="One AG"), EntityFactory(name="Two AG")
    plan = plan_merge(into=into, other=other)
    act = merge_entities(into=into, other=other, actor=person, reason="one", digest=plan.digest)
    assert verify_trail().ok
    undo_merge(act=act, actor=person, reason="two after all")
    unverify_entity(entity=Entity.objects.get(name="Jane Roe"), actor=person, reason="expired")
    assert verify_trail().ok


def test_one_event_vouches_for_all_that_one_call_wrote(person):
    before = AuditEvent.objects.count()
    with together():
        entity = ensure_entity(name="Beta AG", jurisdiction="CH", aliases=[{"name": "Beta"}])
        link(subject=entity, object=ensure_entity(name="Gamma AG"), type="owned-by")
    (event,) = AuditEvent.objects.order_by("pk")[before:]
    assert len(event.witnessed) == Statement.objects.count() > 5
    assert verify_trail().ok


def test_what_a_savepoint_took_back_is_vouched_for_by_nothing(person):
    with together():
        ensure_entity(name="Beta AG", jurisdiction="CH")
        try:
            with transaction.atomic():
                ensure_entity(name="Delta AG", jurisdiction="CH")
                raise IntegrityError
        except IntegrityError:
            pass
        ensure_entity(name="Gamma AG", jurisdiction="CH")
    assert verify_trail().ok


def test_a_table_that_was_emptied_is_not_told_row_by_row(person, forge, monkeypatch):
    monkeypatch.setattr("research.audit.many.MOST", 3)
    ensure_entity(name="Beta AG", jurisdiction="CH", aliases=[{"name": f"Beta {n}"} for n in range(9)])
    count = Statement.objects.count()
    faults = forge("DELETE FROM entities_statement").faults
    assert faults[-1] == f"The same is wrong with {count - 3} more rows of this kind."
    assert len(faults) == 4


def test_the_trail_says_nothing_of_what_stands_in_a_statement(memory):
    """A name in an event could never be erased; and a fingerprint without salt could be guessed."""
    told = json.dumps(list(AuditEvent.objects.values("detail", "witnessed", "object_id")), default=str)
    assert not any(word in told for word in ("Jane", "jane", "Roe", "passport", "born later"))
    fingerprints = {
        fingerprint
        for event in AuditEvent.objects.filter(action="memory.written")
        for row, fingerprint in event.witnessed.items()
        if row.startswith("statement:")
    }
    assert len(fingerprints) == Statement.objects.count()
    assert len(set(Statement.objects.values_list("salt", flat=True))) == Statement.objects.count()
    assert Statement.objects.filter(valid_from__lte=date.max, salt="").count() == 0
