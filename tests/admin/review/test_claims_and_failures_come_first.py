"""A long result begins with what failed and with its claims; what only tells how it was found is folded below."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from lxml import html as markup

from research.jsontext import digest
from tests.factories import CheckFactory, MacroFactory, ResultFactory, RunFactory

pytestmark = pytest.mark.django_db
MACRO = """\
macro:
  name: opinion
  version: "1.0"
  description: What is the law?
  parameters: [{name: question, type: string, required: true}]
  tools: [lei_search]
  prompt: "{{question}}"
  output:
    schema_name: opinion
    schema:
      type: object
      properties:
        strategy: {type: object, x-claim: false, properties: {words: {type: array, items: {type: string}}}}
        memo:
          type: object
          properties:
            summary: {type: string}
            findings: {type: array, items: {type: object, properties: {issue: {type: string}}}}
            chain: {type: array, x-claim: false, items: {type: string}}
"""
NO_BOOK = "No such decision."
MANY_QUERIES = 30


@pytest.fixture
def make_opinion(db):
    """``make_opinion([(place, verdict)], findings=40)``: a memo and its checks."""
    macro = MacroFactory(name="opinion", text=MACRO)

    def make(verdicts=(), *, findings=40):
        data = {
            "strategy": {"words": ["defects", "works"]},
            "memo": {
                "summary": "Yes.",
                "findings": [{"issue": f"Issue {number}"} for number in range(findings)],
                "chain": ["BGE 130 III 362", "BGE 118 II 142"],
            },
        }
        run = RunFactory(macro=macro, state="succeeded")
        result = ResultFactory(run=run, data=data, digest=digest(data))
        for pointer, verdict in verdicts:
            CheckFactory(result=result, kind="citation", pointer=pointer, verdict=verdict, message=NO_BOOK)
        return result

    return make


@pytest.fixture
def see(browse, reviewer):
    """``see(result)``: the page as a tree."""
    return lambda result: markup.fromstring(browse(result, reviewer).text)


def folds(page):
    """The foldable blocks by their titles: whether each is open."""
    blocks = page.xpath("//details[contains(@class, 'section') or contains(@class, 'item ')]")
    named = (
        (block.xpath("./summary//*[self::h2 or contains(@class, 'item-title')]")[0], block)
        for block in blocks
    )
    return {title.text_content(): block.get("open") is not None for title, block in named}


def test_what_makes_no_claims_stands_last_and_folded(see, make_opinion):
    shown = folds(see(make_opinion()))
    assert list(shown) == ["Memo", "Findings", "Chain", "Strategy"]
    assert shown == {"Memo": True, "Findings": True, "Chain": False, "Strategy": False}


@pytest.mark.parametrize(("place", "title"), [("/strategy/words/1", "Strategy"), ("/memo/chain/0", "Chain")])
def test_what_failed_is_never_folded(see, make_opinion, place, title):
    assert folds(see(make_opinion([(place, "fail")])))[title]
    assert not folds(see(make_opinion([(place, "warn")])))[title]


def test_an_edit_is_never_folded(browse, reviewer, make_opinion):
    page = browse(make_opinion(), reviewer)
    page.press("preview", {"/strategy/words/1": "leases", "/memo/chain/0": "BGE 1 I 1"})
    shown = folds(markup.fromstring(page.text))
    assert shown["Strategy"]
    assert shown["Chain"]


def test_a_short_group_is_not_cut_into_parts(see, make_opinion):
    assert list(folds(see(make_opinion(findings=2)))) == ["Memo", "Strategy"]


def test_what_failed_is_told_once_before_the_form_with_a_link_to_each_place(see, make_opinion):
    page = see(
        make_opinion([("/memo/findings/3/issue", "fail"), ("/memo/chain/0", "fail"), ("/memo", "warn")])
    )
    (failed,) = page.xpath("//div[@id='looks']/section")
    assert failed.text_content().count(NO_BOOK) == 1
    links = [(link.text, link.get("data-jump")) for link in failed.xpath(".//a")]
    assert [words for words, _ in links] == ["Memo › Findings › 4. Issue 3 › Issue", "Memo › Chain › 1"]
    assert all(page.xpath(f"//*[@id='{place}']") for _, place in links)
    (rest,) = page.xpath("//div[@id='looks']/details")
    assert rest.xpath("./summary")[0].text == "Also needs a look: 1 warning"
    assert rest.get("open") is None


def test_what_failed_beyond_the_rows_that_are_shown_is_named_too(see, make_opinion):
    page = see(make_opinion([("/memo/findings/990/issue", "fail")], findings=1_000))
    (link,) = page.xpath("//div[@id='looks']//a")
    assert link.text == "Memo › Findings › 991. Issue 990 › Issue"
    (part,) = page.xpath("//details[@data-show][.//span[contains(@class, 'v-fail')]]")
    assert "1 failed" in part.text_content()


def test_a_short_form_needs_no_list_of_what_failed(see, make_opinion):
    page = see(make_opinion([("/memo/summary", "fail")], findings=2))
    assert not page.xpath("//div[@id='looks']/*")


def test_a_large_result_asks_the_database_as_often_as_a_small_one(
    browse, reviewer, make_opinion, django_assert_num_queries
):
    small = make_opinion([("/memo/summary", "fail")], findings=1)
    large = make_opinion([(f"/memo/findings/{number}/issue", "fail") for number in range(200)], findings=500)
    browse(small, reviewer)
    with CaptureQueriesContext(connection) as asked:
        browse(small, reviewer)
    with django_assert_num_queries(len(asked)):
        page = browse(large, reviewer)
    assert len(asked) < MANY_QUERIES
    assert "check failed: approving needs a reason" in page.text
