import json

import pytest

from research.models import ResearchResult, Run, Step
from research.models.states import RunState, StepKind
from tests.factories import ResultFactory, RunFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db
ALLIANZ = "client_name=Allianz SE"


@pytest.fixture(autouse=True)
def synced(run):
    assert run("macros", "sync").code == 0


def test_it_works_until_the_run_ends_and_says_what_was_found(run):
    outcome = run("research", "run", "client-discovery", ALLIANZ, "max_entities=3")
    assert outcome.code == 0, outcome.err
    research = Run.objects.get()
    assert (research.state, research.trigger) == ("succeeded", "cli")
    assert "lei_search" in outcome.out
    assert f"manage.py research result {research.result.pk}" in outcome.out


def test_it_takes_options_and_parameters_in_any_order(run):
    outcome = run(
        "research", "run", "--detach", "client-discovery", ALLIANZ, "--depth", "quick", "max_entities=3"
    )
    assert outcome.code == 0, outcome.err
    research = Run.objects.get()
    assert (research.depth, research.params["max_entities"]) == ("quick", 3)


def test_it_prints_one_document_and_nothing_else(run):
    outcome = run("research", "run", "client-discovery", ALLIANZ, "max_entities=3", "--json")
    assert outcome.document["state"] == "succeeded"
    assert outcome.document["result"] == str(ResearchResult.objects.get().pk)


def test_it_says_why_a_run_failed_with_the_nearest_names(run):
    outcome = run("research", "run", "client-discovery", "client_name=Alianz Holding XY")
    assert outcome.code == 1
    assert "ALLIANZ HOLDINGS PLC" in outcome.out
    assert "manage.py research resume" in outcome.out
    assert not ResearchResult.objects.exists()


def test_it_leaves_the_work_to_a_worker(run, silent_doorbell, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        outcome = run("research", "run", "client-discovery", ALLIANZ, "--detach", "--json")
    assert (outcome.code, outcome.document["state"]) == (0, "queued")
    assert silent_doorbell == [("perform_run", (outcome.document["id"],))]


def test_it_reads_parameters_from_a_file_and_lets_the_line_win(run, tmp_path):
    file = tmp_path / "params.json"
    file.write_text(json.dumps({"client_name": "Siemens AG", "max_entities": 2}))
    run("research", "run", "client-discovery", "--params", str(file), ALLIANZ, "--detach")
    params = Run.objects.get().params
    assert (params["client_name"], params["max_entities"]) == ("Allianz SE", 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nosuch", "a=b"], ["nosuch", "client-discovery"]),
        (["client-discovery"], ["client_name", "required"]),
        (["client-discovery", ALLIANZ, "colour=red"], ["colour", "client_name"]),
        (["client-discovery", ALLIANZ, "max_entities=many"], ["max_entities", "integer"]),
        (["client-discovery", ALLIANZ, "focus_area=gossip"], ["focus_area", "fund_structure"]),
        (["client-discovery", "Allianz SE"], ["name=value"]),
        (["client-discovery", ALLIANZ, "client_name=B"], ["client_name", "twice"]),
        (["client-discovery", ALLIANZ, "--as", "ghost"], ["ghost"]),
        (["client-discovery", ALLIANZ, "--session", "not an id"], ["session"]),
    ],
)
def test_it_exits_with_2_and_names_what_is_wrong_and_what_is_allowed(run, arguments, words):
    outcome = run("research", "run", *arguments)
    assert outcome.code == 2
    assert all(word in outcome.err for word in words), outcome.err
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("text", "word"), [("[1]", "object"), ("{", "line 1"), ('{"a": NaN}', "NaN"), (None, "No such file")]
)
def test_it_exits_with_2_for_a_parameter_file_that_cannot_be_read(run, tmp_path, text, word):
    file = tmp_path / "params.json"
    if text is not None:
        file.write_text(text)
    outcome = run("research", "run", "client-discovery", "--params", str(file))
    assert outcome.code == 2
    assert "params.json" in outcome.err
    assert word in outcome.err


def test_it_reports_every_wrong_parameter_in_json(run):
    outcome = run("research", "run", "client-discovery", "a=1", "b=2", "--json")
    assert outcome.code == 2
    assert [error["name"] for error in outcome.document["error"]["errors"]] == ["a", "b"]


def test_it_takes_part_in_a_session_or_opens_one(run):
    session = SessionFactory()
    run("research", "run", "client-discovery", ALLIANZ, "--session", str(session.pk), "--detach")
    run("research", "run", "client-discovery", ALLIANZ, "--session", "new", "--detach")
    first, second = Run.objects.order_by("created_at")
    assert first.session == session
    assert second.session not in (None, session)


def test_it_refuses_a_session_that_is_busy(run):
    session = SessionFactory()
    RunFactory(session=session)
    outcome = run("research", "run", "client-discovery", ALLIANZ, "--session", str(session.pk))
    assert outcome.code == 1
    assert "session" in outcome.err


def test_it_waits_for_a_person_when_it_should_be_cautious(run, admin):
    outcome = run("research", "run", "client-discovery", ALLIANZ, "--autonomy", "cautious")
    research = Run.objects.get()
    assert (outcome.code, research.state) == (0, RunState.AWAITING_CONFIRMATION)
    assert f"manage.py research confirm {research.pk}" in outcome.out
    assert run("research", "confirm", str(research.pk)).code == 0
    assert Run.objects.get().state == RunState.SUCCEEDED


