"""What a provider is asked with, and what is read from its documented answer."""

import pytest

from common.outside.faults import SourceFault
from research.web.search.brave import Brave
from research.web.search.crossref import Crossref
from research.web.search.openalex import OpenAlex
from research.web.search.semantic_scholar import SemanticScholar
from tests.cases import cases
from tests.web.search.shapes import KEY, SHAPES

EVERY = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


@EVERY
def test_it_reads_what_the_provider_found(double, shape):
    double.answers(shape.answer)
    hits = shape.make(double.url).search("who owns Allianz", 5, seconds=5)
    assert len(hits) == len(shape.hits)
    for hit, expected in zip(hits, shape.hits, strict=True):
        assert {name: getattr(hit, name) for name in expected} == expected
        assert hit.provider == shape.name


@EVERY
def test_it_finds_nothing_in_an_empty_answer(double, shape):
    double.answers(shape.empty)
    assert shape.make(double.url).search("q", 5, seconds=5) == []


@EVERY
def test_it_gives_no_more_than_was_asked_for(double, shape):
    double.answers(shape.answer)
    assert len(shape.make(double.url).search("q", 1, seconds=5)) == 1


@EVERY
def test_it_survives_results_of_every_other_shape(double, shape):
    odd = [None, 7, "text", [], {}, {"url": 5, "link": {}, "DOI": [], "title": {"a": 1}, "abstract": [1]}]
    double.answers(nested(shape.listed, odd))
    hits = shape.make(double.url).search("q", 50, seconds=5)
    assert len(hits) == 2
    assert {hit.title for hit in hits} == {""}


@EVERY
@cases("wrong", ["text", {"a": 1}, 5, True])
def test_it_refuses_a_list_that_is_none(double, shape, wrong):
    double.answers(nested(shape.listed, wrong))
    with pytest.raises(SourceFault) as caught:
        shape.make(double.url).search("q", 5, seconds=5)
    assert caught.value.code == "unreadable"


@EVERY
def test_it_reads_a_bounded_number_of_results_of_bounded_length(double, shape):
    long = "word " * 30_000
    item = {"url": "https://e.org", "title": long, "content": long, "description": long, "snippet": long}
    item |= {
        "abstract": long,
        "abstract_inverted_index": {long: list(range(9_000))},
        "DOI": "10.1/" + "x" * 900,
    }
    double.answers(nested(shape.listed, [item, *[{"title": "t"}] * 200]))
    hits = shape.make(double.url).search("q", 1000, seconds=5)
    assert len(hits) == 100
    assert max(len(hit.title) for hit in hits) <= 300
    assert max(len(hit.snippet) for hit in hits) <= 1000
    assert max(len(hit.text) for hit in hits) <= 20_000


ASKED = {
    "tavily": ("POST", "/search", {}, {"query": "who owns", "max_results": 7, "search_depth": "basic"}),
    "brave": (
        "GET",
        "/web/search",
        {"q": "who owns", "count": "7", "result_filter": "web", "text_decorations": "false"},
        None,
    ),
    "google": ("GET", "/customsearch/v1", {"cx": "engine-id", "q": "who owns", "num": "7"}, None),
    "perplexity": (
        "POST",
        "/search",
        {},
        {"query": "who owns", "max_results": 7, "max_tokens_per_page": 512},
    ),
    "searxng": ("GET", "/search", {"q": "who owns", "format": "json"}, None),
    "semantic_scholar": (
        "GET",
        "/paper/search",
        {
            "query": "who owns",
            "limit": "7",
            "fields": "title,abstract,year,publicationDate,venue,url,externalIds,openAccessPdf,authors,citationCount",
        },
        None,
    ),
    "openalex": (
        "GET",
        "/works",
        {
            "search": "who owns",
            "per_page": "7",
            "select": "id,doi,display_name,publication_date,primary_location,best_oa_location,authorships,"
            "abstract_inverted_index",
        },
        None,
    ),
    "crossref": (
        "GET",
        "/works",
        {
            "query.bibliographic": "who owns",
            "rows": "7",
            "select": "DOI,URL,title,abstract,author,container-title,publisher,issued,score,type",
            "mailto": "ops@example.org",
        },
        None,
    ),
}
KEY_HEADERS = {
    "tavily": ("Authorization", f"Bearer {KEY}"),
    "brave": ("X-Subscription-Token", KEY),
    "google": ("X-Goog-Api-Key", KEY),
    "perplexity": ("Authorization", f"Bearer {KEY}"),
    "semantic_scholar": ("x-api-key", KEY),
    "openalex": ("Authorization", f"Bearer {KEY}"),
}


@EVERY
def test_it_asks_as_documented_with_the_key_in_a_header_only(double, shape):
    double.answers(shape.empty)
    shape.make(double.url + "/").search("who owns", 7, seconds=5)
    (question,) = double.questions
    assert (question.method, question.path, question.query, question.body) == ASKED[shape.name]
    header, value = KEY_HEADERS.get(shape.name, ("Accept", "application/json"))
    assert question.headers[header] == value
    assert "Cookie" not in question.headers


@pytest.mark.parametrize("make", [SemanticScholar, OpenAlex])
def test_a_scholarly_provider_is_asked_without_a_key_too(double, make):
    double.answers({"data": [], "results": []})
    make(double.url).search("q", 5, seconds=5)
    assert not {"Authorization", "x-api-key"} & set(double.questions[0].headers)


def test_brave_gets_no_more_words_than_it_takes(double):
    double.answers({})
    Brave(double.url, KEY).search("w " * 80, 5, seconds=5)
    assert len(double.questions[0].query["q"].split()) == 50


ABSTRACTS = [
    ("<jats:title>Abstract</jats:title><jats:p>We find.</jats:p>", "We find."),
    ("Abstract: We find.", "We find."),
    ("&lt;p&gt;We &amp;amp; they find.&lt;/p&gt;", "We & they find."),
    (
        "<jats:p>Abstract interpretation<jats:sup>1</jats:sup> is sound.</jats:p>",
        "Abstract interpretation 1 is sound.",
    ),
    (["no text"], ""),
]


@pytest.mark.parametrize(("abstract", "expected"), ABSTRACTS)
def test_an_abstract_of_crossref_is_plain_text(double, abstract, expected):
    double.answers({"message": {"items": [{"DOI": "10.1/1", "abstract": abstract}]}})
    (hit,) = Crossref(double.url, "a@b.c").search("q", 5, seconds=5)
    assert hit.text == expected


def test_searxng_without_its_engines_has_not_found_nothing(double):
    shape = next(shape for shape in SHAPES if shape.name == "searxng")
    double.answers({"results": [], "unresponsive_engines": [["google", "CAPTCHA"]]})
    with pytest.raises(SourceFault) as caught:
        shape.make(double.url).search("q", 5, seconds=5)
    assert caught.value.code == "server_error"


def nested(path, value):
    for key in reversed(path):
        value = {key: value}
    return value
