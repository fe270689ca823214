"""An agent asks a question in the name of a person, follows the run and reads what came of it."""

import uuid

import pytest

from research.models import Run
from tests.factories import MacroFactory, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def macro():
    return MacroFactory(description="Who belongs to the group?")


def test_it_lists_the_questions_by_a_word(ask, macro):
    assert macro.name in [found["name"] for found in ask("research_list", search="belongs")["macros"]]
    assert ask("research_list", search="no such words")["count"] == 0


def test_it_shows_one_question(ask, macro):
    shown = ask("research_get", macro_name=macro.name)["macro"]
    assert shown["name"] == macro.name
    assert shown["parameters"][0]["name"] == "client_name"
    assert shown["params_schema"]["required"] == ["client_name"]


def test_it_starts_a_run_in_the_name_of_the_person(ask, macro, person):
    told = ask("research_execute", macro_name=macro.name, params={"client_name": "Allianz SE"})
    run = Run.objects.get()
    assert (told["run"]["id"], run.requested_by, run.trigger) == (str(run.pk), person, "mcp")
    assert "again" in told["next_action"]


def test_it_leads_from_the_run_to_its_result(ask, settings):
    settings.DOSSIER_URL = "https://dossier.example"
    result = ResultFactory()
    status = ask("research_status", run_id=str(result.run_id))
    assert status["result_id"] == str(result.pk)
    assert status["review_url"].startswith("https://dossier.example/admin/")
    assert ask("research_result", result_id=status["result_id"])["result"]["data"] == result.data


@pytest.mark.parametrize("tool", ["research_status", "research_cancel"])
def test_it_says_that_there_is_no_such_run(ask, tool):
    refused = ask(tool, run_id=str(uuid.uuid4()))
    assert (refused["success"], refused["error"]["code"]) == (False, "not-found")


def test_it_refuses_parameters_in_the_words_of_the_service(ask, macro):
    refused = ask("research_execute", macro_name=macro.name, params={"client": "Allianz SE"})
    assert refused["error"]["code"] == "invalid-parameters"
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [({}, "macro_name"), ({"macro_name": 7}, "macro_name"), ({"macro_name": "x", "more": 1}, "more")],
)
def test_it_refuses_arguments_that_do_not_fit(ask, arguments, word):
    refused = ask("research_get", **arguments)
    assert refused["error"]["code"] == "bad_arguments"
    assert word in refused["error"]["message"]


def test_it_names_every_argument_that_does_not_fit_and_those_there_are(ask):
    result = ResultFactory()
    refused = ask("research_approve", result_id=str(result.pk), note="ok", execute_verbs="yes")["error"]
    faults = {fault["name"]: fault for fault in refused["errors"]}
    assert set(faults) == {"note", "digest", "execute_verbs"}
    assert "reviewer_notes" in faults["note"]["allowed"]
    assert "reviewer_notes" in refused["message"]


def test_an_edit_that_does_not_apply_is_told_as_by_rest(ask):
    result = ResultFactory()
    edits = {"confidence": "sky-high"}
    refused = ask("research_approve", result_id=str(result.pk), digest=result.digest, edits=edits)["error"]
    assert refused["code"] == "invalid-edit"
    assert all(set(fault) == {"name", "message", "allowed"} for fault in refused["errors"])


def test_a_result_names_the_digest_to_decide_about(ask):
    result = ResultFactory()
    assert ask("research_result", result_id=str(result.pk))["result"]["digest"] == result.digest


def test_somebody_without_the_right_does_not_even_see_the_tool(ask, macro):
    reader = UserFactory(rights=["view_macro"])
    refused = ask("research_execute", by=reader, macro_name=macro.name, params={"client_name": "x"})
    assert refused["error"]["code"] == "unknown_tool"
    assert not Run.objects.exists()