def test_it_confirms_with_other_parameters(run, admin, tmp_path):
    run("research", "run", "client-discovery", ALLIANZ, "--autonomy", "cautious")
    (tmp_path / "other.json").write_text('{"client_name": "Siemens AG", "max_entities": 2}')
    arguments = ["confirm", str(Run.objects.get().pk), "--edit", str(tmp_path / "other.json"), "--detach"]
    assert run("research", *arguments).code == 0
    assert Run.objects.get().params["client_name"] == "Siemens AG"


def test_it_takes_up_a_run_that_was_stopped(run, admin):
    run("research", "run", "client-discovery", ALLIANZ, "max_entities=2", "--detach")
    key = str(Run.objects.get().pk)
    assert run("research", "cancel", key, "--json").document["state"] == "cancelled"
    assert run("research", "resume", key, "--json").document["state"] == "succeeded"


def test_it_can_be_interrupted_and_taken_up_again(run, admin, monkeypatch):
    from research.engine import tool_calls

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(tool_calls, "call", interrupt)
        outcome = run("research", "run", "client-discovery", ALLIANZ, "max_entities=2")
    key = str(Run.objects.get().pk)
    assert outcome.code == 1
    assert f"manage.py research resume {key}" in outcome.err
    assert run("research", "resume", key).code == 0


@pytest.mark.parametrize(
    ("action", "state"), [("confirm", "queued"), ("resume", "succeeded"), ("cancel", "failed")]
)
def test_it_refuses_what_the_state_does_not_allow(run, admin, action, state):
    outcome = run("research", action, str(RunFactory(state=state).pk))
    assert outcome.code == 1
    assert state in outcome.err


def test_it_shows_a_run_by_the_beginning_of_its_id(run):
    research = RunFactory()
    assert run("research", "status", str(research.pk)[:8], "--json").document["id"] == str(research.pk)


@pytest.mark.parametrize(("key", "code"), [("ffffffff", 1), ("xyz", 2), ("", 2), ("abc", 2), ("f" * 33, 2)])
def test_it_knows_no_other_runs(run, key, code):
    assert run("research", "status", key).code == code


def test_it_does_not_guess_between_two_ids(run):
    for last in "12":
        RunFactory(id=f"aaaaaaaa-0000-0000-0000-00000000000{last}")
    outcome = run("research", "status", "aaaaaaaa")
    assert outcome.code == 2
    assert "more than one" in outcome.err


def test_it_shows_the_journal(run):
    research = RunFactory()
    intent = {"id": "1", "arguments": {"name": "A\x1b[2J"}}
    Step.objects.create(
        run=research,
        seq=1,
        kind=StepKind.TOOL,
        name="lei_search",
        intent=intent,
        answer={"success": True},
        fence=1,
    )
    assert "lei_search  name=A\\x1b[2J" in run("research", "steps", str(research.pk)).out
    [step] = run("research", "steps", str(research.pk), "--json").documents
    assert step["name"] == "lei_search"


def test_it_shows_the_result_of_a_run_in_its_status(run):
    result = ResultFactory()
    assert str(result.pk) in run("research", "status", str(result.run_id)).out


def test_it_asks_in_the_name_of_a_person(run):
    person = UserFactory(rights=["start_run"])
    run("research", "run", "client-discovery", ALLIANZ, "--as", person.username, "--detach")
    assert Run.objects.get().requested_by == person


def test_it_refuses_a_person_who_may_not_start(run):
    outcome = run("research", "run", "client-discovery", ALLIANZ, "--as", UserFactory().username)
    assert outcome.code == 1
    assert "start_run" in outcome.err


def test_it_shows_what_a_run_that_waits_is_going_to_do(run):
    run("research", "run", "client-discovery", ALLIANZ, "--autonomy", "cautious")
    shown = run("research", "steps", str(Run.objects.get().pk)).out
    for word in ("client_name: Allianz SE", "lei_search", "demo register"):
        assert word in shown


def test_it_says_that_a_worker_is_needed(run):
    outcome = run("research", "run", "client-discovery", ALLIANZ, "--detach")
    assert "make serve" in outcome.out
    assert f"manage.py research status {Run.objects.get().pk}" in outcome.out


def test_it_names_every_wrong_parameter_at_once(run):
    outcome = run("research", "run", "client-discovery", "a=1", "max_entities=many", "focus_area=gossip")
    assert all(name in outcome.err for name in ("a:", "max_entities:", "focus_area:"))


@pytest.mark.django_db
def test_it_resumes_all_that_one_cause_has_failed(run):
    person = UserFactory(is_superuser=True)
    error = {"code": "model_unavailable", "reason": "network", "message": "away"}
    runs = [RunFactory(state="failed", error=error) for _ in range(2)]
    outcome = run("research", "resume", "--cause", "network", "--as", person.username)
    assert (outcome.code, outcome.out.strip()) == (0, "2 runs go on.")
    assert {one.state for one in Run.objects.filter(pk__in=[one.pk for one in runs])} == {"queued"}


@pytest.mark.django_db
@pytest.mark.parametrize("arguments", [[], ["12345678", "--cause", "network"]])
def test_it_wants_a_run_or_a_cause(run, arguments):
    assert run("research", "resume", *arguments).code == 2
