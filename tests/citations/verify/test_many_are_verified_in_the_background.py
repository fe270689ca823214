"""Bulk verification: at the pace of the sources, with progress, going on where a worker left it."""

from datetime import UTC, datetime, timedelta

import pytest

from citations import tasks
from citations.models import BulkState, BulkVerification, Citation
from citations.services import bulk
from citations.services.bulk import run_bulk, sweep_bulk, verify_again
from tests.court_server import hit
from tests.factories import CitationFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sources")]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def rings(monkeypatch):
    rung = []
    monkeypatch.setattr(bulk, "_ring", rung.append)
    return rung


@pytest.fixture
def many():
    return [
        CitationFactory(kind="bger", key="BGer 4A_1/2020"),
        CitationFactory(kind="bger", key="BGer 4A_2/2020"),
        CitationFactory(kind="bge", key="BGE 147 VII 1"),
        CitationFactory(kind="statute", key="Art. 97 OR"),
    ]


def test_each_is_verified_and_progress_is_seen(many, courts):
    courts.hits = [hit("4A_1/2020", "Werkvertrag")]
    row = verify_again(citations=many)
    assert (row.total, row.done, row.state) == (4, 0, BulkState.QUEUED)
    assert tasks.verify_bulk(row.pk) == 4
    row.refresh_from_db()
    assert (row.done, row.state, row.trouble, row.finished_at is None) == (4, BulkState.FINISHED, "", False)
    assert dict(Citation.objects.values_list("key", "verdict")) == {
        "BGer 4A_1/2020": "exists",
        "BGer 4A_2/2020": "not_found_here",
        "BGE 147 VII 1": "nonexistent",
        "Art. 97 OR": "unknown",
    }


def test_the_worker_is_rung_for_when_it_is_committed(many, rings, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        row = verify_again(citations=many, asked_by=UserFactory())
    assert rings == [row.pk]


def test_trouble_is_noted_and_takes_no_answer_away(many, courts):
    Citation.objects.filter(key="BGer 4A_1/2020").update(verdict="exists", reason="found")
    courts.trouble = "bot"
    row = verify_again(citations=many)
    assert run_bulk(row.pk) == 2
    row.refresh_from_db()
    assert (row.done, row.state) == (4, BulkState.FINISHED)
    assert "keeps robots out" in row.trouble
    assert Citation.objects.get(key="BGer 4A_1/2020").verdict == "exists"


def test_two_workers_do_not_do_the_same(many, courts):
    row = verify_again(citations=many)
    BulkVerification.objects.filter(pk=row.pk).update(state=BulkState.RUNNING, alive_at=NOW)
    assert run_bulk(row.pk, now=NOW + timedelta(minutes=1)) == 0
    assert courts.asked == []


def test_what_a_worker_left_is_gone_on_with(many, courts, rings):
    row = verify_again(citations=many)
    BulkVerification.objects.filter(pk=row.pk).update(state=BulkState.RUNNING, alive_at=NOW, done=1)
    later = NOW + timedelta(minutes=6)
    assert sweep_bulk(now=NOW + timedelta(minutes=1)) == 0
    assert (sweep_bulk(now=later), rings) == (1, [row.pk])
    assert run_bulk(row.pk, now=later) == 3
    row.refresh_from_db()
    assert (row.done, row.state) == (4, BulkState.FINISHED)
    assert len(courts.asked) == 1


def test_what_nobody_has_begun_is_rung_for_again(many, rings):
    row = verify_again(citations=many)
    assert sweep_bulk(now=row.created_at + timedelta(minutes=6)) == 1


def test_a_ring_for_nothing_does_no_harm():
    assert run_bulk(4711) == 0
