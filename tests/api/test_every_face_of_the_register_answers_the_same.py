"""What is stated beside an LEI, and where a name is looked for, means the same at REST, the command and the tool."""

import pytest

from entities.gleif.register import open_register
from research.tools.tool import ToolContext
from tests.commands.conftest import run  # noqa: F401 - a fixture
from tests.tools.calls import call_tool

pytestmark = pytest.mark.django_db

ALLIANZ = "529900K9B0N5BT694847"


def tool(name, /, **arguments):
    return call_tool(name, arguments, ToolContext(register=open_register("demo")))


@pytest.mark.parametrize(
    "stated",
    [
        {"jurisdiction": "Switzerland"},
        {"jurisdiction": "Munich, Germany"},
        {"name": "", "jurisdiction": ""},
        {"name": "Allianz SE", "category": "a category in far more words than any register has"},
        {"legal_form": "Societas Europaea", "registered_as": "HRB 164232"},
    ],
)
def test_a_claim_has_one_answer(client, url, run, stated):  # noqa: F811
    [by_rest] = client.post(url("lei-check"), {"claims": [{"lei": ALLIANZ, **stated}]}).json()
    options = [word for key, value in stated.items() for word in (f"--{key.replace('_', '-')}", value)]
    by_command = run("lei", "check", ALLIANZ, "--json", *options).document
    by_tool = tool("lei_check", lei=ALLIANZ, **stated)["data"]
    assert by_rest == by_command == {key: by_tool[key] for key in by_rest}


@pytest.mark.parametrize("place", ["DE", "de", "Germany", "Deutschland", "Munich, Germany"])
def test_a_name_is_looked_for_in_a_place_however_it_is_written(client, url, run, place):  # noqa: F811
    by_rest = client.get(url("lei-search"), {"name": "Allianz SE", "jurisdiction": place}).json()
    by_command = run("lei", "search", "Allianz SE", "--json", "--jurisdiction", place).document
    by_tool = tool("lei_search", name="Allianz SE", jurisdiction=place)["data"]
    assert by_rest["leis"] == by_command["leis"] == by_tool["leis"] == [ALLIANZ]


def test_a_place_that_nobody_knows_is_refused_for_nobody_there_would_be_another_answer(client, url, run):  # noqa: F811
    answer = client.get(url("lei-search"), {"name": "Allianz SE", "jurisdiction": "Narnia"})
    refused = run("lei", "search", "Allianz SE", "--jurisdiction", "Narnia")
    told = tool("lei_search", name="Allianz SE", jurisdiction="Narnia")
    assert (answer.status_code, refused.code, told["error"]["code"]) == (400, 1, "bad_request")
    assert all("“Narnia” is not a place we know" in str(text) for text in (answer.json(), refused.err, told))
