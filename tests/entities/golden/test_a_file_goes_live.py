"""A full file becomes the register, a delta changes it; each in one step, and again with the same outcome."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from entities.gleif.golden.importing import Refused, newest
from entities.models import GoldenCopyImport, LeiName, LeiRecord, LeiRelationship, ReportingException
from tests.cases import cases
from tests.register_files import (
    MORNING,
    attributes_of,
    exception_of,
    lei_of,
    relationship_of,
    rich_attributes,
)

pytestmark = pytest.mark.django_db
NEXT = MORNING + timedelta(hours=8)


def names() -> list[str]:
    return [record.legal_name for record in LeiRecord.objects.order_by("lei")]


@pytest.mark.parametrize("form", ["csv", "json", "xml"])
def test_every_record_is_there_with_all_its_names(load, form):
    account = load([attributes_of(1), rich_attributes(2)], form=form)
    record = LeiRecord.objects.get(pk=lei_of(2))
    assert (record.legal_name, record.successor, record.register) == ("Muster 2 GmbH", lei_of(77), "local")
    assert (record.entity_status, record.registration_status, str(record.next_renewal)) == (
        "ACTIVE",
        "ISSUED",
        "2027-01-05",
    )
    assert record.attributes == rich_attributes(2)
    assert record.as_of == "2026-02-10T08:00:00Z"
    kept = LeiName.objects.filter(lei=lei_of(2)).values_list("name", "type", "language", "key")
    assert list(kept) == [
        ("Muster 2 GmbH", "LEGAL_NAME", "de", "muster 2 gmbh"),
        ("Früher & Söhne", "PREVIOUS_LEGAL_NAME", "de", "fruher sohne"),
        ("Muster “M”", "TRADING_OR_OPERATING_NAME", "en", "muster m"),
        ("Frueher", "AUTO_ASCII_TRANSLITERATED_LEGAL_NAME", "en", "frueher"),
    ]
    assert (account.state, account.counts) == ("live", {"read": 2, "repeated": 0, "held": 2})


def test_a_full_file_takes_the_place_of_all_there_was(load):
    load([attributes_of(1), attributes_of(2)])
    load([attributes_of(2, "Neu"), attributes_of(3)], date=NEXT)
    assert names() == ["Neu", "Muster 3 GmbH"]
    assert set(LeiName.objects.values_list("lei", flat=True)) == {lei_of(2), lei_of(3)}


def test_what_was_read_elsewhere_stays_unless_the_file_has_it(load):
    for number in (1, 2):
        LeiRecord.objects.create(
            lei=lei_of(number), legal_name="Von der API", attributes={}, register="gleif"
        )
    load([attributes_of(2)])
    assert dict(LeiRecord.objects.values_list("lei", "register")) == {lei_of(1): "gleif", lei_of(2): "local"}


def test_the_tables_keep_their_indexes_and_go_on_counting(load):
    before = constraints()
    load([rich_attributes(1)])
    load([rich_attributes(1)], date=NEXT)
    assert constraints() == before
    new = LeiName.objects.create(lei=lei_of(1), name="x", type="y", key="x")
    assert new.pk not in LeiName.objects.exclude(pk=new.pk).values_list("pk", flat=True)


def constraints():
    found = {}
    with connection.cursor() as cursor:
        for model in (LeiRecord, LeiName, LeiRelationship, ReportingException):
            table = connection.introspection.get_constraints(cursor, model._meta.db_table)
            found |= {
                (name if not name.startswith("__") else "", tuple(facts["columns"] or ())): facts["unique"]
                for name, facts in table.items()
            }
    return found


def test_a_delta_changes_adds_and_leaves_the_rest(load):
    load([attributes_of(1), rich_attributes(2)])
    account = load([attributes_of(2, "Anders"), attributes_of(3)], scope="IntraDay", date=NEXT)
    assert names() == ["Muster 1 GmbH", "Anders", "Muster 3 GmbH"]
    assert [name.name for name in LeiName.objects.filter(lei=lei_of(2))] == ["Anders"]
    assert account.counts == {"read": 2, "repeated": 0, "changed": 1, "added": 1, "removed": 0, "held": 3}


def test_a_delta_again_changes_nothing_more(load):
    load([attributes_of(1)])
    for _ in range(2):
        account = load([attributes_of(1, "Neu"), rich_attributes(2)], scope="LastDay", date=NEXT)
    assert names() == ["Neu", "Muster 2 GmbH"]
    assert LeiName.objects.count() == 5
    assert (account.counts["added"], account.counts["held"]) == (0, 2)


def test_what_a_delta_says_is_deleted_goes(load):
    load([relationship_of(1, 2), relationship_of(3, 2)], kind="rr")
    load([relationship_of(1, 2, deleted=True)], kind="rr", scope="IntraDay", date=NEXT)
    assert list(LeiRelationship.objects.values_list("start", flat=True)) == [lei_of(3)]
    load([exception_of(1), exception_of(2)], kind="repex")
    account = load(
        [exception_of(1, deleted=True), exception_of(9, deleted=True)],
        kind="repex",
        scope="LastDay",
        date=NEXT,
    )
    assert list(ReportingException.objects.values_list("lei", flat=True)) == [lei_of(2)]
    assert (account.counts["removed"], account.counts["held"]) == (1, 1)


def test_what_a_full_file_says_is_deleted_is_left_out(load):
    load([relationship_of(1, 2, deleted=True), relationship_of(3, 2)], kind="rr")
    assert list(LeiRelationship.objects.values_list("start", flat=True)) == [lei_of(3)]


@pytest.mark.parametrize("turned", [False, True])
def test_of_one_relationship_twice_the_active_and_newest_counts(load, turned):
    old = relationship_of(1, 2, status="INACTIVE", updated="2026-02-01T00:00:00Z")
    new = relationship_of(1, 2, updated="2026-01-15T00:00:00Z")
    newest_one = relationship_of(1, 2, updated="2026-01-20T00:00:00Z")
    records = [old, new, newest_one]
    account = load(records[::-1] if turned else records, kind="rr")
    kept = LeiRelationship.objects.get()
    assert (kept.status, kept.attributes) == ("ACTIVE", newest_one)
    assert LeiRelationship.objects.count() == 1
    assert account.counts["read"] == 3


def test_a_relationship_is_kept_with_all_it_says(load):
    load([relationship_of(1, 2, "IS_FUND-MANAGED_BY")], kind="rr")
    kept = LeiRelationship.objects.get()
    assert (kept.start, kept.end, kept.type, kept.register) == (
        lei_of(1),
        lei_of(2),
        "IS_FUND-MANAGED_BY",
        "local",
    )
    assert kept.attributes == relationship_of(1, 2, "IS_FUND-MANAGED_BY")


def test_a_file_older_than_the_register_is_refused(load):
    load([attributes_of(1)], date=NEXT)
    with pytest.raises(Refused, match="the file is older"):
        load([attributes_of(2)])
    with pytest.raises(Refused, match="the file is older"):
        load([attributes_of(2)], scope="LastWeek")
    assert names() == ["Muster 1 GmbH"]


@cases(
    ("scope", "hours", "fits"),
    [("IntraDay", 8, True), ("IntraDay", 9, False), ("LastDay", 24, True), ("LastDay", 25, False),
     ("LastWeek", 7 * 24, True), ("LastMonth", 31 * 24, True), ("LastMonth", 31 * 24 + 1, False)],
)  # fmt: skip
def test_a_delta_must_begin_where_the_register_ends(load, scope, hours, fits):
    load([attributes_of(1)])
    later = MORNING + timedelta(hours=hours)
    if fits:
        assert load([attributes_of(2)], scope=scope, date=later).state == "live"
    else:
        with pytest.raises(Refused, match="Import a longer delta or a full file"):
            load([attributes_of(2)], scope=scope, date=later)


def test_a_file_from_the_future_is_refused_for_it_would_keep_out_all_others(load):
    with pytest.raises(Refused, match="which is to come"):
        load([attributes_of(1)], date=timezone.now() + timedelta(days=2))
    load([attributes_of(1)], date=timezone.now() + timedelta(hours=2))
    assert newest("lei2") is not None


def test_a_delta_in_which_nothing_changed_is_taken(load):
    load([attributes_of(1)])
    for form in ("csv", "xml"):
        name = f"20260210-1600-gleif-goldencopy-lei2-intra-day.{form}"
        done = load([], form=form, name=name, scope="IntraDay", date=MORNING + timedelta(hours=8))
        assert done.counts["held"] == 1


def test_a_delta_without_a_register_is_refused(load):
    with pytest.raises(Refused, match="import a full file of LEI records first"):
        load([attributes_of(1)], scope="IntraDay")


def test_a_full_file_that_lacks_much_of_the_register_is_refused_unless_said_otherwise(load):
    load([attributes_of(number) for number in range(1, 21)])
    with pytest.raises(Refused, match="17 records and the register 20"):
        load([attributes_of(number) for number in range(1, 18)], date=NEXT)
    assert len(names()) == 20
    load([attributes_of(1)], date=NEXT, shrunk=True)
    assert len(names()) == 1


def test_the_newest_import_says_what_the_register_holds(load):
    assert newest("lei2") is None
    load([attributes_of(1)])
    last = load([attributes_of(1)], scope="IntraDay", date=NEXT)
    assert newest("lei2") == last
    assert newest("rr") is None


def test_progress_is_told_with_bytes_rate_and_time_left(folder, monkeypatch):
    from entities.gleif.golden import importing

    monkeypatch.setattr(importing, "BATCH", 2)
    seconds = iter(range(100))
    told = []
    path = folder.file([attributes_of(number) for number in range(1, 6)])
    importing.import_file(path, report=told.append, clock=lambda: float(next(seconds)))
    assert [progress.rows for progress in told if progress.phase == "reading"] == [2, 4, 5]
    assert [progress.phase for progress in told][-2:] == ["checking", "going live"]
    assert told[1].rate == pytest.approx(4 / told[1].seconds)
    assert told[-1].done == told[-1].total == path.stat().st_size
    assert told[-1].seconds_left == 0
    assert GoldenCopyImport.objects.get().done == path.stat().st_size


def test_an_import_that_breaks_off_leaves_the_register_and_can_be_repeated(load, monkeypatch):
    from entities.gleif.golden import importing

    load([attributes_of(1)])

    def stop(progress):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(importing._Work, "_tell", lambda self, phase, always=False: stop(phase))
        with pytest.raises(KeyboardInterrupt):
            load([attributes_of(2)], date=NEXT)
    assert names() == ["Muster 1 GmbH"]
    broken = GoldenCopyImport.objects.first()
    assert (broken.state, broken.error) == ("failed", "The import broke off: KeyboardInterrupt")
    load([attributes_of(1), attributes_of(2)], date=NEXT)
    assert len(names()) == 2


def test_what_a_killed_import_left_behind_does_no_harm(load, monkeypatch):
    from entities.gleif.golden.store import Incoming

    left = Incoming("lei2")
    left.prepare()
    dead = GoldenCopyImport.objects.create(
        kind="lei2",
        scope="full",
        source="a",
        publish_date=MORNING,
        beat_at=timezone.now() - timedelta(hours=1),
    )
    load([attributes_of(1)])
    dead.refresh_from_db()
    assert (dead.state, dead.error) == (
        "failed",
        "The import broke off; the register before it is still live.",
    )
    assert names() == ["Muster 1 GmbH"]


def test_a_second_import_is_refused_while_one_runs(load):
    GoldenCopyImport.objects.create(
        kind="rr", scope="full", source="a", publish_date=MORNING, owner="elsewhere 1"
    )
    with pytest.raises(Refused, match="Another import is running"):
        load([attributes_of(1)])
    assert LeiRecord.objects.count() == 0


def test_an_import_that_was_taken_for_dead_does_not_go_live(load, monkeypatch):
    from entities.gleif.golden.store import Incoming

    load([attributes_of(1)])
    complete = Incoming.complete

    def taken_over(self):
        GoldenCopyImport.objects.filter(state="running").update(state="failed")
        return complete(self)

    monkeypatch.setattr(Incoming, "complete", taken_over)
    with pytest.raises(Refused, match="taken for dead"):
        load([attributes_of(2)], date=NEXT)
    assert names() == ["Muster 1 GmbH"]


@pytest.mark.parametrize("scope", ["full", "IntraDay"])
def test_the_planner_knows_the_new_register(load, scope):
    """Without statistics it would read millions of rows for want of knowing better."""
    load([attributes_of(1)])
    load([attributes_of(number) for number in range(1, 9)], scope=scope, date=NEXT)
    assert planned_rows("entities_leirecord") == 8
    assert planned_rows("entities_leiname") == 8


def planned_rows(table):
    sql = "SELECT stat FROM sqlite_stat1 WHERE tbl = %s ORDER BY stat DESC LIMIT 1"
    if connection.vendor == "postgresql":
        sql = (
            "SELECT reltuples FROM pg_class WHERE oid = %s::regclass "
            "AND EXISTS (SELECT 1 FROM pg_stats WHERE tablename = relname)"
        )
    with connection.cursor() as cursor:
        cursor.execute(sql, [table])
        return int(str(cursor.fetchone()[0]).split()[0].split(".")[0])
