"""A question is checked by one service, so that no face starts a run that is paid for and cannot be answered."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from research.mcp.catalogue import call
from research.models import Macro, Run
from research.services.macros import sync_macros
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db
GIVEN = {"entity_name": "Allianz SE", "entity_lei": "NOTANLEI", "jurisdiction": "Germany"}


@pytest.fixture
def person(client):
    sync_macros()
    person = UserFactory(rights=[*ALL_RIGHTS, "view_macro", "view_run"])
    client.force_login(person)
    return person


def test_the_ask_page_marks_the_fields_and_keeps_what_was_typed(client, person):
    macro = Macro.objects.get(name="ubo-investigation", status="active")
    fields = {f"param:{name}": text for name, text in GIVEN.items()} | {"param:ownership_threshold": "-5"}
    page = client.post(
        reverse("admin:research_macro_ask", args=[macro.pk]),
        {"autonomy": "balanced", "depth": "quick", **fields},
    )
    assert page.status_code == 400
    for words in (
        "must be an LEI of 20",
        "did you mean DE?",
        "must be from 0 to 100, not -5",
        'value="Germany"',
    ):
        assert words in page.content.decode()
    assert not Run.objects.exists()


def test_rest_agents_and_commands_name_the_same_faults(client, person):
    body = {"macro": "ubo-investigation", "params": {**GIVEN, "ownership_threshold": -5}}
    answer = client.post(reverse("api-runs"), json.dumps(body), content_type="application/json")
    told = {error["name"]: error["message"] for error in answer.json()["errors"]}
    assert answer.status_code == 400
    assert set(told) == {"entity_lei", "jurisdiction", "ownership_threshold"}

    by_agent = call("research_execute", {"macro_name": "ubo-investigation", "params": body["params"]}, person)
    assert "did you mean DE?" in str(by_agent["error"])

    pairs = [f"{name}={value}" for name, value in body["params"].items()]
    with pytest.raises(CommandError, match="did you mean DE"):
        call_command("research", "run", "ubo-investigation", *pairs)
    assert not Run.objects.exists()


def test_every_face_takes_small_letters_and_blanks_as_they_are_meant(client, person):
    typed = {"entity_name": "Allianz SE", "entity_lei": "5299 00k9 b0n5 bt69 4847", "jurisdiction": "de"}
    macro = Macro.objects.get(name="ubo-investigation", status="active")
    fields = {f"param:{name}": text for name, text in typed.items()} | {"param:ownership_threshold": "25"}
    shown = client.post(
        reverse("admin:research_macro_ask", args=[macro.pk]),
        {"autonomy": "balanced", "depth": "quick", **fields},
    )
    body = {"macro": "ubo-investigation", "params": typed}
    answer = client.post(reverse("api-runs"), json.dumps(body), content_type="application/json")
    agent = call("research_execute", {"macro_name": "ubo-investigation", "params": typed}, person)
    pairs = [f"{name}={value}" for name, value in typed.items()]
    call_command("research", "run", "ubo-investigation", *pairs, "--detach", "--as", person.username)

    assert (shown.status_code, answer.status_code, agent["success"]) == (302, 202, True)
    asked = [(run.params["entity_lei"], run.params["jurisdiction"]) for run in Run.objects.all()]
    assert asked == [("529900K9B0N5BT694847", "DE")] * 4
