"""The registers are asked again about what was signed for, without any research."""

import json
from datetime import timedelta

import pytest

from citations.services import import_bge
from entities.models import EntityEvent
from research.checks.regressions import worse_checks
from research.checks.verdict import Verdict
from research.models import AuditEvent, Run, Watch
from research.services import rechecks
from research.services.execution import execute_verbs
from research.services.rechecks import recheck, recheck_watches
from research.services.reviews import Preview, approve_result
from tests.factories import ResultFactory

LAPSED = Verdict(
    "lei", "registration", "/lei", "529900K9B0N5BT694847", "warn", "The registration has lapsed."
)


def check(verdict, code="registration", subject="X"):
    return {"kind": "lei", "code": code, "subject": subject, "verdict": verdict, "message": verdict}


@pytest.mark.parametrize(
    ("before", "now", "worse"),
    [
        ([check("pass")], [check("warn")], ["pass"]),
        ([check("warn")], [check("fail")], ["warn"]),
        ([check("fail")], [check("fail")], []),
        ([check("fail")], [check("pass")], []),
        ([check("pass")], [check("unknown")], []),
        ([check("unknown")], [check("fail")], ["unknown"]),
        ([], [check("fail")], [""]),
        ([], [check("pass")], []),
        ([check("pass", subject="Y")], [check("warn"), check("warn")], [""]),
        ([check("pass"), check("warn")], [check("warn")], []),
    ],
)
def test_it_knows_what_is_worse(before, now, worse):
    assert [each["was"] for each in worse_checks(before, now)] == worse


@pytest.fixture
def register_says(monkeypatch):
    """What the checks answer from now on."""

    def say(*verdicts):
        preview = Preview({}, list(verdicts), "", [])
        monkeypatch.setattr(rechecks, "preview_edits", lambda **asked: preview)

    return say


@pytest.mark.django_db
def test_it_finds_nothing_when_the_register_says_the_same(watch):
    assert recheck(watch) == []
    assert watch.worsened == []


@pytest.mark.django_db
def test_it_makes_the_question_due_when_something_is_worse(watch, register_says, approved, person):
    execute_verbs(decision=approved, actor=person)
    register_says(LAPSED)
    now = watch.checked_at + timedelta(days=8)
    recheck(Watch.objects.get(), now=now)
    watch.refresh_from_db()
    assert watch.due_at == now
    assert [each["code"] for each in watch.worsened] == ["registration"]
    assert watch.outcome == "What was approved is in doubt: The registration has lapsed."
    assert EntityEvent.objects.filter(type="approved-in-doubt", importance=8).count() == 1


@pytest.mark.django_db
def test_it_says_the_same_thing_once(watch, register_says):
    register_says(LAPSED)
    recheck(watch)
    Watch.objects.update(due_at=watch.fresh_until)
    recheck(Watch.objects.get())
    assert AuditEvent.objects.filter(action="watch.worsened").count() == 1
    assert Watch.objects.get().due_at == watch.fresh_until


@pytest.mark.django_db
def test_it_checks_after_some_days_and_starts_no_run(watch, register_says):
    register_says(LAPSED)
    assert recheck_watches(now=watch.checked_at + timedelta(days=6)) == 0
    assert recheck_watches(now=watch.checked_at + timedelta(days=7)) == 1
    assert not Run.objects.filter(trigger="schedule").exists()


@pytest.mark.django_db
def test_it_leaves_a_paused_question_alone(watch, register_says):
    register_says(LAPSED)
    Watch.objects.update(state="paused")
    assert recheck_watches(now=watch.checked_at + timedelta(days=99)) == 0


@pytest.mark.django_db
def test_a_citation_that_has_turned_out_not_to_exist_is_told(person, tmp_path):
    result = ResultFactory(data={"name": "So BGE 145 III 900"})
    decision = approve_result(result=result, reviewer=person, digest=result.digest, shown=[""])
    assert [check["verdict"] for check in decision.checks if check["kind"] == "citation"] == ["unknown"]
    path = tmp_path / "index.json"
    families = {key: {"starts": [1], "window": 30} for key in ("145|III", "152|I")}
    path.write_text(json.dumps({"max_volume": 152, "families": families}))
    import_bge(path)
    [worse] = recheck(Watch.objects.get(decision=decision))
    assert (worse["kind"], worse["subject"], worse["verdict"]) == ("citation", "BGE 145 III 900", "fail")
