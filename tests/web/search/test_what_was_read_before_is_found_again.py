"""The archive behind ``web_search``: pages that were fetched once answer later questions."""

import pytest
from django.db import connection
from django.utils.timezone import now

from entities.gleif.register import open_register
from research.models import Document
from research.tools.tool import ToolContext
from research.tools.web_search import search_archive
from tests.tools.calls import call_tool


def keep(url, title, text):
    return Document.objects.create(
        digest=f"{abs(hash(url)):064d}",
        url=url,
        host="e.org",
        title=title,
        mime="text/plain",
        language="en",
        size=len(text),
        text=text,
        fetched_at=now(),
    )


@pytest.mark.django_db
def test_a_question_finds_the_page_and_the_part_that_answers():
    keep(
        "https://e.org/owners",
        "Owners\nof Allianz",
        "Preface. " * 100 + "Allianz belongs to its shareholders.",
    )
    keep("https://e.org/other", "Weather", "It rains in Munich.")
    answer = call_tool(
        "web_search", {"query": "Who are the shareholders of Allianz?"}, ToolContext(open_register("demo"))
    )
    (result,) = answer["data"]["results"]
    assert (result["url"], result["title"]) == ("https://e.org/owners", "Owners of Allianz")
    assert "shareholders" in result["snippet"]
    assert answer["sources"][0]["found_by"] == "archive"
    assert answer["data"]["limitation"]["code"] == "no_search_provider"


@pytest.mark.django_db
def test_a_document_without_an_address_is_no_hit():
    keep("", "Register record", "Allianz SE")
    answer = call_tool("web_search", {"query": "Allianz"}, ToolContext(open_register("demo")))
    assert answer["error"]["code"] == "no_search_provider"


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_after_it():
    assert search_archive("anything", 5) == []
    assert connection.connection is None
