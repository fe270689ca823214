"""REST, the command line, a tool and a research check verify an LEI in one way, and by one policy."""

import json
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from entities.gleif.register import open_register
from entities.services.policy import set_lei_policy
from research.checks.provenance.corpus import Corpus
from research.engine.check_steps import Subject
from research.engine.check_steps import _leis as checks_of
from research.tools.tool import ToolContext
from tests.cases import cases
from tests.commands.conftest import run  # noqa: F401 - a fixture
from tests.factories import UserFactory
from tests.tools.calls import call_tool

pytestmark = pytest.mark.django_db
ALLIANZ, RETIRED = "529900K9B0N5BT694847", "529900FAHFDMSXCPII15"
CASES = [
    {"lei": ALLIANZ},
    {"lei": ALLIANZ, "name": "Allianz SE", "jurisdiction": "DE"},
    {"lei": ALLIANZ, "name": "Siemens AG", "jurisdiction": "FR"},
    {"lei": RETIRED, "name": "Allianz Global Investors GmbH", "jurisdiction": "DE"},
    {"lei": "529900K9BON5BT694847", "name": "Allianz SE"},
    {"lei": ALLIANZ.lower()},
    {"lei": "529900K9B0N5BT69484"},
    {"lei": "999900NOTINTHISREG79"},
    {"lei": "not an LEI"},
]


@pytest.fixture(params=["usual policy", "strict policy"])
def policy(request):
    if request.param == "strict policy":
        set_lei_policy(
            values={"ISSUED": "warn", "RETIRED": "unknown", "name_fails_below": "95"}, note="Strict."
        )


def by_rest(case):
    client = APIClient()
    client.force_authenticate(UserFactory())
    answer = client.post(reverse("api-lei-check"), {"claims": [case]}, format="json")
    assert answer.status_code == 200, answer.content
    return answer.json()[0]


def by_command(run, case):  # noqa: F811
    stated = [f"--{name}={value}" for name, value in case.items() if name != "lei"]
    return json.loads(run("lei", "check", *stated, "--json", "--", case["lei"]).out)


def by_tool(case):
    answer = call_tool("lei_check", case, ToolContext(register=open_register("")))
    assert answer["success"], answer
    return {key: value for key, value in answer["data"].items() if key != "register"}


@cases("case", CASES, ids=lambda case: f"{case['lei']} {case.get('name', '')}")
def test_rest_command_and_tool_say_the_same(policy, run, case):  # noqa: F811
    report = by_rest(case)
    assert len(report["checks"]) == 18
    assert by_command(run, case) == report
    assert by_tool(case) == report


@cases("case", CASES, ids=lambda case: f"{case['lei']} {case.get('name', '')}")
def test_a_research_check_has_the_verdicts_of_what_could_be_checked(policy, case):
    subject = Subject(case, {}, open_register(""), uuid4(), timezone.localdate(), lambda: Corpus([]))
    verdicts = {(each.code, each.verdict, each.message) for each in checks_of(subject)}
    told = {(each["code"], each["verdict"], each["message"]) for each in by_rest(case)["checks"]}
    assert verdicts <= told
    assert {verdict for _, verdict, _ in told - verdicts} <= {"unknown"}


def test_one_lei_by_address_carries_the_same_report():
    client = APIClient()
    client.force_authenticate(UserFactory())
    shown = client.get(reverse("api-lei", args=[RETIRED]), {"name": "Allianz Global Investors GmbH"}).json()
    assert shown["check"] == by_rest({"lei": RETIRED, "name": "Allianz Global Investors GmbH"})
    assert shown["check"]["successor"] == "OJ2TIQSVQND4IZYYK658"


NAMES = ["Allianz SE", "Allianz Pensionskasse Aktiengesellschaft", "Alianz", "qqqqzzzzxxxx"]
OUTCOME = ("query", "outcome", "reason", "message", "leis")


@pytest.mark.parametrize("name", NAMES)
def test_rest_command_tool_and_page_search_alike(run, client, name):  # noqa: F811
    api = APIClient()
    api.force_authenticate(UserFactory())
    answer = api.get(reverse("api-lei-search"), {"name": name})
    assert answer.status_code == 200, answer.content
    found = answer.json()
    assert json.loads(run("lei", "search", "--json", "--", name).out) == found
    tool = call_tool("lei_search", {"name": name}, ToolContext(register=open_register("")))["data"]
    assert {key: tool[key] for key in OUTCOME} == {key: found[key] for key in OUTCOME}
    client.force_login(UserFactory(rights=["view_goldencopyimport", "view_leirecord"]))
    page = client.get(reverse("admin:entities_goldencopyimport_changelist"), {"q": name})
    assert page.context["found"].as_json() == found


def test_a_search_over_rest_needs_a_name_and_a_sensible_limit():
    api = APIClient()
    assert api.get(reverse("api-lei-search"), {"name": "Allianz"}).status_code in (401, 403)
    api.force_authenticate(UserFactory())
    for query in ({}, {"name": ""}, {"name": "Allianz", "limit": 0}, {"name": "x" * 20_001}):
        assert api.get(reverse("api-lei-search"), query).status_code == 400
    only = api.get(reverse("api-lei-search"), {"name": "Allianz", "jurisdiction": "AT", "limit": 3}).json()
    assert {candidate["jurisdiction"] for candidate in only["candidates"]} == {"AT"}
    assert len(only["candidates"]) <= 3
