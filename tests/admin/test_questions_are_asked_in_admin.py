import pytest
from django.urls import reverse

from research.models import Macro, Run
from research.services.macros import sync_macros
from tests.factories import ALL_RIGHTS, MacroFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person(client):
    person = UserFactory(rights=ALL_RIGHTS)
    client.force_login(person)
    return person


@pytest.fixture
def page():
    sync_macros()
    return reverse("admin:research_macro_ask", args=[Macro.objects.get(name="client-discovery").pk])


def post(client, page, **params):
    fields = {f"param:{name}": value for name, value in params.items()}
    return client.post(page, {"autonomy": "balanced", "depth": "quick", **fields})


def test_it_makes_a_form_of_the_parameters_with_their_defaults(client, person, page):
    text = client.get(page).content.decode()
    for name in ("client_name", "jurisdiction_hint", "focus_area", "max_entities"):
        assert f'name="param:{name}"' in text
    assert 'value="20"' in text


def test_it_starts_a_run_in_the_name_of_the_person(client, person, page):
    answer = post(client, page, client_name="Allianz SE", max_entities="5")
    run = Run.objects.get()
    assert answer.url == reverse("admin:research_run_change", args=[run.pk])
    assert (run.requested_by, run.trigger, run.depth) == (person, "admin", "quick")
    assert run.params["max_entities"] == 5


@pytest.mark.parametrize(
    ("params", "word"),
    [
        ({}, "required"),
        ({"client_name": "x", "max_entities": "many"}, "whole number"),
        ({"client_name": "x", "focus_area": "everything"}, "valid choice"),
    ],
)
def test_it_shows_what_is_wrong_beside_the_field_and_starts_nothing(client, person, page, params, word):
    answer = post(client, page, **params)
    assert answer.status_code == 400
    assert word in answer.content.decode()
    assert not Run.objects.exists()


