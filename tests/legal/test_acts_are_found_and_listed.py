"""Acts by their words, their articles, dates and relatives; and the provision that a citation names."""

import pytest

from citations.sources.fedlex import paragraph_of
from research.tools.tool import ToolContext
from tests.tools.calls import call_tool

pytestmark = pytest.mark.django_db


def call(name, **arguments):
    return call_tool(name, arguments, ToolContext(register=None))


def test_articles_are_listed_with_their_headings(acts):
    found = call("list_articles", statute="OR")["data"]
    assert (found["number"], found["total"]) == ("220", 3)
    assert found["articles"] == [
        {"article": "363", "heading": ""},
        {"article": "368", "heading": ""},
        {"article": "336c", "heading": "Kündigung zur Unzeit"},
    ]


def test_the_page_of_an_act_is_fetched_once(acts):
    call("list_articles", statute="OR")
    call("get_article", statute="OR", article="363")
    assert sum(path.startswith("/filestore/") for path in acts.asked) == 1


def test_acts_are_found_by_the_words_of_their_title(acts):
    found = call("search_legislation", query="Datenschutz Bundesgesetz")["data"]
    assert [(one["number"], one["abbreviation"]) for one in found["results"]] == [("235.1", "DSG")]
    assert found["results"][0]["url"] == "https://www.fedlex.admin.ch/eli/cc/1993/945_945_945/de"
    assert call("search_legislation", query="Raumfahrt")["data"]["results"] == []


def test_no_word_of_a_question_ends_the_query(acts):
    call("search_legislation", query='x") } INSERT "daten\\schutz')
    assert 'CONTAINS(LCASE(CONCAT(STR(?title), " ", COALESCE(STR(?short), ""))), "insert")' in acts.queries[0]
    assert 'x"' not in acts.queries[0]
    assert "\\" not in acts.queries[0]


def test_a_question_of_signs_asks_nobody(acts):
    assert call("search_legislation", query="§ %")["data"]["total"] == 0
    assert acts.queries == []


def test_the_dates_of_an_act_are_told(acts):
    found = call("get_metadata", statute="CO")["data"]
    assert (found["number"], found["abbreviation"], found["adopted"]) == ("220", "OR", "1911-03-30")
    assert (found["in_force_since"], found["in_force_until"]) == ("1912-01-01", "")
    assert (found["versions"], found["last_version"]) == (93, "2025-01-01")


def test_acts_that_belong_together_say_how(acts):
    found = call("find_related", statute="OR")["data"]
    assert [one["number"] for one in found["citing"]] == ["210"]
    assert [one["number"] for one in found["cited"]] == ["272"]
    assert [one["title"] for one in found["changed_by"]] == ["OR (Aktienrecht)"]
    assert found["totals"] == {"citing": 1, "cited": 1, "changed_by": 1}
    assert found["complete"]


def test_of_more_relatives_than_are_read_it_says_that_there_may_be_more(acts, monkeypatch):
    monkeypatch.setattr("citations.sources.fedlex.MOST_RELATED", 1)
    assert not call("find_related", statute="OR")["data"]["complete"]


@pytest.mark.parametrize(("limit", "complete"), [(1, False), (10, True)])
def test_a_search_says_whether_there_may_be_more(acts, limit, complete):
    found = call("search_legislation", query="Datenschutz", limit=limit)["data"]
    assert found["complete"] is complete


@pytest.mark.parametrize("name", ["list_articles", "get_metadata", "find_related", "lookup_statute"])
def test_what_is_no_act_is_refused(acts, name):
    assert call(name, statute="XYZ")["error"]["code"] == "bad_arguments"


@pytest.mark.parametrize("name", ["list_articles", "get_metadata", "lookup_statute"])
def test_an_act_that_fedlex_does_not_have_is_not_found(acts, name):
    assert call(name, statute="999.999")["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    ("citation", "paragraph", "text"),
    [
        ("Art. 368 Abs. 2 OR", "2", "2 Sind die Mängel minder erheblich."),
        ("art. 368 al. 1 CO", "1", "1 Leidet das Werk an erheblichen Mängeln."),
    ],
)
def test_a_citation_gives_the_paragraph_that_it_names(acts, citation, paragraph, text):
    found = call("get_provision_text", citation=citation)["data"]
    assert (found["paragraph"], found["text"], found["citation"]) == (paragraph, text, "Art. 368 OR")


@pytest.mark.parametrize("citation", ["Art. 368 OR", "Art. 368 Abs. 9 OR"])
def test_without_a_paragraph_that_can_be_told_it_is_the_article(acts, citation):
    found = call("get_provision_text", citation=citation)["data"]
    assert found["paragraph"] is None
    assert found["text"].startswith("Art. 368\n1 Leidet")


ARTICLE = """Art. 36
1 Die Frist beträgt:
a. in der Regel
30 Tage seit der Zustellung
1 Monat im Ausland
1bis Sie steht still.
2 und 3 …
4 Das Gericht kann sie erstrecken."""


@pytest.mark.parametrize(
    ("paragraph", "lines"),
    [("1", slice(1, 5)), ("1bis", slice(5, 6)), ("2", slice(6, 7)), ("4", slice(7, 8))],
)
def test_a_paragraph_has_what_belongs_to_it_though_it_begins_with_a_number(paragraph, lines):
    assert paragraph_of(ARTICLE, paragraph) == "\n".join(ARTICLE.split("\n")[lines])


@pytest.mark.parametrize("paragraph", ["30", "5", ""])
def test_a_number_that_is_not_next_in_line_is_no_paragraph(paragraph):
    assert paragraph_of(ARTICLE, paragraph) is None


@pytest.mark.parametrize(
    ("citation", "code"),
    [
        ("BGE 130 III 362", "INVALID_CITATION_FORMAT"),
        ("Art. 5 XYZG", "INVALID_CITATION_FORMAT"),
        ("Art. 97-109 OR", "bad_arguments"),
        ("Art. 999 OR", "not_found"),
        ("Art. 363 aOR", "not_offered"),
    ],
)
def test_what_names_no_article_in_force_is_refused(acts, citation, code):
    assert call("get_provision_text", citation=citation)["error"]["code"] == code


def test_acts_with_commentaries_are_read_page_by_page(commentaries):
    commentaries.page_size = 1
    found = call("list_legislative_acts")["data"]
    assert found["acts"] == [{"id": "act-1", "title": "Code of Obligations", "commentaries": 2}]
    assert found["complete"]
    assert len(commentaries.asked) == 2


def test_pages_beyond_the_limit_are_left_out_and_it_says_so(commentaries, monkeypatch):
    monkeypatch.setattr("citations.sources.onlinekommentar.MOST_PAGES", 1)
    commentaries.page_size = 1
    found = call("list_legislative_acts")["data"]
    assert (found["acts"][0]["commentaries"], found["complete"]) == (1, False)


@pytest.mark.parametrize("name", ["search_legislation", "find_related", "get_metadata", "list_articles"])
def test_trouble_with_fedlex_is_no_empty_answer(acts, name):
    acts.status = 500
    arguments = {"query": "Daten"} if name == "search_legislation" else {"statute": "OR"}
    assert call(name, **arguments)["error"]["code"] in ("server_error", "left_alone")
