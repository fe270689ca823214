"""A legal run is asked for a memo, bullets or data; who asks for its memo and names no style gets that."""

import json

import pytest
from django.core.management import call_command
from django.urls import reverse
from rest_framework.test import APIClient

from research.mcp.catalogue import call
from research.models import Memo
from research.services.memos import compose_memo
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


def result_asked_for(style, workflow="legal"):
    params = {"question": "Was gilt?", **({"outputFormat": style} if style else {})}
    return ResultFactory(run__workflow=workflow, run__params=params)


@pytest.mark.parametrize(("asked", "style"), [("bullets", "bullets"), ("json", "json"), (None, "memo")])
def test_without_a_style_it_is_the_one_of_the_run(asked, style):
    assert compose_memo(result=result_asked_for(asked)).style == style


@pytest.mark.parametrize("wrong", ["poem", ["memo"], 7])
def test_what_is_no_style_is_none(wrong):
    assert compose_memo(result=result_asked_for(wrong)).style == "memo"


def test_other_runs_mean_something_else_by_that_name():
    assert compose_memo(result=result_asked_for("bullets", workflow="direct")).style == "memo"


def test_a_style_that_is_asked_for_wins():
    assert compose_memo(result=result_asked_for("bullets"), style="memo").style == "memo"


@pytest.mark.parametrize(
    ("form", "style"), [("html", "memo"), ("docx", "memo"), ("json", "json"), ("", "json")]
)
def test_a_run_that_was_asked_for_data_still_gives_pages(form, style):
    assert compose_memo(result=result_asked_for("json"), format=form).style == style


@pytest.fixture
def person():
    return UserFactory(is_staff=True, rights=ALL_RIGHTS)


@pytest.fixture
def result():
    return result_asked_for("bullets")


EITHER = pytest.mark.parametrize(("chosen", "style"), [({}, "bullets"), ({"style": "memo"}, "memo")])


@EITHER
def test_the_api_knows(person, result, chosen, style):
    client = APIClient()
    client.force_authenticate(person)
    url = reverse("api-result-memo", args=[result.pk])
    kept = client.post(url, chosen, format="json")
    assert (kept.status_code, kept.json()["style"]) == (201, style)
    assert client.get(kept["Location"])["ETag"] == f'"{kept.json()["digest"]}"'
    client.get(url, chosen)
    assert Memo.objects.get().style == style


@EITHER
def test_the_admin_knows(client, person, result, chosen, style):
    client.force_login(person)
    client.get(reverse("admin:research_researchresult_memo", args=[result.pk]), chosen)
    assert Memo.objects.get().style == style


@EITHER
def test_the_terminal_knows(result, chosen, style):
    call_command("research", "memo", str(result.pk), *(f"--style={value}" for value in chosen.values()))
    assert Memo.objects.get().style == style


@EITHER
def test_agents_know(person, result, chosen, style):
    told = call("research_memo", {"result_id": str(result.pk), **chosen}, person)
    assert told["memo"]["style"] == style
    assert told["memo"]["body"] == bytes(Memo.objects.get().body).decode()


def test_the_page_of_the_result_proposes_it(client, person, result):
    client.force_login(person)
    page = client.get(reverse("admin:research_researchresult_review", args=[result.pk])).content.decode()
    assert '<option value="bullets" selected>' in page


def test_an_agent_reads_it_in_its_language(person, result):
    told = call("research_memo", {"result_id": str(result.pk), "language": "de", "format": "json"}, person)
    assert json.loads(told["memo"]["body"])["status"].startswith("Wartet")


def test_an_agent_gets_no_file(person, result):
    refused = call("research_memo", {"result_id": str(result.pk), "format": "pdf"}, person)
    assert refused["error"]["code"] == "bad_arguments"
