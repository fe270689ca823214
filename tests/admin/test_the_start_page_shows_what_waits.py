"""The first page says what waits for a person, what runs, what was decided; and shows nobody what they may not see."""

from datetime import timedelta

import pytest
from django.contrib import admin
from django.urls import reverse
from django.utils import timezone

from entities.models import GoldenCopyImport
from research.admin.rooms import ROOMS
from research.models import ResearchResult, VerbCall, Watch
from research.models.states import Verdict
from research.services.macros import sync_macros
from research.services.overview import SHOWN, overview
from research.services.reviews import approve_result, reject_result
from tests.factories import (
    ALL_RIGHTS,
    CheckFactory,
    EntityFactory,
    MacroFactory,
    ResultFactory,
    RunFactory,
    StepFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
START = "admin:index"
RIGHTS = [*ALL_RIGHTS, "view_watch", "change_watch", "view_goldencopyimport"]
QUERIES = 17  # session, person, two for rights, and what the page shows; the same however much there is


@pytest.fixture
def person(client):
    person = UserFactory(username="petra", rights=RIGHTS)
    client.force_login(person)
    return person


@pytest.fixture
def page(client, person):
    def told():
        return client.get(reverse(START)).content.decode()

    return told


def failed(**more):
    error = {"code": "not_found", "message": "nobody by that name"}
    return RunFactory(state="failed", error=error, finished_at=timezone.now(), **more)


def fill(person, times=1):
    """Some of everything that the page shows."""
    for _ in range(times):
        result = ResultFactory(run__macro=MacroFactory())
        CheckFactory(result=result, verdict=Verdict.FAIL)
        RunFactory(state="awaiting_confirmation", phase="plan")
        failed()
        StepFactory(run=RunFactory(state="running"), kind="model")
        approved = ResultFactory()
        approve_result(result=approved, reviewer=person, digest=approved.digest, edits=[], reason="as it is")
        EntityFactory(pending_verification=True)


def test_a_new_installation_says_what_to_do_first(page):
    sync_macros()
    told = page()
    assert "Nothing has been researched here yet" in told
    assert "make seed" in told
    assert "for example Client discovery about a company" in told
    assert "Nothing waits." in told


def test_it_says_how_to_load_the_questions_where_there_are_none(page):
    assert page().count("./manage.py macros sync") == 2


def test_a_result_waits_with_what_is_wrong_with_it(page, client):
    result = ResultFactory(run__params={"client_name": "Muster & Söhne <AG>"})
    CheckFactory(result=result, verdict=Verdict.FAIL)
    CheckFactory(result=result, verdict=Verdict.PASS)
    told = page()
    assert "Muster &amp; Söhne &lt;AG&gt;" in told
    assert "1 check failed" in told
    assert reverse("admin:research_researchresult_review", args=[result.pk]) in told


def test_who_asked_is_told_that_somebody_else_decides(page, person, settings):
    ResultFactory(run__requested_by=person)
    assert "somebody else decides" not in page()
    settings.DOSSIER_FOUR_EYES = True
    assert "you asked: somebody else decides" in page()


def test_a_result_that_waited_too_long_says_so(page):
    ResultFactory(expires_at=timezone.now() - timedelta(days=1))
    assert "too old to approve" in page()


def test_what_is_approved_waits_until_its_verbs_are_executed(page, person):
    result = ResultFactory()
    approve_result(result=result, reviewer=person, digest=result.digest, edits=[], reason="")
    assert "Approved, not yet written to memory" in page()
    VerbCall.objects.update(state="succeeded")
    assert "Approved, not yet written to memory" not in page()


@pytest.mark.parametrize(
    ("state", "asked", "error", "words"),
    [
        ("pending", False, None, "open it to execute its verbs"),
        ("pending", True, None, "waits for a worker to execute it"),
        ("running", True, None, "a worker executes it"),
        ("failed", True, {"code": "refused", "message": "no <b>such</b> entity"}, "failed: no &lt;b&gt;such"),
    ],
)
def test_an_execution_is_shown_for_what_it_is(page, person, state, asked, error, words):
    result = ResultFactory()
    approve_result(result=result, reviewer=person, digest=result.digest, edits=[], reason="")
    VerbCall.objects.update(state=state, error=error)
    ResearchResult.objects.update(execution_asked_at=timezone.now() if asked else None)
    assert words in page()


def test_runs_say_what_they_ask_why_they_failed_and_how_far_they_are(page):
    RunFactory(state="awaiting_confirmation", phase="plan", params={"client_name": "Asking AG"})
    failed(params={"client_name": "Failed AG"})
    StepFactory(run=RunFactory(state="running", params={"client_name": "Busy AG"}), kind="model")
    told = page()
    for words in (
        *(
            "Asking AG",
            "shows its plan and waits",
            "Failed AG",
            "The demo register knows nobody by that name.",
        ),
        *("Busy AG", "a worker is at it", "1 turn, 0 tool calls so far", 'http-equiv="refresh"'),
    ):
        assert words in told, words


def test_the_work_of_the_parts_of_a_run_counts_and_the_parts_stand_in_no_list(page):
    head = RunFactory(state="awaiting_children", params={"client_name": "Head AG"})
    for seq, name in enumerate(("one", "two")):
        part = RunFactory(parent=head, directive=name, state="running", params={"client_name": f"Part {seq}"})
        StepFactory(run=part, kind="tool")
    told = page()
    assert "0 turns, 2 tool calls so far" in told
    assert "its parts are at work" in told
    assert "Part 1" not in told


def test_what_failed_long_ago_waits_for_nobody(page):
    run = failed(params={"client_name": "Long ago AG"})
    type(run).objects.update(finished_at=timezone.now() - timedelta(days=8))
    assert "Long ago AG" not in page()


def test_it_says_what_today_cost_and_leaves_yesterday_out(page):
    run = RunFactory(state="running")
    step = StepFactory(run=run, seq=1, kind="model", cost_usd="0.25")
    StepFactory(run=run, seq=2, kind="model", cost_usd="0.5")
    type(step).objects.filter(pk=step.pk).update(started_at=timezone.now() - timedelta(days=1))
    told = page().partition("Spent today")[2]
    assert "0.50 USD" in told
    assert "1 call since midnight UTC" in told


def test_nothing_refreshes_a_page_on_which_nothing_moves(page):
    ResultFactory()
    assert 'http-equiv="refresh"' not in page()


def test_decisions_are_shown_with_their_reason(page, person):
    result = ResultFactory()
    reject_result(result=result, reviewer=person, digest=result.digest, reason="not what I meant")
    told = page()
    assert "Decided lately" in told
    assert "“not what I meant”" in told
    assert "everything that was found has been decided" in told


def test_answers_in_doubt_and_those_that_grow_old_are_named(page, person):
    for name in ("Doubtful AG", "Soon AG", "Fresh AG"):
        result = ResultFactory(run__params={"client_name": name})
        approve_result(result=result, reviewer=person, digest=result.digest, edits=[], reason="")
    Watch.objects.filter(params__client_name="Doubtful AG").update(
        worsened=[{"code": "existence"}], outcome="What was approved is in doubt: the LEI was retired."
    )
    Watch.objects.filter(params__client_name="Soon AG").update(due_at=timezone.now() + timedelta(days=2))
    seen = overview(person, timezone.now())
    assert [str(watch.params["client_name"]) for watch in seen.doubts.rows] == ["Doubtful AG"]
    assert [str(watch.params["client_name"]) for watch in seen.due.rows] == ["Soon AG"]
    assert "the LEI was retired" in page()


def test_the_register_says_what_is_live_and_what_failed(page):
    now = timezone.now()
    live = {"kind": "lei2", "scope": "full", "source": "a.zip", "publish_date": now}
    GoldenCopyImport.objects.create(**live, state="live", counts={"held": 3})
    GoldenCopyImport.objects.create(**live, state="failed", error="the file broke off")
    told = page()
    assert "3 held" in told
    assert "the file broke off" in told


def test_a_question_that_nobody_can_answer_is_not_offered(page, settings):
    sync_macros()
    assert "needs a language model" in page()
    settings.DOSSIER_MODEL = "register,anthropic:some-model"
    assert "needs a language model" not in page()


def test_long_lists_are_cut_and_counted(page):
    for _ in range(SHOWN + 3):
        ResultFactory()
    told = page()
    assert "3 more" in told
    assert f'Reviews <span class="start-count">{SHOWN + 3}</span>' in told


def test_it_asks_the_database_as_often_for_much_as_for_little(client, person, django_assert_num_queries):
    for times in (1, SHOWN + 2):
        fill(person, times)
        with django_assert_num_queries(QUERIES):
            told = client.get(reverse(START)).content.decode()
    assert told.count("1 check failed") == SHOWN


@pytest.mark.parametrize(
    ("right", "seen", "hidden"),
    [
        ("view_researchresult", "Reviews", "Failed in the last seven days"),
        ("view_run", "Failed in the last seven days", "Reviews"),
        ("view_decision", "Decided lately", "Reviews"),
        ("start_run", "Start research", "Spent today"),
        ("view_entity", "wait to be verified", "LEI register"),
    ],
)
def test_a_person_sees_only_what_they_may(client, right, seen, hidden):
    fill(UserFactory(rights=ALL_RIGHTS), times=2)
    client.force_login(UserFactory(rights=[right]))
    told = client.get(reverse(START)).content.decode()
    assert seen in told
    assert hidden not in told


def test_without_rights_it_says_who_can_give_some(client):
    fill(UserFactory(rights=ALL_RIGHTS))
    client.force_login(UserFactory())
    told = client.get(reverse(START)).content.decode()
    assert "You hold no rights here yet." in told
    assert "Allianz SE" not in told


def test_every_table_of_the_admin_has_a_room_and_words():
    known = {name for tables in ROOMS.values() for name in tables}
    assert {model._meta.label for model in admin.site._registry} == known


def test_the_tables_stand_in_rooms_in_the_side_bar_too(client, person):
    told = client.get(reverse("admin:research_run_changelist")).content.decode()
    assert told.index("room-research") < told.index("room-memory")
    assert "Authentication and Authorization" not in told
