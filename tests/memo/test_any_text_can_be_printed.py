"""Whatever was found can be set as PDF: it stays text, fits the page, and what no font has is told."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from research.memo import pdf
from research.memo.blocks import Block, Section, text_line
from research.memo.labels import LANGUAGES, labels_for
from research.memo.paper import breakable
from tests.memo.printing import SCRIPTS, fonts, paragraph, printed, text_of

HOSTILE = [
    '#panic("x") #read("/etc/passwd") #eval("1") $x$ *b* _c_ <l> @r // /* */ \\u{41} = a',
    '<img src="file:///etc/passwd"><script>alert(1)</script>',
    "\x00\x08\x1b[31m\x85\ufeff\u202e\u2066 steering \ufdd0\uffff\U0001fffe",
    "\ud800 half a pair \udc00",
    "a" * 5_000,
    "https://example.org/" + "path/" * 200 + "?" + "a=b&" * 200,
    "x\n" * 200,
    "\u00ad\u200b\u2028\u2029\u2060\u3164",
    "\ue000 \U000f0000 \u0378 \U000e0001",
    '"\\"quotes\\" and {braces} [U+0041]',
]


@pytest.fixture
def no_fonts(monkeypatch):
    """A machine on which no font is installed."""
    own = pdf.own_fonts()
    monkeypatch.setattr(pdf, "_all_fonts", lambda: own)


def folded(text):
    """Text without blanks and without what has no shape of its own."""
    return "".join(each for each in text if not each.isspace() and unicodedata.category(each) != "Cf")


def test_these_scripts_need_nothing_of_the_machine(no_fonts):
    reader = printed(*map(paragraph, SCRIPTS.values()))
    assert "U+" not in text_of(reader)
    assert all(fonts(reader).values())
    read_back = folded(text_of(reader))
    there = [name for name, text in SCRIPTS.items() if folded(text) in read_back]
    assert {"Latin", "Greek", "Cyrillic", "Armenian", "Georgian"} <= set(there)


def test_what_no_font_has_stands_as_its_number_and_the_memo_says_so(no_fonts):
    found = (paragraph("漢字 und বাংলা und 🜚, aber auch Wörter."),)
    for language in LANGUAGES:
        sections = (Section("summary", "S", found), Section("limitations", "L", (paragraph("l"),)))
        told = " ".join(
            text_of(printed(sections=sections, words=labels_for(language), language=language)).split()
        )
        assert "[U+6F22][U+5B57] und [U+09AC]" in told
        assert "Wörter" in told
        signs = labels_for(language)("signs")
        sentence = labels_for(language)("lacking").replace("{scripts}", f"Bengali, CJK, {signs}")
        assert sentence.replace("{example}", "[U+0982]") in told


def test_one_note_is_enough_where_nothing_is_lacking(no_fonts):
    sections = (Section("limitations", "L", (paragraph("l"),)),)
    assert "U+" not in text_of(printed(sections=sections))


def test_hostile_text_stays_text(no_fonts):
    blocks = [block for text in HOSTILE for block in everywhere(text)]
    title = " ".join(text[:60] for text in HOSTILE)
    told = text_of(printed(*blocks, paragraph("after it"), title=title, kind=title, header=title))
    assert "after it" in told
    assert "root:" not in told
    assert told.count("#panic") >= len(everywhere(""))


def everywhere(text):
    """A text wherever one can stand."""
    return [
        Block("heading", (text_line(text),), level=3),
        Block("paragraph", (text_line(text),)),
        Block("quote", (text_line(text, "strong"),)),
        Block("code", text=text),
        Block("list", (text_line(text, "code"), text_line(text, depth=1), text_line(text, mark="7"))),
        Block("table", rows=((text_line(text), text_line("b")), (text_line("c"), text_line(text, "fail")))),
        Block("pairs", rows=((text_line(text), text_line(text, "old"), text_line(text)),)),
    ]


def test_words_in_characters_that_nobody_sees_are_shown_by_number():
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "sign")
    assert "U+E0073U+E0069U+E0067U+E006E" in text_of(printed(paragraph(f"a{hidden}z")))


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=60))
@example("0\U000e0080\x1b")
@example("0\ufe0f\x1b")
def test_no_text_breaks_it_or_is_lost(text):
    told = folded(text_of(printed(paragraph(f"a{text}z"))))
    # a reader gives a digit the selector that another digit of the page has
    numbers = re.sub("[\ufe00-\ufe0f\U000e0100-\U000e01ef]", "", told)
    lost = [each for each in folded(text) if each not in told and f"U+{ord(each):04X}" not in numbers]
    assert [each for each in lost if unicodedata.bidirectional(each) not in ("R", "AL", "NSM")] == []


@settings(max_examples=30, deadline=None)
@given(st.text(st.sampled_from("#$*_`<>@/\\[]{}()\"'=-+~.:;,&% \naäéßŁΩЖ09"), max_size=60))
def test_text_is_read_back_as_it_was(text):
    assert f"a{folded(text)}z" in folded(text_of(printed(paragraph(f"a{text}z"))))


def test_a_long_word_breaks_within_the_page_and_no_shorter_one_does():
    assert breakable("word " * 40, 10) == "word " * 40
    assert breakable("a" * 9, 3).replace("\u200b", "") == "a" * 9
    assert max(map(len, breakable("a" * 50, 12).split("\u200b"))) <= 12
    assert "/\u200bb" in breakable("https://example.org/b", 6)
    told = text_of(printed(paragraph("W" * 3_000), Block("list", (text_line("w" * 3_000, "code"),))))
    assert (told.count("W"), told.count("w"), "\u200b" in told) == (3_001, 3_000, False)
    assert max(map(len, told.splitlines())) < 100
    assert max(len(line) for line in told.splitlines() if "WW" in line) < 50


def test_headings_that_skip_a_level_or_say_nothing_are_set():
    levels = [
        Block("heading", (text_line(text),), level=level)
        for text, level in (("A", 6), (" \u200b", 3), ("B", 3))
    ]
    reader = printed(*levels, paragraph("x"))
    assert "A" in text_of(reader)


def test_a_row_longer_than_a_page_goes_on_on_the_next():
    rows = ((text_line("Name"), text_line("Text")), (text_line("a"), text_line("Wort " * 3_000 + "Ende")))
    assert "Ende" in text_of(printed(Block("table", rows=rows)))


def test_a_table_of_many_columns_fits_the_page():
    rows = tuple(tuple(text_line(f"Spalte{n}") for n in range(24)) for _ in range(3))
    told = folded(text_of(printed(Block("table", rows=rows))))
    assert len(re.findall("S", told)) >= 3 * 24


def test_characters_that_steer_are_shown_by_number():
    assert "U+202E" in text_of(printed(paragraph("a\u202eb")))
