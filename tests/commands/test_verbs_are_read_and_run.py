import io

import pytest

from research.models import Decision, VerbCall
from tests.factories import ResultFactory, UserFactory

pytestmark = pytest.mark.django_db
ENRICH = '(gleif.enrich :lei "529900K9B0N5BT694847" :as @subject)\n'


@pytest.fixture
def result():
    return ResultFactory(suggested_verbs=ENRICH)


@pytest.fixture
def approved(run, result, admin):
    assert run("research", "approve", str(result.pk), "--note", "x").code == 0
    return result


@pytest.fixture
def parse(run, tmp_path):
    def parse(text, *options):
        (tmp_path / "verbs.txt").write_text(text)
        return run("verbs", "parse", str(tmp_path / "verbs.txt"), *options)

    return parse


def test_it_prints_calls_with_their_places(parse):
    outcome = parse(f';; first\n{ENRICH}\n  (entity.ensure :name "A" :entity-type "fund")', "--json")
    assert outcome.code == 0
    first, second = outcome.document["calls"]
    assert first == {
        "verb": "gleif.enrich",
        "args": {"lei": "529900K9B0N5BT694847"},
        "binding": "subject",
        "line": 2,
        "column": 1,
    }
    assert (second["line"], second["column"], second["binding"]) == (4, 3, None)
    assert outcome.document["errors"] == []


def test_it_prints_every_fault_with_its_place(parse):
    outcome = parse('(gleif.enrich :lei )\n(entity.ensure :name "A"', "--json")
    assert outcome.code == 1
    errors = outcome.document["errors"]
    assert errors
    assert all(set(error) == {"line", "column", "message"} for error in errors)


def test_it_checks_against_the_catalogue_if_asked(parse):
    text = '(gleif.enchant :lei "x")'
    assert parse(text, "--json").document["errors"] == []
    outcome = parse(text, "--check", "--json")
    assert outcome.code == 1
    assert "gleif.enchant" in outcome.document["errors"][0]["message"]


def test_it_reads_standard_input(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(ENRICH))
    assert run("verbs", "parse", "-", "--json").document["calls"][0]["verb"] == "gleif.enrich"


def test_it_shows_calls_and_faults_to_a_person(parse):
    outcome = parse(f'{ENRICH}(entity.ensure :name "A\\x"')
    assert outcome.code == 1
    assert "gleif.enrich" in outcome.out
    assert "error:" in outcome.out


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_it_exits_with_2_for_a_file_that_cannot_be_read(run, tmp_path, content):
    if content:
        (tmp_path / "verbs.txt").write_bytes(content)
    assert run("verbs", "parse", str(tmp_path / "verbs.txt")).code == 2


def test_it_plans_what_is_suggested(run, result):
    outcome = run("verbs", "plan", str(result.pk))
    assert outcome.code == 0
    assert "suggested" in outcome.out
    [call] = run("verbs", "plan", str(result.pk), "--json").document["planned"]
    assert (call["verb"], call["effect"]) == ("gleif.enrich", "write")


def test_it_cannot_plan_verbs_that_are_not_sound(run):
    result = ResultFactory(suggested_verbs="(gleif.enchant)")
    outcome = run("verbs", "plan", str(result.pk))
    assert outcome.code == 1
    assert "gleif.enchant" in outcome.err


def test_it_runs_each_verb_once(run, approved):
    assert run("verbs", "run", str(approved.pk), "--json").document["calls"][0]["state"] == "succeeded"
    assert run("verbs", "run", str(approved.pk)).code == 0
    assert VerbCall.objects.get().attempts == 1
    assert "succeeded" in run("verbs", "plan", str(approved.pk)).out


def test_it_leaves_the_work_to_a_worker(
    run, approved, admin, silent_doorbell, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        assert run("verbs", "run", str(approved.pk), "--detach").code == 0
    assert silent_doorbell[-1] == ("execute_decision", (Decision.objects.get().pk, admin.pk))
    assert VerbCall.objects.get().state == "pending"


def test_it_does_not_run_what_nobody_approved(run, result, admin):
    outcome = run("verbs", "run", str(result.pk))
    assert outcome.code == 1
    assert "Nobody has approved" in outcome.err


def test_it_does_not_run_for_somebody_without_the_right(run, approved):
    outcome = run("verbs", "run", str(approved.pk), "--as", UserFactory().username)
    assert outcome.code == 1
    assert "execute_verbs" in outcome.err


def test_it_lists_every_verb(run):
    names = {verb["verb"] for verb in run("verbs", "catalogue", "--json").documents}
    assert {"gleif.enrich", "entity.ensure", "entity.link", "ownership.record", "fund.ensure"} <= names
    assert "red-flag.raise" in run("verbs", "catalogue").out
