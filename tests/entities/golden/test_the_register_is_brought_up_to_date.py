"""Sync takes the smallest file that leads to the newest publish, fetches it whole, and imports it."""

from datetime import timedelta

import pytest

from entities import tasks
from entities.gleif.golden import downloads
from entities.gleif.golden.files import BadFile
from entities.gleif.golden.importing import Refused
from entities.gleif.golden.publishes import Offer, Publish, PublisherTrouble
from entities.gleif.golden.syncing import folder as arrivals
from entities.gleif.golden.syncing import plan, sync_register
from entities.models import GoldenCopyImport, LeiRecord, LeiRelationship
from tests.cases import cases
from tests.publisher import SCOPES, Publisher
from tests.register_files import MORNING, attributes_of, exception_of, relationship_of

pytestmark = pytest.mark.django_db
NEXT = MORNING + timedelta(hours=8)


@pytest.fixture
def publisher(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    with Publisher() as server:
        settings.GOLDEN_COPY_BASE_URL = server.url
        yield server


@pytest.fixture
def full(publisher, folder):
    """A first publish of all three kinds, as zipped CSV."""
    records = [attributes_of(number) for number in range(1, 60)]
    publisher.offer("lei2", MORNING, folder.zipped(folder.file(records)), records=59)
    publisher.offer("rr", MORNING, folder.zipped(folder.file([relationship_of(2, 1)], kind="rr")), records=1)
    publisher.offer("repex", MORNING, folder.zipped(folder.file([exception_of(1)], kind="repex")), records=1)
    return publisher


@pytest.fixture
def delta(full, folder):
    """The publish of 8 hours later, with a delta of each span."""

    def publish() -> None:
        full.asked.clear()
        for scope, word in zip(SCOPES, ("intra-day", "last-day", "last-week", "last-month"), strict=True):
            name = f"20260210-1600-gleif-goldencopy-lei2-{word}.csv"
            file = folder.zipped(folder.file([attributes_of(2, "Neu")], name=name))
            full.offer("lei2", NEXT, file, scope, records=1)

    return publish


def sync() -> list[tuple[str, str]]:
    return [(account.kind, account.scope) for account in sync_register()]


def test_the_first_time_it_takes_everything(full):
    assert sync() == [("lei2", "full"), ("rr", "full"), ("repex", "full")]
    assert (LeiRecord.objects.count(), LeiRelationship.objects.count()) == (59, 1)
    assert list(arrivals().iterdir()) == []


def test_then_it_is_up_to_date_and_fetches_nothing(full):
    sync()
    full.asked.clear()
    assert sync() == []
    assert full.names_asked() == []


def test_a_later_publish_needs_its_smallest_delta(full, delta):
    sync()
    delta()
    assert sync() == [("lei2", "IntraDay")]
    assert full.names_asked() == ["20260210-1600-gleif-goldencopy-lei2-intra-day.csv.zip"]
    assert LeiRecord.objects.filter(legal_name="Neu").count() == 1


@cases(
    ("hours", "scope"),
    [(0, None), (8, "IntraDay"), (9, "LastDay"), (24, "LastDay"), (25, "LastWeek"), (24 * 8, "LastMonth"),
     (24 * 31, "LastMonth"), (24 * 31 + 1, "full")],
)  # fmt: skip
def test_the_delta_must_reach_back_to_what_is_held(hours, scope):
    offers = {name: Offer("lei2", name, NEXT, "https://x/a", None, None) for name in ("full", *SCOPES)}
    publish = Publish("lei2", NEXT, offers["full"], {name: offers[name] for name in SCOPES})
    best = publish.best_from(NEXT - timedelta(hours=hours))
    assert (best.scope if best else None) == scope
    assert publish.best_from(None).scope == "full"


def test_without_a_fitting_delta_it_takes_the_full_file(full, delta):
    sync()
    delta()
    full.publishes["lei2"]["delta_files"] = {}
    full.publishes["lei2"]["full_file"]["csv"]["record_count"] = 59
    assert [step.offer.scope if step.offer else None for step in plan()] == ["full", None, None]


def test_a_broken_line_goes_on_where_it_broke(full, monkeypatch):
    monkeypatch.setattr(downloads, "CHUNK", 100)
    full.cut_after = 300
    assert len(sync()) == 3
    (whole, whole_range), (rest, rest_range) = full.asked[1:3]
    assert (whole, whole_range, rest_range) == (rest, "", "bytes=300-")


def test_a_server_without_ranges_is_asked_again_from_the_start(full):
    full.ranges, full.cut_after = False, 300
    assert len(sync()) == 3


def test_what_has_arrived_before_is_not_fetched_again(full):
    name = "20260210-0800-gleif-goldencopy-lei2-golden-copy.csv.zip"
    arrivals().mkdir(parents=True)
    (arrivals() / f"{name}.part").write_bytes(full.files[name][:500])
    sync()
    assert full.asked[1] == (f"/storage/{name}", "bytes=500-")


def test_a_file_of_another_size_than_announced_is_not_imported(full):
    full.publishes["lei2"]["full_file"]["csv"]["size"] += 1
    with pytest.raises(PublisherTrouble, match="are announced"):
        sync()
    assert not LeiRecord.objects.exists()


def test_a_file_with_another_number_of_records_is_not_imported(full):
    full.publishes["lei2"]["full_file"]["csv"]["record_count"] = 60
    with pytest.raises(BadFile, match="60 are announced"):
        sync()
    assert not LeiRecord.objects.exists()
    assert list(arrivals().iterdir()) == []


def test_a_file_waits_while_another_import_runs(full):
    running = GoldenCopyImport.objects.create(
        kind="rr", scope="full", source="a", publish_date=MORNING, owner="far 1"
    )
    with pytest.raises(Refused):
        sync()
    assert [path.suffix for path in arrivals().iterdir()] == [".zip"]
    running.delete()
    full.asked.clear()
    sync()
    assert "20260210-0800-gleif-goldencopy-lei2-golden-copy.csv.zip" not in full.names_asked()


def test_what_went_live_before_trouble_stays(full):
    del full.files["20260210-0800-gleif-goldencopy-repex-golden-copy.csv.zip"]
    with pytest.raises(PublisherTrouble, match="HTTP 404"):
        sync()
    assert (LeiRecord.objects.count(), LeiRelationship.objects.count()) == (59, 1)


@cases(
    ("status", "body", "reason"),
    [
        (500, b"", "HTTP 500"),
        (429, b"", "HTTP 429"),
        (200, b"<html>", "not its list of files"),
        (200, b'{"data": {}}', "not its list of files"),
        (200, b'{"data": {"lei2": {"publish_date": "soon"}}}', "not its list of files"),
        (200, b"[" * 100_000, "not its list of files"),
    ],
)
def test_a_publisher_in_trouble_changes_nothing(full, status, body, reason):
    full.status, full.body = status, body
    with pytest.raises(PublisherTrouble, match=reason):
        sync()
    assert not GoldenCopyImport.objects.exists()


def test_a_publisher_that_is_away_changes_nothing(settings):
    settings.GOLDEN_COPY_BASE_URL = "http://127.0.0.1:9/api"
    with pytest.raises(PublisherTrouble, match="cannot be reached"):
        sync()


def test_half_a_list_changes_nothing(full):
    full.broken_off = True
    with pytest.raises(PublisherTrouble, match="cannot be reached"):
        sync()
    assert not GoldenCopyImport.objects.exists()


@pytest.mark.parametrize("delta", [None, {}, {"csv": None}, {"json": {"url": "https://example.org/a.json"}}])
def test_a_delta_that_is_not_there_as_csv_is_no_delta(full, delta):
    full.publishes["lei2"]["delta_files"]["IntraDay"] = delta
    sync()
    assert LeiRecord.objects.count() == 59


def test_a_file_that_is_nowhere_on_the_web_is_refused(full):
    full.publishes["lei2"]["full_file"]["csv"]["url"] = "file:///etc/hostname"
    with pytest.raises(PublisherTrouble):
        sync()


def test_the_list_may_be_wrapped_in_a_list(full):
    import json

    full.body = json.dumps({"data": [full.publishes]}).encode()
    assert len(plan()) == 3


def test_beat_does_the_same_without_anybody_watching(full):
    assert tasks.sync_register() == 3
    assert tasks.sync_register() == 0
