"""A PDF memo is tagged, carries its fonts, its language and bookmarks, fetches nothing and is the same every time."""

import hashlib
import os
import re
import subprocess
import sys
from io import BytesIO

import pytest
from pypdf import PdfReader

from research.errors import FormatUnavailable
from research.memo import pdf
from research.memo.blocks import Block, Document, Line, Look, Section, Span, text_line
from research.memo.html import as_html
from research.memo.labels import LANGUAGES, labels_for
from research.services.memos import compose_memo
from tests.memo.legal import legal_result

SCRIPTS = [
    "Ελληνικά", "Кириллица", "עברית", "العربية", "فارسی", "Հայերեն", "ქართული", "ไทย", "ລາວ", "中文", "日本語",
    "한국어", "हिन्दी", "বাংলা", "ਪੰਜਾਬੀ", "ગુજરાતી", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "සිංහල", "မြန်မာ", "ខ្មែរ",
    "བོད་", "አማርኛ", "ᏣᎳᎩ", "ߒߞߏ", "ⵜⵉⴼⵉⵏⴰⵖ", "𐌲𐌿𐍄", "ᓄᓇᕗᑦ",
]  # fmt: skip
PROGRAM = """\
import django, hashlib, sys
django.setup()
from research.memo.formats import write
from research.memo.labels import labels_for
from research.memo.sample import sample_content
labels = labels_for("de")
print(hashlib.sha256(write(sample_content(labels), labels, style="memo", format=sys.argv[1])).hexdigest())
"""


def document(*blocks, **more):
    return Document(
        **{
            "language": "de",
            "kind": "Memo",
            "title": "Titel",
            "state": "approved",
            "status": "Freigegeben",
            "header": "",
            "facts": Block("pairs", rows=((text_line("Frage"), text_line("Wer?")),)),
            "sections": (Section("summary", "Zusammenfassung", blocks),),
            "notes": {},
            "words": labels_for("de"),
            "look": Look(),
            "date": "2026-01-02",
            **more,
        }
    )


def paragraph(text):
    return Block("paragraph", (text_line(text),))


def read(body):
    return PdfReader(BytesIO(bytes(body)))


def text_of(reader):
    return "\n".join(page.extract_text() for page in reader.pages)


def fonts(reader):
    """Every font of every page: its name, and whether its program is in the file."""
    found = {}
    for page in reader.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            found[inner["/BaseFont"]] = bool(inner["/FontDescriptor"].keys() & {"/FontFile2", "/FontFile3"})
    return found


@pytest.fixture(scope="module")
def plain():
    return read(pdf.as_pdf(document(paragraph("Ein Satz mit fi und ✗."))))


def test_it_is_tagged_and_says_so(plain):
    root = plain.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()


def test_it_carries_every_font(plain):
    found = fonts(plain)
    assert found
    assert all(found.values())
    assert any("Text-Serif" in name for name in found)


def test_it_has_a_title_a_language_and_no_clock(plain):
    assert plain.metadata.title == "Memo: Titel"
    assert plain.metadata["/CreationDate"].startswith("D:20260102")
    assert plain.trailer["/Root"]["/Lang"] == "de"
    assert plain.trailer["/Root"]["/ViewerPreferences"]["/DisplayDocTitle"]


def test_pages_are_numbered(plain):
    assert "Seite 1 von 1" in text_of(plain)


def test_sections_are_bookmarks(plain):
    assert [entry["/Title"] for entry in plain.outline] == ["Zusammenfassung"]


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_citation_of_a_legal_memo_is_one_footnote(language):
    memo = compose_memo(result=legal_result(), format="pdf", language=language)
    told = text_of(read(memo.body))
    assert re.findall(
        r"^(\d)\. (?=.*(?:142 III 239|138 III 123|147 VII 1|4A_315).*: )", told, re.MULTILINE
    ) == [*"1234"]
    assert labels_for(language)("cited_nonexistent") in told


@pytest.mark.parametrize("format", ["pdf", "docx"])
def test_two_processes_write_the_same_bytes(format):
    def written(seed):
        env = {**os.environ, "PYTHONHASHSEED": seed, "DJANGO_SETTINGS_MODULE": "config.settings"}
        run = [sys.executable, "-c", PROGRAM, format]
        return subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout.strip()

    first, second = written("1"), written("4242")
    assert len(first) == len(hashlib.sha256().hexdigest())
    assert first == second


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:1/x.css",
        "file:///etc/passwd",
        "data:text/css,body{}",
        "font:serif/../../x",
        "font:other/Regular",
        "memo:x",
        "",
    ],
)
def test_it_fetches_nothing_but_its_fonts(address):
    with pytest.raises(ValueError, match="fetches nothing"):
        pdf._fetcher().fetch(address)


