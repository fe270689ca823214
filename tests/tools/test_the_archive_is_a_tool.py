import pytest

from entities.gleif.register import demo_register
from research.tools.tool import ToolContext, get_tools
from tests.factories import DocumentFactory
from tests.tools.calls import call_tool

pytestmark = pytest.mark.django_db


def search(**arguments):
    return call_tool("archive_search", arguments, ToolContext(register=demo_register()))


@pytest.fixture
def insurer():
    DocumentFactory(text="Nothing of that kind.")
    return DocumentFactory(
        text="An insurer was founded.", title="An insurer", url="https://example.org/a", warnings=["Odd."]
    )


def test_it_answers_with_snippets_and_gives_the_texts_as_sources(insurer):
    answer = search(query="Which insurers were founded?")
    [result] = answer["data"]["results"]
    assert (result["url"], result["snippet"]) == ("https://example.org/a", "An insurer was founded.")
    [source] = answer["sources"]
    assert (source["kind"], source["text"], source["found_by"]) == ("web", insurer.text, "archive")
    assert source["warnings"] == ["Odd."]


def test_it_finds_nothing_without_a_fuss(insurer):
    answer = search(query="bananas")
    assert (answer["success"], answer["data"]["results"], "sources" in answer) == (True, [], False)


def test_it_narrows(insurer):
    assert search(query="insurer", host="example.com")["data"]["results"] == []
    assert search(query="insurer", language="it")["data"]["results"] == []
    DocumentFactory(text="Another insurer.")
    assert len(search(query="insurer", max_results=1)["data"]["results"]) == 1


@pytest.mark.parametrize("wrong", [{}, {"query": ""}, {"query": "x", "max_results": 99}, {"query": 1}])
def test_it_refuses_wrong_arguments(db, wrong):
    assert search(**wrong)["error"]["code"] == "bad_arguments"


def test_it_is_offered_as_a_tool_of_the_web():
    [tool] = get_tools(["archive_search"])
    assert tool.web
