import json
import re

import pytest

from research.services.reviews import approve_result, preview_edits
from tests.factories import DocumentFactory, SourceFactory, store_checks

PAGE = "Allianz SE is the head of the group. First Fund was launched in 2001. *Second* Fund <b>was</b> not."
FOUND, ALSO, LOST = (
    "Allianz SE is the head of the group.",
    "First Fund was launched in 2001.",
    "Nothing of this stands there.",
)


@pytest.fixture
def quoted(make_result):
    """A result with quotes from one page: two that stand there, one that does not, one with marks of a format."""
    places = [
        ("/apex/name", FOUND),
        ("/apex/jurisdiction", FOUND),
        ("/funds/0", ALSO),
        ("/funds/1/name", LOST),
        ("/funds/1/note", "*Second* Fund <b>was</b> not."),
    ]
    evidence = [{"pointer": place, "source": 1, "quote": quote} for place, quote in places]
    result = make_result(evidence=evidence)
    SourceFactory(run=result.run, number=1, document=DocumentFactory(text=PAGE), title="A page")
    store_checks(result, preview_edits(result=result).checks)
    return result


def test_markdown_gives_each_quote_with_its_source_and_what_became_of_it(quoted, compose):
    text = compose(quoted)
    assert rf"- \[q1\] “{FOUND}” · source 1 · A page · ✓ found in the source" in text
    assert re.search(r"\\\[q3\\\] “Nothing of this stands there\.” .* ✗ not borne out by the source", text)


def test_values_name_their_quotes(quoted, compose):
    text = compose(quoted)
    assert r"Allianz SE \[q1\]" in text
    assert re.search(r"DE \\\[q1\\\]", text)
    assert r"First Fund** \[q2\]" in text


def test_the_same_words_of_the_same_source_are_one_footnote(quoted, compose):
    notes = json.loads(compose(quoted, format="json"))["quotes"]
    assert [note["quote"] for note in notes] == [FOUND, ALSO, LOST, "*Second* Fund <b>was</b> not."]
    assert [note["number"] for note in notes] == [1, 2, 3, 4]
    assert "Head of the group" in notes[0]["places"]


def test_html_links_values_and_quotes(quoted, compose):
    text = compose(quoted, format="html")
    assert text.count('href="#q1"') == 2
    assert text.count('id="q1"') == 1
    assert "&lt;b&gt;was&lt;/b&gt;" in text
    assert "<b>was" not in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_it_says_how_much_is_backed(quoted, compose, format):
    text = compose(quoted, format=format)
    assert "values are quoted" in text
    assert json.loads(compose(quoted, format="json"))["backing"] == (
        "6 of 12 values are quoted; 5 of them with words that were found in the source."
    )


def test_a_quote_that_is_not_borne_out_is_an_open_point(quoted, compose):
    assert "Source 1 does not contain this quote." in compose(quoted).partition("## Findings")[0]


def test_it_tells_of_the_quotes_of_the_approved_data(quoted, compose, reviewer):
    edits = [{"op": "remove", "path": "/funds/0"}]
    approve_result(
        result=quoted, reviewer=reviewer, digest=quoted.digest, edits=edits, reason="Known.", shown=[""]
    )
    text = compose(quoted)
    assert ALSO not in text
    assert LOST in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_without_quotes_nothing_is_said_of_them(make_result, compose, format):
    text = compose(make_result(), format=format)
    assert "q1" not in text
    assert "quoted" not in text
    assert "no quotes were given" not in text


def test_pages_without_quotes_are_a_limitation(make_result, compose):
    result = make_result()
    SourceFactory(run=result.run, number=1)
    assert "no quotes were given" in compose(result)


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_it_tells_so_in_every_language(quoted, compose, language):
    text = compose(quoted, language=language)
    assert r"\[q1\]" in text
    assert "found in the source" not in text
