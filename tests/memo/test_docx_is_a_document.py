"""A DOCX memo has styles, footnotes, a table of contents and properties, and is the same every time."""

import re
import zipfile
from io import BytesIO

import docx
import pytest
from lxml import etree

from research.memo.blocks import Block, Line, Look, Span, text_line
from research.memo.docx import as_docx
from research.memo.docx.styles import LANGUAGES as TAGS
from research.memo.labels import LANGUAGES
from research.services.memos import compose_memo
from tests.cases import cases
from tests.memo.legal import legal_result
from tests.memo.printing import SCRIPTS, document, paragraph

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def opened(body):
    return docx.Document(BytesIO(bytes(body)))


def part(body, name):
    with zipfile.ZipFile(BytesIO(bytes(body))) as package:
        return etree.fromstring(package.read(name))


def texts(element):
    return ["".join(piece.text or "" for piece in each.iter(f"{W}t")) for each in element.iter(f"{W}p")]


@pytest.fixture
def legal(db):
    return compose_memo(result=legal_result(), format="docx", language="de").body


def test_it_has_real_styles(legal):
    styles = {paragraph.style.name for paragraph in opened(legal).paragraphs}
    assert {"Title", "Heading 1", "Heading 2", "Heading 3", "List Bullet", "List Number"} <= styles


def test_every_style_it_names_is_there(legal):
    known = {style.get(f"{W}styleId") for style in part(legal, "word/styles.xml").iter(f"{W}style")}
    for name in ("word/document.xml", "word/footnotes.xml"):
        used = {
            each.get(f"{W}val")
            for tag in ("pStyle", "rStyle")
            for each in part(legal, name).iter(f"{W}{tag}")
        }
        assert used - known == set()


def test_each_citation_is_one_real_footnote(legal):
    notes = {each.get(f"{W}id"): each for each in part(legal, "word/footnotes.xml")}
    marks = [each.get(f"{W}id") for each in part(legal, "word/document.xml").iter(f"{W}footnoteReference")]
    assert marks == ["1", "2", "3", "4"]
    assert notes.keys() == {"-1", "0", *marks}
    assert "BGE 142 III 239 E. 3.2: ✓ geprüft" in "".join(texts(notes["1"]))
    assert "existiert nicht" in "".join(texts(notes["3"]))


def test_a_second_reference_points_to_the_first_note(legal):
    text = etree.tostring(part(legal, "word/document.xml")).decode()
    assert text.count("NOTEREF _Note1 ") == 2
    assert text.count('w:name="_Note1"') == 1


def test_its_footnotes_are_declared(legal):
    with zipfile.ZipFile(BytesIO(bytes(legal))) as package:
        assert "/word/footnotes.xml" in package.read("[Content_Types].xml").decode()
        assert "footnotes.xml" in package.read("word/_rels/document.xml.rels").decode()
    declared = part(legal, "word/settings.xml").find(f"{W}footnotePr")
    assert [each.get(f"{W}id") for each in declared] == ["-1", "0"]


def test_its_contents_name_every_section_and_lead_there(legal):
    body = part(legal, "word/document.xml")
    links = [link.get(f"{W}anchor") for link in body.iter(f"{W}hyperlink")]
    marks = {mark.get(f"{W}name") for mark in body.iter(f"{W}bookmarkStart")}
    titles = [each.text for each in opened(legal).paragraphs if each.style.name == "Heading 1"]
    shown = [each.text for each in opened(legal).paragraphs if each.style.name == "Memo Contents"]
    assert 'TOC \\o "1-1"' in "".join(each.text for each in body.iter(f"{W}instrText"))
    assert links
    assert set(links) <= marks
    assert [text for text in titles if text in "".join(shown)] == titles


def test_fields_are_closed(legal):
    kinds = [each.get(f"{W}fldCharType") for each in part(legal, "word/document.xml").iter(f"{W}fldChar")]
    assert kinds.count("begin") == kinds.count("separate") == kinds.count("end") > 0


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_names_its_language_and_properties(language):
    body = compose_memo(result=legal_result(), format="docx", language=language).body
    properties = opened(body).core_properties
    assert properties.language == TAGS[language]
    assert properties.title.endswith("Mängelhaftung im Werkvertrag")
    assert properties.author == "Dossier"
    (told,) = {each.get(f"{W}val") for each in part(body, "word/styles.xml").iter(f"{W}lang")}
    assert told == TAGS[language]