def test_it_is_closed_to_those_who_may_not_start_research(client, page):
    client.force_login(UserFactory(rights=["view_macro"]))
    post(client, page, client_name="Allianz SE")
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("action", "before", "after"),
    [
        ("resume", "failed", "queued"),
        ("resume", "cancelled", "queued"),
        ("cancel", "queued", "cancelled"),
        ("confirm", "awaiting_confirmation", "queued"),
        ("resume", "succeeded", "succeeded"),
        ("cancel", "succeeded", "succeeded"),
    ],
)
def test_it_steers_a_run_by_buttons(client, person, action, before, after):
    run = RunFactory(state=before)
    client.post(reverse(f"admin:research_run_{action}", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == after


def test_it_changes_nothing_by_get(client, person):
    run = RunFactory()
    client.get(reverse("admin:research_run_cancel", args=[run.pk]))
    run.refresh_from_db()
    assert run.state == "queued"


def test_it_offers_only_the_buttons_that_fit_the_state(client, person):
    text = client.get(
        reverse("admin:research_run_change", args=[RunFactory(state="failed").pk])
    ).content.decode()
    assert ">Resume<" in text
    assert ">Cancel<" not in text


@pytest.mark.parametrize(
    ("error", "offers"),
    [
        ({"code": "timeout", "retryable": True}, [">Resume<", ">Ask again with changes<"]),
        ({"code": "refusal", "retryable": False}, [">Ask again with changes<", ">Resume all the same<"]),
        ({"code": "no_price", "retryable": True}, [">Model prices<", ">Resume, once that is done<"]),
    ],
)
def test_what_helps_a_run_that_failed_is_offered_first(client, error, offers):
    client.force_login(UserFactory(is_superuser=True))
    run = RunFactory(macro=MacroFactory(), state="failed", error={**error, "message": "x"})
    text = client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()
    text = text[text.index('class="object-tools"') :]
    assert [text.count(one) for one in offers] == [1, 1]
    assert text.index(offers[0]) < text.index(offers[1])


@pytest.mark.parametrize(("state", "follows"), [("queued", True), ("running", True), ("failed", False)])
def test_it_follows_a_run_while_it_works(client, person, state, follows):
    text = client.get(
        reverse("admin:research_run_change", args=[RunFactory(state=state).pk])
    ).content.decode()
    assert ('http-equiv="refresh"' in text) is follows


def ask_page(name):
    sync_macros()
    return reverse("admin:research_macro_ask", args=[Macro.objects.get(name=name).pk])


def test_the_form_speaks_of_its_parameters_in_words(client, person):
    told = client.get(ask_page("legal-research")).content.decode()
    for words in ("Case context", "Time range", "Max sources", "How far it looks"):
        assert words in told
    assert "caseContext</label>" not in told
    assert "Werkvertrag?." not in told
    assert told.count('<textarea name="param:') == 2  # a question and a case take sentences


def test_a_question_that_nobody_here_can_answer_says_so_and_has_no_button(client, person, settings):
    page = ask_page("deep-research")
    told = client.get(page).content.decode()
    assert "Nobody here can answer this question." in told
    assert "Start the run" not in told
    settings.DOSSIER_MODEL = "anthropic:some-model"
    assert "Start the run" in client.get(page).content.decode()


def test_a_question_that_can_no_longer_be_read_says_what_is_wrong_and_breaks_no_page(client, person):
    macro = MacroFactory(name="of-old", schema_name="of-old", text="name: [")
    assert client.get(reverse("admin:index")).status_code == 200
    told = client.get(reverse("admin:research_macro_ask", args=[macro.pk]), follow=True)
    assert told.redirect_chain == [(reverse("admin:research_macro_change", args=[macro.pk]), 302)]
    assert "cannot read the macro: macro:1: error: not YAML" in told.content.decode()


def test_a_run_that_is_over_is_asked_again_with_its_words_filled_in(client, person, page):
    run = RunFactory(
        macro=Macro.objects.get(name="client-discovery"),
        params={"client_name": "Shel plc", "jurisdiction_hint": None, "max_entities": 7},
        state="failed",
        depth="deep",
        error={"code": "not_found", "message": "nobody"},
    )
    told = client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()
    again = f"{page}?like={run.pk}"
    assert again in told
    form = client.get(again).content.decode()
    assert 'value="Shel plc"' in form
    assert 'value="7"' in form
    assert '<option value="deep" selected>' in form
    assert ">None<" not in form
    assert 'value="None"' not in form
    answer = client.post(
        again,
        {
            "autonomy": "balanced",
            "depth": "deep",
            "param:client_name": "Shell plc",
            "param:max_entities": "7",
        },
    )
    assert answer.status_code == 302
    assert Run.objects.exclude(pk=run.pk).get().params["client_name"] == "Shell plc"


def test_a_run_under_way_is_not_asked_again(client, person, page):
    run = RunFactory(macro=Macro.objects.get(name="client-discovery"), state="running")
    assert "Ask again" not in client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()


@pytest.mark.parametrize("like", ["nonsense", "", "00000000-0000-0000-0000-000000000000"])
def test_a_run_that_is_not_there_fills_nothing_in(client, person, page, like):
    answer = client.get(page, {"like": like})
    assert answer.status_code == 200
    assert 'value="20"' in answer.content.decode()


def test_the_words_of_a_run_are_filled_in_only_for_those_who_may_see_it(client, page):
    run = RunFactory(params={"client_name": "Secret AG"}, state="failed")
    client.force_login(UserFactory(rights=["start_run"]))
    assert "Secret AG" not in client.get(page, {"like": str(run.pk)}).content.decode()


def test_a_run_shows_what_was_asked_in_words_and_leaves_out_what_was_not_given(client, person):
    run = RunFactory(params={"client_name": "<b>Muster</b>", "focus": None, "owner_lei": ["A", "B"]})
    told = client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()
    assert "<dt>Client name</dt><dd>&lt;b&gt;Muster&lt;/b&gt;</dd>" in told
    assert "<dt>Owner LEI</dt><dd>A, B</dd>" in told
    assert "<dt>Focus</dt>" not in told
    for nothing in ("Rerun of:", "Feedback:", "Session:"):
        assert nothing not in told


def test_a_button_says_what_came_of_it(client, person):
    page = reverse("admin:research_run_cancel", args=[RunFactory().pk])
    assert "What it has found is kept" in client.post(page, follow=True).content.decode()


def test_an_object_whose_fields_are_declared_is_a_group_of_fields(client, person):
    told = client.get(ask_page("legal-research")).content.decode()
    assert "<legend>Jurisdiction</legend>" in told
    for name in ("jurisdiction.federal", "jurisdiction.cantons", "timeRange.from", "timeRange.to"):
        assert f'name="param:{name}"' in told
    for name in ("jurisdiction", "timeRange"):
        assert f'name="param:{name}"' not in told
    assert told.count('type="checkbox" name="param:jurisdiction.cantons"') == 26


def test_what_is_filled_into_the_fields_reaches_the_run_as_an_object(client, person):
    fields = {"jurisdiction.federal": "true", "jurisdiction.cantons": ["ZH", "BE"], "timeRange.from": "2015"}
    post(client, ask_page("legal-research"), question="Was gilt?", maxSources="50", **fields)
    params = Run.objects.get().params
    assert params["jurisdiction"] == {"federal": True, "cantons": ["ZH", "BE"]}
    assert params["timeRange"] == {"from": "2015"}


def test_fields_that_stay_empty_are_not_given(client, person):
    post(client, ask_page("legal-research"), question="Was gilt?", maxSources="50")
    params = Run.objects.get().params
    assert (params["jurisdiction"], params["timeRange"]) == (None, None)


def test_a_fault_stands_beside_the_field_of_the_group(client, person):
    answer = post(
        client, ask_page("legal-research"), question="Was?", maxSources="5", **{"timeRange.to": "soon"}
    )
    assert answer.status_code == 400
    assert answer.context["form"].errors == {
        "param:timeRange.to": ["must be a day such as 2015-01-31, or a year, not 'soon'"]
    }
    assert not Run.objects.exists()


def test_a_run_asked_again_fills_in_the_fields_of_its_objects(client, person):
    page = ask_page("legal-research")
    params = {
        "question": "Was?",
        "jurisdiction": {"federal": False, "cantons": ["TI"]},
        "timeRange": {"to": "2020"},
    }
    run = RunFactory(macro=Macro.objects.get(name="legal-research"), params=params, state="failed")
    form = client.get(f"{page}?like={run.pk}").context["form"]
    assert form["param:jurisdiction.federal"].value() == "false"
    assert form["param:jurisdiction.cantons"].value() == ["TI"]
    assert form["param:timeRange.to"].value() == "2020"
    assert form["param:timeRange.from"].value() == ""


def test_how_far_it_looks_is_asked_once(client, person):
    """Legal research has a depth of its own, which is that of the run where it is not given."""
    page = ask_page("legal-research")
    assert 'name="param:depth"' not in client.get(page).content.decode()
    post(client, page, question="Was gilt?", maxSources="5")
    run = Run.objects.get()
    assert (run.depth, run.params["depth"]) == ("quick", None)


def test_a_depth_that_was_asked_for_by_other_ways_is_filled_in(client, person):
    page = ask_page("legal-research")
    legal = Macro.objects.get(name="legal-research")
    run = RunFactory(macro=legal, params={"question": "Was?", "depth": "deep"}, depth="quick", state="failed")
    assert client.get(f"{page}?like={run.pk}").context["form"]["depth"].value() == "deep"