@pytest.mark.parametrize(
    "text",
    [
        '<img src="file:///etc/passwd"><link rel=stylesheet href=http://127.0.0.1:1/>',
        '</section><style>*{display:none}</style><a href="javascript:x">x</a>',
        "&#x3c;script&#x3e; &amp;",
        "\x00\x08\x1b[31m\ufeff\u202e\u2066 steering",
        "\ud800 half a pair",
        "a" * 5_000,
        "x\n" * 200,
    ],
)
def test_hostile_text_stays_text(text):
    found = text_of(read(pdf.as_pdf(document(paragraph(text), paragraph("after it")))))
    assert "after it" in found
    assert "root:" not in found


def test_characters_that_steer_are_shown_by_number():
    assert "U+202E" in text_of(read(pdf.as_pdf(document(paragraph("a\u202eb")))))


def test_thirty_scripts_are_set_with_fonts_that_are_embedded():
    reader = read(pdf.as_pdf(document(*map(paragraph, SCRIPTS), paragraph("Ende"))))
    assert len(SCRIPTS) == 30
    assert all(fonts(reader).values())
    used = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    assert all("/ToUnicode" in font for font in used)
    assert len(fonts(reader)) >= 4  # our own, and others where they lack a script


def test_a_field_of_a_hundred_thousand_characters_is_set():
    reader = read(pdf.as_pdf(document(paragraph("Wort " * 20_000))))
    assert len(reader.pages) > 20


def test_a_long_table_repeats_its_head_and_fits_the_page():
    head = tuple(text_line(f"Spalte {n}") for n in range(5))
    rows = [tuple(text_line(f"{n}.{m} {'x' * 40}") for m in range(5)) for n in range(60)]
    reader = read(pdf.as_pdf(document(Block("table", rows=(head, *rows)))))
    assert len(reader.pages) > 3
    assert all("Spalte 4" in page.extract_text() for page in list(reader.pages)[1:])
    assert "59.4" in text_of(reader)


def test_the_columns_of_a_long_table_are_as_wide_as_their_words_and_break_no_identifier():
    head = tuple(map(text_line, ("Name", "LEI", "Land", "Verwaltungsgesellschaft")))
    leis = [f"529900K9B0N5BT69{n:04}" for n in range(60)]
    rows = [
        tuple(
            map(text_line, (f"{n}. Muster Strategie Fonds {n} (abgesichert)", f"{lei} ✓", "LU", "Muster AG"))
        )
        for n, lei in enumerate(leis)
    ]
    told = document(Block("table", rows=(head, *rows)))
    assert "<colgroup>" in pdf.page_of(told)
    assert "<colgroup>" not in as_html(told)
    text = " ".join(page.extract_text() for page in read(pdf.as_pdf(told)).pages)
    assert [lei for lei in leis if lei not in text] == []
    assert "Verwaltungsgesellschaft" in text


def test_a_short_table_is_laid_out_by_its_contents():
    rows = [tuple(map(text_line, ("Name", "LEI")))] * 5
    assert "<colgroup>" not in pdf.page_of(document(Block("table", rows=tuple(rows))))


def test_many_notes_stand_on_the_pages_of_their_references():
    lines = tuple(Line((Span(f"Satz {n}"), Span(f"q{n}", "note"))) for n in range(1, 61))
    notes = {f"q{n}": text_line(f"Fussnote {n}.") for n in range(1, 61)}
    reader = read(pdf.as_pdf(document(Block("list", lines), notes=notes)))
    found = [re.findall(r"Fussnote (\d+)\.", page.extract_text()) for page in reader.pages]
    assert [int(number) for page in found for number in page] == list(range(1, 61))
    assert len(reader.pages) < 6


def test_what_is_too_large_says_what_to_take_instead(monkeypatch):
    monkeypatch.setattr(pdf, "MAX_CHARACTERS", 100)
    with pytest.raises(FormatUnavailable, match="too large for PDF"):
        pdf.as_pdf(document(paragraph("x")))


def test_without_pango_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(pdf, "missing", lambda: pdf.NEEDS)
    with pytest.raises(FormatUnavailable, match="apt install libpango"):
        pdf.as_pdf(document(paragraph("x")))


def test_a_missing_library_is_noticed_and_breaks_nothing_else(monkeypatch):
    monkeypatch.setitem(sys.modules, "weasyprint.text.fonts", None)
    pdf.missing.cache_clear()
    try:
        assert pdf.missing() == pdf.NEEDS
    finally:
        pdf.missing.cache_clear()
