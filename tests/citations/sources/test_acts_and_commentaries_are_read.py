"""Fedlex and onlinekommentar.ch: what is in force, the text of an article, what is written on it; and trouble."""

import json
from datetime import date

import pytest

from citations.sources.fedlex import Fedlex, anchor, article_text, paragraph_of
from citations.sources.onlinekommentar import Onlinekommentar
from common.outside.faults import SourceFault
from tests.law_servers import PAGE, ActServer, CommentaryServer

TODAY = date(2026, 11, 21)


@pytest.fixture
def acts():
    with ActServer() as server:
        yield server


@pytest.fixture
def fedlex(acts, traffic):
    return Fedlex(acts.url, traffic=traffic)


@pytest.fixture
def commentaries():
    with CommentaryServer() as server:
        yield server


@pytest.fixture
def doctrine(commentaries, traffic):
    return Onlinekommentar(commentaries.url, traffic=traffic)


@pytest.mark.parametrize("act", ["OR", "CO", "220", "SR 220", "RS 220"])
def test_the_version_in_force(fedlex, acts, act):
    found = fedlex.version(act, language="de", today=TODAY)
    assert (found.number, found.abbreviation, found.in_force_since) == ("220", "OR", date(2025, 1, 1))
    assert found.url == "https://www.fedlex.admin.ch/eli/cc/27/317_321_377/de"
    assert '"2026-11-21"^^xsd:date' in acts.queries[0]
    assert "language/DEU" in acts.queries[0]


def test_the_text_of_an_article_without_its_footnotes(fedlex):
    found = fedlex.article("OR", "363", language="de", today=TODAY)
    assert (
        found.text
        == "Art. 363\nDurch den Werkvertrag verpflichtet sich der Unternehmer zur Herstellung eines Werkes."
    )
    assert found.url.endswith("/de#art_363")


def test_an_article_that_the_act_does_not_have(fedlex):
    assert fedlex.article("OR", "364", language="de", today=TODAY) is None
    assert fedlex.article("ZGB", "1", language="de", today=TODAY) is None


@pytest.mark.parametrize(("act", "article"), [("XYZ", "1"), ("OR", "1; DROP"), ("OR", ""), ('220" } #', "1")])
def test_what_is_no_act_or_article_is_refused_before_anybody_is_asked(fedlex, acts, act, article):
    with pytest.raises(ValueError, match="is n"):
        fedlex.article(act, article, language="de", today=TODAY)
    assert acts.asked == []


@pytest.mark.parametrize(
    ("article", "name"),
    [("97", "art_97"), ("336c", "art_336_c"), ("305bis", "art_305_bis"), ("260quater", "art_260_quater")],
)
def test_where_an_article_stands_on_the_page(article, name):
    assert anchor(article) == name


def test_a_page_without_articles_is_trouble(fedlex, acts):
    acts.page = "<html><body>Please wait</body></html>"
    with pytest.raises(SourceFault) as caught:
        fedlex.article("OR", "363", language="de", today=TODAY)
    assert caught.value.code == "unreadable"


def test_a_file_on_another_host_is_not_fetched(fedlex, acts):
    acts.file = "http://169.254.169.254/latest/meta-data/"
    with pytest.raises(SourceFault, match="another host"):
        fedlex.article("OR", "363", language="de", today=TODAY)


def test_the_second_paragraph_is_a_line_of_its_own():
    assert article_text(PAGE.encode(), "368").splitlines()[1:] == [
        "1 Leidet das Werk an erheblichen Mängeln.",
        "2 Sind die Mängel minder erheblich.",
    ]


LISTED = """<main><article id="art_36"><h6><b>Art. 36</b> Fristen</h6>
<p><sup>1</sup> Die Frist <i>beträgt</i>:</p>
<dl><dt>a. </dt><dd>30 Tage im Inland;<dl><dt>1. </dt><dd>2 Wochen in Eile,</dd>
<dt>2. </dt><dd><p>sonst mehr;</p></dd></dl></dd>
<dt>b. </dt><dd>2 Monate im Ausland.</dd></dl>
<p><sup>2</sup> Sie steht still.</p></article></main>"""


def test_an_item_of_a_list_stands_with_its_mark_and_once():
    assert article_text(LISTED.encode(), "36").splitlines() == [
        "Art. 36 Fristen",
        "1 Die Frist beträgt:",
        "a. 30 Tage im Inland;",
        "1. 2 Wochen in Eile,",
        "2. sonst mehr;",
        "b. 2 Monate im Ausland.",
        "2 Sie steht still.",
    ]


def test_an_item_that_begins_with_the_next_number_is_no_paragraph():
    text = article_text(LISTED.encode(), "36")
    assert paragraph_of(text, "2") == "2 Sie steht still."
    assert paragraph_of(text, "1").endswith("b. 2 Monate im Ausland.")


def test_a_page_is_fetched_once(fedlex, acts):
    for article in ("363", "368", "336c"):
        fedlex.article("OR", article, language="de", today=TODAY)
    assert sum(path.startswith("/filestore/") for path in acts.asked) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_trouble_is_asked_three_times_and_told(fedlex, acts, doctrine, commentaries, status):
    acts.status = commentaries.status = status
    with pytest.raises(SourceFault):
        fedlex.version("OR", language="de", today=TODAY)
    with pytest.raises(SourceFault):
        doctrine.search("Werkvertrag")
    assert (len(acts.asked), len(commentaries.asked)) == (3, 3)


def test_commentaries_are_searched(doctrine):
    (found,) = doctrine.search("363", language="de")
    assert (found.title, found.authors, found.updated) == ("Art. 363 OR", ("Anna Muster",), "2024-05-18")
    assert found.text == ""


def test_those_on_an_article_are_not_those_on_another(doctrine):
    assert [one.id for one in doctrine.for_article("363", "OR")] == ["ok-1"]
    assert [one.id for one in doctrine.for_article("3", "OR")] == ["ok-2"]
    assert doctrine.for_article("36", "OR") == ()


def test_a_commentary_with_its_text_and_no_markup(doctrine):
    assert doctrine.get("ok-1").text.splitlines() == [
        "I. Allgemeines",
        "Das Werk ist der Erfolg, den der Unternehmer schuldet.",
        "alert(1)",
    ]


def test_one_that_is_not_there(doctrine):
    assert doctrine.get("ok-9") is None


def test_an_identifier_cannot_leave_its_place(doctrine, commentaries):
    doctrine.get("../../admin?x=1")
    assert commentaries.asked[-1] == "/commentaries/..%2F..%2Fadmin%3Fx%3D1"


@pytest.mark.parametrize("record", [None, 3, {}, {"id": 3, "title": "x"}, {"id": "x", "title": ""}])
def test_odd_records_are_passed_over(doctrine, commentaries, record):
    commentaries.answer = lambda path, form: (200, json.dumps({"data": [record]}))
    assert doctrine.search("Werkvertrag") == ()


def test_an_answer_without_a_list_is_trouble(doctrine, commentaries):
    commentaries.answer = lambda path, form: (200, "{}")
    with pytest.raises(SourceFault, match="without a list"):
        doctrine.search("Werkvertrag")
