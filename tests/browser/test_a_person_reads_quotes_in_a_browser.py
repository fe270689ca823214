import pytest
from django.urls import reverse
from playwright.sync_api import expect

from research.jsontext import digest
from research.services.reviews import preview_edits
from tests.factories import (
    ALL_RIGHTS,
    DocumentFactory,
    MacroFactory,
    ResultFactory,
    SourceFactory,
    UserFactory,
    store_checks,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("page")]
ANNUAL = (
    "Annual report. "
    * 30
    + "\n\nAllianz SE was founded in 1890 in Berlin by Carl von Thieme and Wilhelm von Finck. "
    "Since 1954 its seat has been in Munich.\nIn 2023 the group employed 157,883 people in nearly 70 countries. "
    "It is supervised by BaFin and is not itself a bank.\n" + "More of the report. " * 60
)
NEWS = (
    "The insurer’s shares have been part of the DAX since it began. Analysts at a broker, who asked not to be named, "
    "expect “a solid year” – with an operating profit of about 15 billion euros."
)
DATA = {
    "name": "Allianz SE",
    "founded": 1890,
    "seat": "Munich",
    "employees": 157883,
    "supervisor": "BaFin",
    "is_bank": False,
    "outlook": "An operating profit of about 16 billion euros is expected.",
    "confidence": "high",
}
EVIDENCE = [
    ("/name", 1, "Allianz SE was founded in 1890 in Berlin"),
    ("/founded", 1, "Allianz SE was founded in 1890 in Berlin […] Since 1954 its seat has been in Munich."),
    ("/seat", 1, "Since 1954 its seat has been located in Munich."),
    ("/employees", 1, "In 2023 the group employed 157,883 people in nearly 70 countries."),
    ("/supervisor", 2, "It is supervised by the European Central Bank."),
    ("/outlook", 2, "with an operating profit of about 16 billion euros"),
    ("/outlook", 7, "profit is expected to rise"),
    ("/outlook", 2, "DAX"),
    ("/outlook", 3, "The board expects a profit of 16 billion euros."),
]
MACRO = """\
macro:
  name: company-profile
  version: "1.0"
  description: Who is this company, what does it do, and what is expected of it?
  parameters: [{name: client_name, type: string, required: true}]
  tools: [web_search, extract_content]
  prompt: "Describe {{client_name}}."
  output:
    schema_name: company-profile
    schema:
      type: object
      required: [name]
      properties:
        name: {type: string}
        founded: {type: integer}
        seat: {type: string}
        employees: {type: integer}
        supervisor: {type: string}
        is_bank: {type: boolean}
        outlook: {type: string}
        confidence: {type: string, enum: [high, medium, low]}
"""


@pytest.fixture
def result():
    """A profile of a company, quoted from pages of the web: some of it truly."""
    evidence = [{"pointer": place, "source": number, "quote": quote} for place, number, quote in EVIDENCE]
    result = ResultFactory(
        run__macro=MacroFactory(name="company-profile", text=MACRO, description="Who is this company?"),
        run__model="anthropic:claude",
        data=DATA,
        digest=digest(DATA),
        evidence=evidence,
    )
    pages = [
        DocumentFactory(text=ANNUAL, title="Annual report 2023", url="https://www.allianz.example/report"),
        DocumentFactory(text=NEWS, title="DAX: what analysts expect", url="https://news.example/dax"),
    ]
    for number, document in enumerate(pages, start=1):
        SourceFactory(run=result.run, number=number, document=document, snippet=document.text[-150:])
    SourceFactory(
        run=result.run,
        number=3,
        document=None,
        title="A page that could not be kept",
        url="https://gone.example",
    )
    store_checks(result, preview_edits(result=result).checks)
    return result


@pytest.fixture
def at(live_server, page, log_in):
    """``at(url)`` opens a page, logged in."""
    log_in(UserFactory(username="petra", rights=ALL_RIGHTS))

    def go(url):
        page.goto(live_server.url + url)
        return page

    return go


def review(result):
    return reverse("admin:research_researchresult_review", args=[result.pk])


def row(page, pointer):
    return page.locator(f'.row:has([name="leaf:{pointer}"])')


def test_each_value_shows_what_became_of_its_quotes_and_the_top_says_how_much_is_backed(
    at, result, complaints
):
    page = at(review(result))
    for pointer, verdict, word in (
        ("/name", "v-pass", "found word for word"),
        ("/seat", "v-warn", "only something like it"),
        ("/supervisor", "v-fail", "not found"),
    ):
        quote = row(page, pointer).locator(".quote").first
        assert verdict in quote.get_attribute("class")
        expect(quote).to_contain_text(word)
    outlook = row(page, "/outlook").locator(".quote-word")
    assert outlook.all_inner_texts() == ["changed", "no such source", "nothing archived", "found, but short"]
    expect(page.locator(".backing")).to_contain_text("6 of 6 claims quoted, 4 found in the sources")
    expect(page.locator(".backing")).to_contain_text("3 quotes not borne out")
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []


def test_a_quote_opens_to_its_passage_and_leads_on_into_the_archived_text(at, result, complaints):
    page = at(review(result))
    quote = row(page, "/employees").locator(".quote")
    expect(quote.locator(".passage")).to_be_hidden()
    quote.locator("summary").click()
    expect(quote.locator(".passage mark")).to_have_text(EVIDENCE[3][2])
    quote.get_by_role("link", name="Read on").click()
    passage = page.locator("#passage")
    expect(passage).to_have_text(EVIDENCE[3][2])
    expect(passage).to_be_in_viewport()
    assert complaints == []


def test_a_quote_is_checked_again_for_the_edited_value(at, result):
    page = at(review(result))
    page.fill('[name="leaf:/employees"]', "157884")
    expect(page.locator("#verdicts")).to_contain_text("checked again with your edits")
    quote = row(page, "/employees").locator(".quote")
    quote.locator("summary").click()
    expect(quote).to_contain_text("does not state the value literally")


def test_the_filter_keeps_rows_whose_quote_failed_and_says_where_none_is_left(at, result):
    page = at(review(result))
    expect(page.locator("#nothing")).to_be_hidden()
    page.click("label[for=show-failed]")
    expect(row(page, "/supervisor")).to_be_visible()
    expect(row(page, "/name")).to_be_hidden()
    page.click("label[for=show-edited]")
    expect(page.locator("#nothing")).to_be_visible()
