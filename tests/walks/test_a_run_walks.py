"""Walking as tools of a macro: journalled, bounded by the run's reach, its views the sources that quotes rest on."""

import json

import pytest

from research.browsing.walks import Owner, take_number
from research.engine.runner import perform_run
from research.errors import WalkRefused
from research.models import Source, Step, Walk
from research.tools.browsing import call_browsing
from tests.engine.conftest import answers, asks, play  # noqa: F401 - the script of a researcher
from tests.factories import MACRO_TEXT, MacroFactory, RunFactory

pytestmark = pytest.mark.django_db
TOOLS = (
    "[research_open, research_choose, research_navigate, research_menu, research_doc_get, research_search]"
)


@pytest.fixture
def run(site):
    text = MACRO_TEXT.format(name="walker", schema_name="walker").replace("[lei_search, lei_record]", TOOLS)
    macro = MacroFactory(name="walker", text=text)
    return RunFactory(macro=macro, params={"client_name": f"Alpenblick AG, {site.url()}"}, model="script")


def steps(run):
    return [step.answer for step in Step.objects.filter(run=run, kind="tool").order_by("seq")]


def chooses(label, **arguments):
    """A turn that chooses by label in the view that the last answer showed."""

    def turn(request):
        said = [part for message in request.messages for part in message.answers][-1]
        view = said.content["data"]
        (item,) = [one for one in view["menuItems"] if one["label"] == label]
        chosen = {"menuItemId": item["menuItemId"], "viewToken": view["viewToken"], **arguments}
        return asks(("research_choose", chosen))

    return turn


def opens(site, path="/"):
    return asks(("research_open", {"url": site.url(path)}))


def test_a_walk_is_journalled_and_its_views_are_sources_with_the_text_that_was_seen(run, site, play):  # noqa: F811
    play(opens(site), chooses("Companies"), chooses("Alpenblick AG"), answers())
    perform_run(run.pk)
    told = steps(run)
    assert [one["data"]["viewToken"] for one in told] == ["v1", "v2", "v3"]
    sources = list(Source.objects.filter(run=run).order_by("number").select_related("document"))
    assert [source.url for source in sources] == [site.url(), site.url("/companies"), site.url("/c/1")]
    assert "under the number CHE-111.222.333" in sources[2].document.text
    (walk,) = Walk.objects.all()
    assert (walk.run, walk.views.last().document) == (run, sources[2].document)


def test_an_address_that_nobody_gave_is_not_opened_but_a_link_of_a_view_is(run, site, play):  # noqa: F811
    play(
        opens(site),
        asks(
            ("research_open", {"url": site.url("/c/1?d=what-i-know")}),
            ("research_navigate", {"target": "/c/2"}),
            ("research_navigate", {"target": "companies"}),
        ),
        answers(),
    )
    perform_run(run.pk)
    codes = [(one.get("error") or {}).get("code", "done") for one in steps(run)]
    assert codes == ["done", "not_given", "not_given", "done"]
    assert not [path for path in site.paths if "/c/" in path]


def test_no_form_carries_what_a_run_may_not_say(run, site, play):  # noqa: F811
    play(
        opens(site),
        chooses("Search"),
        chooses("Name of the company", value="aB3" * 20),
        answers(),
    )
    perform_run(run.pk)
    assert steps(run)[-1]["error"]["code"] == "not_told"


def test_going_back_again_and_again_is_no_repetition(run, site, play):  # noqa: F811
    back = asks(("research_navigate", {"action": "reload"}))
    play(opens(site), back, back, back, answers())
    perform_run(run.pk)
    assert [one["data"]["viewToken"] for one in steps(run)] == ["v1", "v2", "v3", "v4"]


def test_a_run_that_was_killed_goes_on_at_its_last_address_and_the_model_is_told(run, site, play):  # noqa: F811
    """kill -9 between the token and the view: the call is made again, refused by name, and the menu goes on."""
    owner = Owner(run_id=run.pk)
    type(run).objects.filter(pk=run.pk).update(state="running")
    view = call_browsing("research_open", {"url": site.url("/companies")}, owner)
    take_number(Walk.objects.get())
    type(run).objects.filter(pk=run.pk).update(state="queued")
    chosen = {"menuItemId": view["menuItems"][0]["menuItemId"], "viewToken": "v1"}
    play(asks(("research_choose", chosen)), asks(("research_menu", {})), chooses("Alpenblick AG"), answers())
    perform_run(run.pk)
    refused, menu, entry = steps(run)
    assert refused["error"]["code"] == "stale_view_token"
    assert (refused["error"]["given"], refused["error"]["current"]) == ("v1", "v2")
    assert "interrupted" in json.dumps(menu)
    assert "CHE-111.222.333" in json.dumps(entry) or entry["data"]["title"] == "Alpenblick AG"


def test_a_run_does_not_steer_the_walk_of_another(run, site):
    other = RunFactory(state="running")
    mine = call_browsing("research_open", {"url": site.url()}, Owner(run_id=other.pk))
    type(run).objects.filter(pk=run.pk).update(state="running")
    with pytest.raises(WalkRefused, match="no session of yours"):
        call_browsing("research_menu", {"sessionId": mine["sessionId"]}, Owner(run_id=run.pk))
