"""A PDF memo is made for the archive and for screen readers, carries its fonts and data, and is the same every time."""

import hashlib
import os
import re
import subprocess
import sys

import pytest

from research.errors import FormatUnavailable
from research.memo import pdf
from research.memo.blocks import Block, Line, Look, Section, Span, text_line
from research.memo.formats import write
from research.memo.labels import LANGUAGES, labels_for
from research.memo.sample import sample_content
from research.services.memos import compose_memo
from tests.memo.legal import legal_result
from tests.memo.printing import DATA, attached, document, fonts, paragraph, printed, read, tags, text_of

PROGRAM = """\
import django, hashlib, sys
django.setup()
from research.memo.formats import write
from research.memo.labels import labels_for
from research.memo.sample import sample_content
labels = labels_for("de")
for format in ("pdf", "docx"):
    print(hashlib.sha256(write(sample_content(labels), labels, style="memo", format=format)).hexdigest())
"""
COLUMNS = ("Name", "LEI", "Land", "Verwaltungsgesellschaft")
LEIS = [f"529900K9B0N5BT69{n:04}" for n in range(60)]
TABLE = Block(
    "table",
    rows=(
        tuple(map(text_line, COLUMNS)),
        *(
            tuple(
                map(
                    text_line,
                    (f"{n}. Muster Strategie Fonds {n} (abgesichert)", f"{lei} ✓", "LU", "Muster AG"),
                )
            )
            for n, lei in enumerate(LEIS)
        ),
    ),
)
NOTES = {f"q{n}": text_line(f"Fussnote {n}.") for n in range(1, 61)}
NOTED = Block("list", tuple(Line((Span(f"Satz {n}"), Span(f"q{n}", "note"))) for n in range(1, 61)))
AGAIN = Block("list", (Line((Span("Satz 61"), Span("q7", "note"))),))


@pytest.fixture(scope="module")
def whole():
    """The sample, which has something to say in every section."""
    labels = labels_for("de")
    return read(write(sample_content(labels), labels, style="memo", format="pdf"))


@pytest.fixture(scope="module")
def parts():
    """A document with everything that pages break: a long table, many notes, a long section."""
    sections = (
        Section("summary", "Tabelle", (TABLE,)),
        Section("findings", "Sätze", (NOTED, AGAIN)),
        Section("sources", "Worte", (paragraph("Wort " * 3_000),)),
    )
    return printed(sections=sections, notes=NOTES, title="Ein Titel")


def test_it_is_tagged_and_says_so(whole):
    root = whole.trailer["/Root"]
    told = root["/Metadata"].get_object().get_data().decode()
    assert root["/MarkInfo"]["/Marked"]
    assert re.search(r'pdfuaid:part(?:>|=")1', told)
    assert re.search(r'pdfaid:part(?:>|=")3', told)
    assert re.search(r'pdfaid:conformance(?:>|=")A', told)
    wanted = {
        "/H1",
        "/H2",
        "/P",
        "/L",
        "/LI",
        "/LBody",
        "/Table",
        "/TR",
        "/TH",
        "/TD",
        "/Note",
        "/Link",
        "/TOC",
        "/Code",
    }
    assert wanted - tags(whole) == set()


def test_it_carries_every_font(whole):
    assert all(fonts(whole).values())
    assert any("SourceSerif4" in name for name in fonts(whole))


def test_it_carries_the_data_of_the_memo(whole):
    labels = labels_for("de")
    assert attached(whole)["title"] == sample_content(labels).title
    (place,) = (each.get_object() for each in whole.trailer["/Root"]["/AF"])
    assert (place["/AFRelationship"], place["/EF"]["/F"]["/Subtype"]) == ("/Data", "/application/json")


def test_it_has_a_title_a_language_and_no_clock(whole):
    assert whole.metadata.title == "Memo: Ein Muster, kein Befund"
    assert whole.metadata["/CreationDate"].startswith("D:20260102")
    assert whole.trailer["/Root"]["/Lang"] == "de"
    assert whole.trailer["/Root"]["/ViewerPreferences"]["/DisplayDocTitle"]


def test_pages_are_numbered_in_the_language_of_the_memo():
    told = {
        language: text_of(printed(paragraph("x"), language=language, words=labels_for(language)))
        for language in LANGUAGES
    }
    assert {
        language: re.findall(r"^(?:Page|Seite|Pagina) 1 .*", text, re.MULTILINE)
        for language, text in told.items()
    } == {
        "en": ["Page 1 of 1"],
        "de": ["Seite 1 von 1"],
        "fr": ["Page 1 sur 1"],
        "it": ["Pagina 1 di 1"],
    }


