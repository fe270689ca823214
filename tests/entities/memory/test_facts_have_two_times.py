"""What was said stays: when it holds in the world, and since when Dossier knows it."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import DatabaseError, transaction

from entities import memory
from entities.memory import ChangeLog, Fact, Origin, Period, RefusedWrite, knowledge_of
from entities.models import EntityAct, Relationship, Statement
from tests.cases import cases
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
OWNED = Relationship.Type.OWNED_BY
MARCH, MAY, JULY = (datetime(2026, month, 1, 12, tzinfo=UTC) for month in (3, 5, 7))


@pytest.fixture
def child():
    return EntityFactory(slug="child", name="Child Ltd")


@pytest.fixture
def parent():
    return EntityFactory(slug="parent", name="Parent plc")


def log(at=MARCH, source="annual report", kind="document", **more):
    return ChangeLog(origin=Origin(kind=kind, source=source, **more), at=at)


def own(child, parent, share, at=MARCH, source="annual report", **more):
    return memory.link(
        subject=child, object=parent, type=OWNED, percentage=share, log=log(at, source), **more
    )


def shares(entity, day=None, known_at=None):
    """[(share, from, to, contradicted)] of what held on the day."""
    told = knowledge_of(entity, day=day, known_at=known_at).facts
    return [
        (
            int(one.statement.share_low),
            str(one.statement.valid_from),
            str(one.statement.valid_to),
            one.contradicted,
        )
        for one in told
        if one.statement.property == OWNED and one.statement.share_low is not None
    ]


def current():
    rows = Statement.objects.filter(recorded_to=None, property=OWNED).order_by("valid_from", "share_low")
    return [(int(one.share_low), str(one.valid_from), str(one.valid_to), one.source) for one in rows]


def test_a_later_report_ends_the_earlier_share_and_both_stay(child, parent):
    own(child, parent, 70, MARCH, "report 2025", as_of=date(2025, 12, 31))
    own(child, parent, 40, MAY, "report 2026", as_of=date(2026, 4, 30))
    assert shares(child, date(2026, 1, 15)) == [(70, "None", "2026-04-30", False)]
    assert shares(child, date(2026, 5, 2)) == [(40, "2026-04-30", "None", False)]
    assert shares(child, date(2026, 5, 2), MARCH + timedelta(days=1)) == [(70, "None", "None", False)]
    assert shares(child, date(2026, 5, 2), MARCH - timedelta(days=1)) == []
    assert Relationship.objects.get().percentage == 40


def test_a_report_that_comes_late_is_history(child, parent):
    own(child, parent, 40, MARCH, "report 2026", as_of=date(2026, 2, 1))
    own(child, parent, 70, MAY, "report 2025", as_of=date(2025, 2, 1))
    assert Relationship.objects.get().percentage == 40
    assert shares(child, date(2025, 6, 1)) == [(70, "None", "2026-02-01", False)]
    assert shares(child, date(2026, 6, 1)) == [(40, "2026-02-01", "None", False)]


def test_two_sources_that_disagree_about_the_same_days_stand_beside_each_other(child, parent):
    own(child, parent, 70, MARCH, "register")
    own(child, parent, 40, MAY, "annual report")
    assert sorted(shares(child)) == [(40, "None", "None", True), (70, "None", "None", True)]
    [found] = memory.contradictions()
    assert (found.share_low, found.contradicts.share_low) == (40, 70)
    assert Relationship.objects.get().percentage == 40


def test_a_band_that_holds_the_exact_share_is_no_contradiction(child, parent):
    own(child, parent, 30)
    band = Fact(OWNED, object=parent.pk, share_low=Decimal(25), share_high=Decimal(50), share_low_open=True)
    memory.state(subject=child, facts=[band], log=log(MAY, "register", "register"))
    assert not memory.contradictions().exists()
    edge = Fact(OWNED, object=parent.pk, share_low=Decimal(30), share_high=Decimal(50), share_low_open=True)
    memory.state(subject=child, facts=[edge], log=log(JULY, "another", "register"))
    assert memory.contradictions().count() == 1


def test_the_same_source_corrects_itself_for_the_same_days(child, parent):
    own(child, parent, 70, valid_from=date(2026, 1, 1))
    own(child, parent, 40, MAY, valid_from=date(2026, 1, 1))
    assert current() == [(40, "2026-01-01", "None", "annual report")]
    old = Statement.objects.get(share_low=70)
    assert (old.recorded_to, old.superseded_by.share_low) == (MAY, 40)


def test_a_change_within_a_period_leaves_what_is_before_and_after_it(child, parent):
    """As the books on SQL:2011 have it: UPDATE ... FOR PORTION OF."""
    own(child, parent, 70, valid_from=date(2020, 1, 1))
    portion = Period(date(2022, 1, 1), date(2023, 1, 1))
    middle = Fact(OWNED, object=parent.pk, share_low=Decimal(40), share_high=Decimal(40), valid=portion)
    memory.state(subject=child, facts=[middle], log=log(MAY))
    assert current() == [
        (70, "2020-01-01", "2022-01-01", "annual report"),
        (40, "2022-01-01", "2023-01-01", "annual report"),
        (70, "2023-01-01", "None", "annual report"),
    ]


def test_a_register_that_says_something_new_without_a_date_says_it_from_its_day_on(child):
    def named(name, at, day):
        facts = [Fact("jurisdiction", value=name)]
        memory.state(subject=child, facts=facts, log=log(at, "LEI register", "register", as_of=day))

    named("DE", MARCH, date(2026, 2, 27))
    named("DE", MAY, date(2026, 4, 27))
    named("LU", JULY, date(2026, 6, 29))
    rows = Statement.objects.filter(property="jurisdiction", recorded_to=None)
    told = [(one.value, str(one.valid_from), str(one.valid_to), one.valid_to_precision) for one in rows]
    assert sorted(told) == [("DE", "None", "2026-06-29", "unknown"), ("LU", "2026-06-29", "None", "unknown")]


def test_what_the_same_source_says_again_is_not_repeated(child, parent):
    for at in (MARCH, MAY, JULY):
        own(child, parent, 70, at)
    assert Statement.objects.filter(property=OWNED).count() == 1


def test_another_source_that_says_the_same_is_kept_as_evidence(child, parent):
    own(child, parent, 70, MARCH, "register")
    own(child, parent, 70, MAY, "annual report")
    assert sorted(shares(child)) == [(70, "None", "None", False)] * 2


def test_an_end_that_another_source_tells_ends_it(child, parent):
    own(child, parent, 70, MARCH, "register", valid_from=date(2020, 1, 1))
    own(child, parent, None, MAY, "press release", valid_to=date(2026, 4, 1))
    assert shares(child, date(2026, 3, 1))[0] == (70, "2020-01-01", "2026-04-01", False)
    assert [one.statement for one in knowledge_of(child, day=date(2026, 4, 1)).facts] == []


def test_an_entity_is_told_with_its_names_and_details_as_they_were():
    first = log(MARCH, "LEI register", "register", as_of=date(2026, 2, 27))
    entity = memory.ensure_entity(
        name="Old SE",
        lei="529900K9B0N5BT694847",
        aliases=[{"name": "Alte SE"}],
        metadata={"entity_status": "ACTIVE"},
        rename=True,
        log=first,
    )
    memory.ensure_entity(
        name="New SE",
        lei="529900K9B0N5BT694847",
        aliases=[{"name": "Old SE"}],
        metadata={"entity_status": "INACTIVE"},
        rename=True,
        log=log(JULY, "LEI register", "register", as_of=date(2026, 6, 29)),
    )

    def values(day, known=None):
        facts = knowledge_of(entity, day=day, known_at=known).facts
        return {one.statement.property: one.statement.value for one in facts}

    old = {"name": "Old SE", "alias": "Alte SE", "status": "ACTIVE"}
    new = {"name": "New SE", "alias": "Old SE", "status": "INACTIVE"}
    same = {"type": "legal-entity", "identifier": "529900K9B0N5BT694847"}
    assert values(date(2026, 4, 1)) == old | same
    assert values(date(2026, 7, 2)) == new | same
    assert values(date(2026, 7, 2), MAY) == old | same


def test_what_a_form_no_longer_has_ends(child):
    form = memory.add_representation(
        entity=child, type="bic", authority="SWIFT", key="ALLVDEMMXXX", log=log()
    )
    memory.deactivate_representation(representation=form, reason="closed", log=log(MAY, "a person", "person"))
    assert {one.statement.value for one in knowledge_of(child, day=date(2026, 4, 1)).facts} == {"ALLVDEMMXXX"}
    assert knowledge_of(child, day=date(2026, 5, 1)).facts == ()


def test_what_was_said_of_a_merged_entity_is_said_of_the_one_that_stays(child, parent):
    person = UserFactory(rights=["merge_entity"])
    twin = EntityFactory(slug="twin", name="Twin")
    own(twin, parent, 70)
    plan = memory.plan_merge(into=child, other=twin)
    act = memory.merge_entities(
        into=child, other=twin, actor=person, reason="the same", digest=plan.digest, now=MAY
    )
    assert shares(child)[0][0] == 70
    assert shares(child, known_at=MAY - timedelta(days=1)) == []
    own(child, parent, 70)  # the same source has said it already
    assert Statement.objects.filter(property=OWNED).count() == 1
    memory.undo_merge(act=act, actor=person, reason="two after all", now=JULY)
    assert shares(child) == []
    assert shares(child, known_at=JULY - timedelta(days=1))[0][0] == 70
    assert EntityAct.objects.count() == 2


@cases(
    "more, why",
    [
        ({"valid_from": date(2026, 2, 2), "valid_to": date(2026, 2, 1)}, "before it begins"),
        ({"valid_from": date(2026, 3, 3)}, "in the future"),
        ({"as_of": date(2026, 3, 3)}, "in the future"),
        ({"share": 101}, "not a percentage"),
        ({"share": Decimal("NaN")}, "not a percentage"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(child, parent, more, why):
    with pytest.raises(RefusedWrite, match=why):
        own(child, parent, more.pop("share", 70), **more)
    assert not Statement.objects.exists()
    assert not Relationship.objects.exists()


def test_a_writer_that_dies_leaves_neither_row_nor_statement(child, parent, monkeypatch):
    monkeypatch.setattr("entities.memory.writes._restate", lambda *rest: 1 / 0)
    own(child, parent, 70)
    with pytest.raises(ZeroDivisionError):
        own(child, parent, 40, MAY, "another")
    assert current() == [(70, "None", "None", "annual report")]


@cases(
    "change",
    [
        {"value": "other"},
        {"valid_to": date(2026, 1, 1)},
        {"source": "somebody else"},
        {"signed_by": "mallory"},
        {"recorded_to": None},
        {"recorded_to": JULY + timedelta(days=9)},
        {"superseded_by": None},
    ],
)
def test_the_database_refuses_every_change_of_what_was_said(child, parent, change):
    own(child, parent, 70)
    own(child, parent, 40, MAY)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Statement.objects.filter(share_low=70, recorded_to__isnull=False).update(**change)


def test_the_database_refuses_to_lose_what_was_said(child, parent):
    own(child, parent, 70)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Statement.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        Statement.objects.update(superseded_by=Statement.objects.get())  # it has not ended


def test_what_is_said_of_the_other_side_is_found_from_there(child, parent):
    own(child, parent, 70)
    [told] = knowledge_of(parent, direction="in").facts
    assert (told.statement.subject, told.statement.share_low) == (child, 70)
