"""The command line follows a deep run and its researchers, shows what it waits for, and takes what was edited."""

import json

import pytest

from research.models import Run
from research.models.states import RunState
from tests.commands.conftest import admin, run  # noqa: F401 - fixtures
from tests.deep.conftest import QUESTION, work
from tests.deep.newsroom import UNCLEAR, Sage

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def somebody(admin):  # noqa: F811
    return admin


def test_it_works_on_the_family_and_tells_each_step(ask, run, settings, monkeypatch):  # noqa: F811
    ask(Sage()).delete()
    monkeypatch.setattr("research.services.runs._model_name", lambda: "sage", raising=False)
    outcome = run("research", "run", "deep-research", f"question={QUESTION}")
    assert outcome.code == 0, outcome.err + outcome.out
    assert "dir-1-1" in outcome.out
    assert "web_search" in outcome.out
    assert "✓ clarification  ✓ brief  ✓ round 1/3  ✓ synthesis  ✓ verification" in outcome.out
    assert Run.objects.get(parent=None).state == RunState.SUCCEEDED


def test_it_asks_the_question_and_takes_the_answer(ask, run):  # noqa: F811
    waiting = work(ask(Sage(clarification=UNCLEAR)))
    told = run("research", "status", str(waiting.pk)).out
    assert "Which mill do you mean?" in told
    assert f"research confirm {waiting.pk}" in told
    outcome = run("research", "confirm", str(waiting.pk), "--answer", "The one on the Aare.")
    assert outcome.code == 0, outcome.err
    waiting.refresh_from_db()
    assert waiting.state == RunState.SUCCEEDED


def test_what_it_shows_is_edited_in_a_file(ask, run, tmp_path):  # noqa: F811
    waiting = work(ask(Sage(), autonomy="cautious"))
    for _ in range(2):
        assert run("research", "confirm", str(waiting.pk), "--detach").code == 0
        work(waiting)
    shown = run("research", "checkpoint", str(waiting.pk)).document
    file = tmp_path / "edit.json"
    file.write_text(json.dumps({"directives": shown["directives"][:1]}))
    assert run("research", "confirm", str(waiting.pk), "--edit", str(file)).code == 0
    assert Run.objects.filter(parent=waiting).count() == 1


def test_an_edit_that_cannot_be_used_is_refused(ask, run, tmp_path):  # noqa: F811
    waiting = work(ask(Sage(), autonomy="cautious"))
    outcome = run("research", "confirm", str(waiting.pk), "--edit", str(_file(tmp_path, {"brief": "x"})))
    assert outcome.code != 0
    assert "what can be changed here: answer" in outcome.err
    waiting.refresh_from_db()
    assert waiting.state == RunState.AWAITING_CONFIRMATION


def test_a_run_that_waits_for_nobody_has_no_checkpoint(ask, run):  # noqa: F811
    outcome = run("research", "checkpoint", str(ask(Sage()).pk))
    assert outcome.code == 1
    assert "does not wait for a person" in outcome.err


def _file(folder, data):
    path = folder / "edit.json"
    path.write_text(json.dumps(data))
    return path