def test_pages_are_numbered(legal):
    with zipfile.ZipFile(BytesIO(bytes(legal))) as package:
        footers = "".join(package.read(name).decode() for name in package.namelist() if "footer" in name)
    assert footers.count(" NUMPAGES ") == 2
    assert footers.count(" PAGE ") == 2


def test_nothing_in_it_tells_the_time():
    body = as_docx(document(paragraph("x")))
    with zipfile.ZipFile(BytesIO(body)) as package:
        assert {entry.date_time for entry in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert package.namelist()[0] == "[Content_Types].xml"
        core = package.read("docProps/core.xml").decode()
    assert set(re.findall(r"\d{4}-\d\d-\d\d", core)) == {"2026-01-02"}
    assert as_docx(document(paragraph("x"))) == body


def test_numbers_of_a_list_are_those_of_the_memo():
    def listed(*marks):
        return Block("list", tuple(text_line(f"Item {mark}", mark=str(mark)) for mark in marks))

    body = as_docx(document(listed(1, 2), listed(5, 6), listed(2, 7)))
    starts = [each.get(f"{W}val") for each in part(body, "word/numbering.xml").iter(f"{W}startOverride")]
    assert starts == ["1", "5"]
    shown = {each.text: each.style.name for each in opened(body).paragraphs}
    assert shown["Item 5"] == shown["Item 6"] == "List Number"
    assert shown["7.\tItem 7"] == "Memo Item"
    numbered = part(body, "word/document.xml").iter(f"{W}numPr")
    assert len(list(numbered)) == 4


def test_a_table_repeats_its_head_and_keeps_its_rows_whole():
    head = tuple(text_line(f"Spalte {n}") for n in range(4))
    rows = [tuple(text_line(f"{n}") for _ in range(3)) for n in range(150)]
    body = part(as_docx(document(Block("table", rows=(head, *rows)))), "word/document.xml")
    (table,) = (each for each in body.iter(f"{W}tbl") if len(list(each.iter(f"{W}tr"))) > 100)
    assert len(list(table.iter(f"{W}tblHeader"))) == 1
    assert len(list(table.iter(f"{W}cantSplit"))) == 151
    assert {len(list(row.iter(f"{W}tc"))) for row in table.iter(f"{W}tr")} == {4}
    assert sum(int(column.get(f"{W}w")) for column in table.iter(f"{W}gridCol")) <= 9_100


@pytest.mark.parametrize(
    "text",
    [
        "</w:t></w:r><w:p/>",
        "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
        "\x00\x08\x0b\x0c\x1b[31m",
        "\ud800 \udfff \ufffe \uffff",
        "\u202egnp.exe \u2066x",
        "line\nbreak\r\nand\u2028more\ttab",
        "y" * 100_000,
        " ".join(SCRIPTS.values()),
    ],
)
def test_hostile_text_stays_text(text):
    blocks = [
        paragraph(text),
        Block("list", (text_line(text), text_line(text, mark="1"))),
        Block("pairs", rows=((text_line(text), text_line(text)),)),
        Block("quote", (Line((Span(text, "em"), Span("q1", "note"))),)),
        Block("heading", (text_line(text),), level=3),
    ]
    body = as_docx(document(*blocks, notes={"q1": text_line(text)}, title=text, header=text, kind=text))
    plain = as_docx(document(*blocks[:0], notes={}))
    assert opened(body).paragraphs
    tags = {each.tag for each in part(body, "word/document.xml").iter()}
    assert f"{W}object" not in tags
    assert len(list(part(body, "word/document.xml").iter(f"{W}sectPr"))) == 1
    assert len(list(part(plain, "word/document.xml").iter(f"{W}sectPr"))) == 1
    assert "root:" not in "".join(texts(part(body, "word/document.xml")))


@cases("typeface", ["serif", "sans"])
@cases("size", ["small", "normal", "large"])
@cases("accent", ["ink", "blue", "green", "burgundy"])
def test_every_look_can_be_written(typeface, size, accent):
    body = as_docx(document(paragraph("x"), look=Look(typeface, size, accent, contents=False)))
    assert "Memo Contents" not in {each.style.name for each in opened(body).paragraphs}


def test_a_column_is_as_wide_as_its_text_asks_for():
    rows = [("Name", "LEI", "Land"), ("Allianz Global Investors Fund", "4KT8DCRLAREP7C35MW05 ✓", "LU")]
    block = Block("table", rows=tuple(tuple(map(text_line, row)) for row in rows))
    body = part(as_docx(document(block)), "word/document.xml")
    *_, name, lei, land = (int(column.get(f"{W}w")) for column in body.iter(f"{W}gridCol"))
    assert name > lei > 2.5 * land
