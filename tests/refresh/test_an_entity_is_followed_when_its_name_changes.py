"""A refresh asks with the approved identifier if the name no longer leads to the same entity."""

import pytest

from research.macros.lint import default_lint
from research.models import AuditEvent, ResearchResult, Run, Watch
from research.models.states import RunState
from research.services.macros import active_macro, definition_of, publish_macro, sync_macros
from research.services.reviews import approve_result
from research.services.runs import start_run
from research.services.watches import refresh, settle, sweep_watches
from tests.cases import cases
from tests.factories import ResultFactory

pytestmark = pytest.mark.django_db
OLD, NEW = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"
NAMES = {OLD: "Allianz SE", NEW: "Allianz Global Investors GmbH", "": "Allianz SE"}
GONE = {"code": "not_found", "message": "The register has no such name."}
MACRO = """\
macro:
  name: who
  description: Who is this?
  parameters: [{name: entity_name, required: true}, {name: entity_lei, format: lei}]
  follow: {entity_lei: [/entity/lei]}
  tools: [lei_record]
  prompt: "Who is {{entity_name}} {{entity_lei}}?"
  output:
    schema_name: who-result
    schema:
      type: object
      properties:
        entity:
          type: object
          properties: {name: {type: string}, lei: {type: string}, status: {type: string}}
"""


def data_of(lei, status="active"):
    return {"entity": {"name": NAMES[lei], "status": status, **({"lei": lei} if lei else {})}}


@pytest.fixture
def watch(person):
    publish_macro(text=MACRO)
    run = start_run(macro="who", params={"entity_name": "Allianz SE"}, trigger="api", enqueue=False)
    end(run)
    result = ResultFactory(run=run, data=data_of(OLD))
    approve_result(result=result, reviewer=person, digest=result.digest)
    return Watch.objects.get()


def end(run, data=None, error=None):
    state = RunState.FAILED if error else RunState.SUCCEEDED
    Run.objects.filter(pk=run.pk).update(state=state, error=error)
    run.refresh_from_db()
    return None if data is None else ResultFactory(run=run, data=data)


def asked_again(watch):
    settle(watch)
    watch.refresh_from_db()
    return watch.run


@cases(
    ("lei", "error"),
    [
        (None, GONE),
        (None, {**GONE, "code": "ambiguous"}),
        (NEW, None),  # another company has taken the name
        ("", None),  # found without an identifier
    ],
)
def test_it_asks_with_the_approved_identifier(watch, lei, error):
    Watch.objects.update(state="resting", run=None)
    watch.refresh_from_db()
    lost = refresh(watch=watch, actor=None)
    first = end(lost, None if error else data_of(lei), error)
    run = asked_again(watch)
    assert run != lost
    assert run.params == {**watch.params, "entity_lei": OLD}
    assert watch.state == "refreshing"
    assert first is None or ResearchResult.objects.get(pk=first.pk).state == "superseded"


def test_what_it_finds_is_compared_with_what_was_approved(watch, person):
    end(refresh(watch=watch, actor=None), error=GONE)
    renamed = end(asked_again(watch), data_of(OLD, "renamed"))
    settle(watch)
    watch.refresh_from_db()
    renamed.refresh_from_db()
    assert (watch.state, renamed.baseline) == ("changed", watch.decision)
    decision = approve_result(result=renamed, reviewer=person, digest=renamed.digest)
    assert Watch.objects.get().decision == decision  # the same question, not another watch


def test_it_asks_with_the_identifier_once(watch):
    end(refresh(watch=watch, actor=None), error=GONE)
    by_lei = asked_again(watch)
    end(by_lei, error=GONE)
    assert asked_again(watch) == by_lei
    assert (watch.state, watch.failures, watch.outcome) == ("resting", 1, GONE["message"])


def test_an_entity_that_is_found_is_not_asked_for_again(watch):
    run = refresh(watch=watch, actor=None)
    end(run, data_of(OLD))
    assert asked_again(watch) == run
    assert watch.state == "resting"


@cases("error", [{"code": "register_unavailable", "message": "down"}, {"code": "budget", "message": "spent"}])
def test_trouble_is_no_lost_name(watch, error):
    Watch.objects.update(state="resting", run=None)
    watch.refresh_from_db()
    run = refresh(watch=watch, actor=None)
    end(run, error=error)
    assert asked_again(watch) == run


def test_the_trail_says_so(watch):
    end(refresh(watch=watch, actor=None), error=GONE)
    sweep_watches()
    event = AuditEvent.objects.get(action="watch.followed")
    assert event.detail["identifier"] == OLD


def test_every_macro_about_one_entity_says_what_to_follow(db):
    sync_macros()
    names = ("client-discovery", "regulatory-check", "ubo-investigation")
    assert [name for name in names if not definition_of(active_macro(name)).follow] == []


@cases(
    ("follow", "message"),
    [
        ("{nobody: [/owner/lei]}", "'nobody' is not one of the macro's parameters"),
        ("{street: [/owner/name]}", "the schema has no field '/owner/name'"),
        ("{street: [owner]}", "is not a JSON Pointer"),
    ],
)
def test_lint_names_what_cannot_be_followed(follow, message):
    text = f"""\
macro:
  name: look
  description: Look.
  parameters: [{{name: street}}]
  follow: {follow}
  prompt: "Look at {{{{street}}}}."
  output:
    schema_name: look-result
    schema: {{type: object, properties: {{owner: {{type: object, properties: {{lei: {{type: string}}}}}}}}}}
"""
    assert any(message in fault.message for fault in default_lint(text))
