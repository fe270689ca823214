"""REST and the command line show what a legal run waits for, take what was edited, and give the memo's document."""

import json

import pytest

from research.models import Run
from research.models.states import RunState
from tests.api.conftest import *  # noqa: F403 - fixtures
from tests.commands.conftest import admin, run  # noqa: F401 - fixtures
from tests.legal.conftest import QUESTION, work

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def law(courts, acts, commentaries):
    return courts


def test_rest_starts_shows_and_confirms(legal_macro, client, url):
    body = {
        "macro": "legal-research",
        "params": {"question": QUESTION, "jurisdiction": {"federal": True, "cantons": ["ZH"]}},
    }
    started = client.post(url("runs"), body, content_type="application/json")
    assert started.status_code in (201, 202), started.content
    asked = work(Run.objects.get(workflow="legal"))
    shown = client.get(url("run", asked.pk)).json()
    assert shown["checkpoint"]["phase"] == "plan"
    assert shown["progress"]["phases"][0]["name"] == "understand"
    queries = shown["checkpoint"]["edit"]["queries"][:1]
    answer = client.post(
        f"{url('run', asked.pk)}/confirm",
        {"answer": {"queries": queries}, "phase": "plan"},
        content_type="application/json",
    )
    assert answer.status_code == 202, answer.content
    work(asked)
    assert asked.phase == "verify"


def test_rest_refuses_what_cannot_be_used(ask, client, url):
    asked = work(ask())
    answer = client.post(
        f"{url('run', asked.pk)}/confirm", {"answer": {"queries": []}}, content_type="application/json"
    )
    assert answer.status_code == 400
    assert "at least one query" in answer.content.decode()


def test_the_terminal_runs_shows_edits_and_ends(legal_macro, run, admin, tmp_path):  # noqa: F811
    outcome = run("research", "run", "legal-research", f"question={QUESTION}", "maxSources=5")
    asked = Run.objects.get(workflow="legal")
    assert (asked.state, asked.phase) == (RunState.AWAITING_CONFIRMATION, "plan")
    assert "Searching 3 sources for 2 legal issues" in outcome.out
    shown = run("research", "checkpoint", str(asked.pk)).document
    file = tmp_path / "edit.json"
    file.write_text(json.dumps({**shown, "maxResults": 3}))
    assert run("research", "confirm", str(asked.pk), "--edit", str(file)).code == 0
    told = run("research", "status", str(asked.pk)).out
    assert "citations verified. Continue to synthesis?" in told
    assert "✓ understand  ✓ plan  ✓ search  ? verify" in told
    assert run("research", "confirm", str(asked.pk)).code == 0
    asked.refresh_from_db()
    assert asked.state == RunState.SUCCEEDED
    assert asked.result.data["strategy"]["maxResults"] == 3


def test_the_terminal_gives_lists_and_objects_as_json(legal_macro, run, admin):  # noqa: F811
    outcome = run(
        *("research", "run", "legal-research", f"question={QUESTION}", "--autonomy", "autonomous"),
        *('jurisdiction={"federal": false, "cantons": ["ZH"]}', "languages=de,fr", "outputFormat=bullets"),
    )
    assert outcome.code == 0, outcome.err
    data = Run.objects.get(workflow="legal").result.data
    assert data["parameters"]["jurisdictions"] == {"federal": False, "cantons": ["ZH"]}
    assert data["parameters"]["languages"] == ["de", "fr"]
    assert data["metadata"]["outputFormat"] == "bullets"