def test_sections_are_bookmarks_and_stand_in_the_contents_with_their_pages(whole):
    titles = [entry["/Title"] for entry in whole.outline if not isinstance(entry, list)]
    assert titles[:4] == ["Zusammenfassung", "Feststellungen", "Inhaber", "Fundstellen"]
    first = whole.pages[0].extract_text()
    assert [title for title in titles if not re.search(rf"{title}[ .]*\d", first)] == []
    assert any(
        "/A" in note.get_object() or "/Dest" in note.get_object() for note in whole.pages[0]["/Annots"]
    )


def test_without_contents_there_are_none():
    sections = tuple(Section(str(n), f"Abschnitt {n}", (paragraph("x"),)) for n in range(6))
    assert text_of(printed(sections=sections)).count("Abschnitt 3") == 2
    assert text_of(printed(sections=sections, look=Look(contents=False))).count("Abschnitt 3") == 1


def test_every_page_but_the_first_says_what_it_belongs_to(parts):
    assert [page.extract_text().count("Ein Titel") for page in parts.pages] == [1] * len(parts.pages)
    assert parts.pages[1].extract_text().startswith("Ein Titel")


def test_a_template_says_how_it_looks():
    serif, sans = (
        printed(paragraph("x")),
        printed(paragraph("x"), look=Look(typeface="sans", size="large", accent="blue")),
    )
    assert any("SourceSerif4" in name for name in fonts(serif))
    assert not any("SourceSerif4" in name for name in fonts(sans))


@pytest.mark.django_db
def test_each_citation_of_a_legal_memo_is_one_footnote():
    result = legal_result()
    for language in LANGUAGES:
        told = text_of(read(compose_memo(result=result, format="pdf", language=language).body))
        cited = r"^(\d) ?(?=.*(?:142 III 239|138 III 123|147 VII 1|4A_315).*: )"
        assert re.findall(cited, told, re.MULTILINE) == [*"1234"], language
        assert labels_for(language)("cited_nonexistent") in told


def test_another_process_writes_the_same_bytes(whole):
    labels = labels_for("de")
    docx = write(sample_content(labels), labels, style="memo", format="docx")
    env = {**os.environ, "PYTHONHASHSEED": "4242", "DJANGO_SETTINGS_MODULE": "config.settings"}
    run = [sys.executable, "-c", PROGRAM]
    told = subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout.split()
    assert told == [hashlib.sha256(body).hexdigest() for body in (whole.stream.getvalue(), docx)]


def test_a_long_table_repeats_its_head_and_breaks_no_identifier(parts):
    pages = [page.extract_text() for page in parts.pages]
    text = " ".join(pages)
    ours = [page for page in pages if "Muster Strategie" in page]
    assert len(ours) > 1
    assert all(all(column in page for column in COLUMNS) for page in ours)
    assert [lei for lei in LEIS if lei not in text] == []


def test_notes_stand_on_the_pages_of_their_references_and_are_told_once(parts):
    pages = [page.extract_text() for page in parts.pages]
    assert [int(number) for page in pages for number in re.findall(r"Fussnote (\d+)\.", page)] == list(
        range(1, 61)
    )
    for number in range(1, 61):
        (place,) = [page for page in pages if f"Fussnote {number}." in page]
        assert re.search(rf"Satz {number}\s?{number}\b", place), number
    assert re.search(r"Satz 61\s?7\b", " ".join(pages))


def test_the_note_of_a_quotation_stands_on_its_page():
    numbers = range(1, 81)
    quotes = [
        Block("quote", (Line((Span(f"Zitat {n} " + "Wort " * (10 + n * 7 % 31)), Span(f"q{n}", "note"))),))
        for n in numbers
    ]
    notes = {f"q{n}": text_line(f"Fussnote {n}: " + "Quelle " * (5 + n * 5 % 23)) for n in numbers}
    pages = [page.extract_text() for page in printed(*quotes, notes=notes).pages]
    apart = [
        n for n in numbers if not any(f"Zitat {n} " in page and f"Fussnote {n}:" in page for page in pages)
    ]
    assert apart == []


def test_a_note_in_the_head_of_a_table_is_a_footnote_too():
    head = (text_line("Name"), Line((Span("LEI"), Span("q1", "note"))))
    table = Block("table", rows=(head, *([(text_line("a"), text_line("b"))] * 90)))
    assert text_of(printed(table, notes=NOTES)).count("Fussnote 1.") == 1


def test_what_is_too_large_says_what_to_take_instead(monkeypatch):
    monkeypatch.setattr(pdf, "MAX_CHARACTERS", 100)
    with pytest.raises(FormatUnavailable, match="too large for PDF"):
        pdf.as_pdf(document(paragraph("x")), DATA)
