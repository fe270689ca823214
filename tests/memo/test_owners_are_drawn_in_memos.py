"""A memo about ownership has a chart of it: a picture on paper and in HTML, the same in words everywhere else."""

from dataclasses import replace
from datetime import date
from io import BytesIO

import pytest
from pypdf import PdfReader

from research.memo.document import compose
from research.memo.docx.writer import as_docx
from research.memo.html import as_html
from research.memo.labels import labels_for
from research.memo.markdown import as_markdown
from research.memo.owners import charts_of
from research.memo.pdf import as_pdf
from research.memo.sample import sample_content
from research.memo.template import Template
from tests.cases import cases

DAY = date(2026, 3, 1)


def row(owner, owned, percentage=None, **more):
    return {"owner_name": owner, "owned_entity": owned, "percentage": percentage, **more}


CHAIN = [
    row("Anna Beispiel", "Muster AG", 40, owner_type="person", since="2020"),
    row("Holding Ltd", "Muster AG", 60),
    row("Boris Testov", "Holding Ltd", more_than=50, less_than=75, owner_type="person"),
]


def memo(*rows):
    content = replace(sample_content(labels_for("en")), owners=charts_of({"chain": list(rows)}, DAY, "CH"))
    return compose(content, labels_for("en"), Template())


def pages(document):
    pdf = as_pdf(document, b"{}")
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)


def test_the_picture_says_who_holds_what_and_since_when_as_exactly_as_it_is_known():
    text = pages(memo(*CHAIN))
    assert "more than 50 to less than 75 %" in text
    assert "40 % · met · since 2020\n" in text
    assert "Switzerland, holders of 25 percent" in text


def test_html_draws_it_and_markdown_and_docx_tell_it():
    document = memo(*CHAIN)
    assert as_html(document).count("<svg") == 1
    told = as_markdown(document)
    assert "   - Holding Ltd, 60 %" in told
    assert "      - Boris Testov, more than 50 to less than 75 %" in told
    assert as_docx(document)[:2] == b"PK"


def test_the_same_data_give_the_same_bytes():
    assert as_pdf(memo(*CHAIN), b"{}") == as_pdf(memo(*CHAIN), b"{}")


def test_the_order_of_statements_changes_no_word():
    [chart], [other] = (charts_of({"chain": rows}, DAY, "CH") for rows in (CHAIN, CHAIN[::-1]))
    assert sorted(text for _, text in chart.rows) == sorted(text for _, text in other.rows)


def test_without_ownership_there_is_no_chart():
    assert charts_of({"name": "Muster AG"}, DAY, "CH") == []


def test_each_company_at_the_foot_has_its_chart_and_there_are_at_most_five():
    rows = [row(f"Owner {n}", f"Company {n}", 100) for n in range(9)]
    assert len(charts_of({"chain": rows}, DAY, "")) == 5


@cases("rows", [[row("A", "B", 60), row("B", "A", 60)], [row("A", "A", 10)], [row("A", "T", "much")]])
def test_what_cannot_be_is_drawn_or_left_out_but_ends(rows):
    assert len(charts_of({"chain": rows}, DAY, "")) <= 1


def test_a_long_chain_goes_over_several_pictures_and_loses_nobody():
    rows = [row(f"Company {n + 1:02}", f"Company {n:02}", 100) for n in range(30)]
    [chart] = charts_of({"chain": rows}, DAY, "CH")
    assert len(chart.pages) == 2
    text = pages(memo(*rows))
    assert [n for n in range(31) if f"Company {n:02}" not in text] == []


def test_nobody_of_many_holders_is_lost():
    text = pages(memo(*(row(f"Holder {n:02}", "Muster AG", 2) for n in range(40))))
    assert [n for n in range(40) if f"Holder {n:02}" not in text] == []


@pytest.mark.parametrize("name", ["شركة", "บริษัท", "देवनागरी"])
def test_letters_that_join_are_told_in_words_where_no_picture_can_be_read_out(name):
    document = memo(row(name, "Muster AG", 60, owner_type="person"))
    pdf = as_pdf(document, b"{}")
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)
    assert "Muster AG, met: 25 %" in text


def test_markup_in_a_name_is_text():
    document = memo(row("<script>alert(1)</script>", "Muster & Sons", 60))
    assert "<script>" not in as_html(document)
    assert "<script>alert(1)</script>" in pages(document)
