"""``manage.py research enrich`` for people and programs."""

import io

import pytest

from entities.memory import store_research_results
from research.management.enrich_actions import Progress
from research.models import Run
from tests.entities.markets.market import MINT
from tests.factories import EntityFactory, RunFactory

pytestmark = pytest.mark.django_db
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


def fresh(name):
    entity = EntityFactory(name=name)
    store_research_results(entity=entity, findings={"summary": "s", "confidence": 70}, sources=TWO)


def test_it_works_to_the_end_and_says_how_each_ended(macro, market, run):
    done = run("research", "enrich", "Allianz SE", MINT, "Nobody of Nowhere at all", "--json")
    assert done.code == 0
    entries = {entry["identifier"]: entry for entry in done.document["entities"]}
    assert [entry["status"] for entry in entries.values()] == ["researched", "researched", "not_found"]
    assert done.document["state"] == "succeeded"
    assert entries[MINT]["audit"]["toolsFailed"] == []
    assert "3 of 3 entities" in done.err


def test_people_see_a_table(macro, run):
    done = run("research", "enrich", "Allianz SE")
    assert "researched  Allianz SE  allianz-se  confidence 80  3 of 3 sources" in done.out
    assert "See what was found: ./manage.py research result" in done.out


def test_what_is_fresh_makes_no_run(macro, run):
    fresh("Mill")
    done = run("research", "enrich", "Mill")
    assert "Everything is fresh: nobody was asked." in done.out
    assert not Run.objects.exists()
    assert run("research", "enrich", "Mill", "--json").document["run"] is None


def test_it_can_be_left_to_a_worker(macro, run, silent_doorbell, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        done = run("research", "enrich", "Allianz SE", "--detach", "--json")
    assert done.document["entities"][0]["status"] == "queued"
    assert silent_doorbell == [("perform_run", (done.document["run"],))]


def test_summaries_come_from_a_file(macro, market, run, tmp_path):
    path = tmp_path / "summaries.txt"
    path.write_text(f"bought (mint:{MINT})\n\nsold\n", encoding="utf-8")
    done = run("research", "enrich", "--summaries", str(path), "--json")
    assert done.document["classification"]["interesting"] == [f"bought (mint:{MINT})", "sold"]


@pytest.mark.parametrize(
    ("arguments", "code"), [([], 2), (["x", "--max-age", "-5"], 2), (["--summaries", "/nowhere/at/all"], 2)]
)
def test_a_mistake_is_named(macro, run, arguments, code):
    assert run("research", "enrich", *arguments).code == code


def test_a_batch_with_a_failure_ends_with_1(macro, run, monkeypatch):
    from research.engine.workflows.entity import Subject

    def perform(self, worker):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Subject, "perform", perform)
    done = run("research", "enrich", "Allianz SE")
    assert done.code == 1
    assert "failed" in done.out


def test_hostile_identifiers_cannot_act_on_a_terminal(macro, run):
    assert "\x1b" not in run("research", "enrich", "\x1b[2J evil").out


def test_progress_counts_entities(db):
    head = RunFactory(params={"identifiers": ["a", "b", "c"]})
    RunFactory(parent=head, state="succeeded", directive="1.1")
    RunFactory(parent=head, state="running", directive="1.2")
    stream = io.StringIO()
    progress = Progress(stream, head)
    progress.step()
    progress.close()
    assert "1 of 3 entities" in stream.getvalue()
