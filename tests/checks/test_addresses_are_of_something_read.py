"""An address that a model typed stands in something that was read, or it is marked, however it is spelt."""

import time

import pytest

from research.checks.addresses import (
    MARKS,
    address_key,
    addresses,
    check_addresses,
    host_key,
    without_unread,
)
from tests.cases import cases

MARK = MARKS["en"]
READ = (
    "https://www.mill.example/about",
    "http://müller.example/a_(b)",
    "news@mill.example",
    "law.ch/x?b=1&a=2",
)


def known(address):
    keys = set(map(address_key, READ))
    return address_key(address) in keys or address_key(address) in set(map(host_key, READ[:2]))


INVENTED = [
    "See https://invented.example/report for more.",
    "See HTTPS://INVENTED.EXAMPLE/Report.",
    "(https://invented.example/a_(b))",
    "See www.invented.example.",
    "See invented.example/x, page 2",
    "According to invented.com the firm is large.",
    "[the report](https://invented.example/r)",
    '[the report](<https://invented.example/r> "A title")',
    "![a chart](https://invented.example/c.png)",
    "[a [nested] text](https://invented.example/r)",
    "[the report](//invented.example/r)",
    "[https://mill.example/about](https://invented.example/r)",
    "The report [r] says so.\n\n[r]: https://invented.example/r 'Title'\n",
    "The report[^1] says so.\n\n[^1]: Report, https://invented.example/r",
    "<https://invented.example/r>",
    '<a href="https://invented.example/r">the report</a>',
    "<a href='//invented.example/r'>the report</a>",
    '<img src="https://invented.example/c.png" alt="c">',
    "Write to info@invented.example",
    "[write](mailto:info@invented.example)",
    "https://erfundene-mühle.example/",
    "https://xn--mhle-0ra.example/",
    "https://invented。example/r",
    "www.invented．example",
    "https://inven\u200bted.example/r",
    "https&#58;//invented.example/r",
    "https\\://invented.example/r",
    "`https://invented.example/r`",
    "```\nhttps://invented.example/r\n```",
    "| a | https://invented.example/r |\n|---|---|",
    "ftp://invented.example/r",
    "https://mill.example/invented-page",
    "https://mill.example.invented.example/about",
    "https://user@invented.example/about",
    "https://mill.example@invented.example/about",
    "other@mill.example",
    "https://127.0.0.1:8000/x",
    "https://localhost/x",
    "Zürich:https://invented.example/r",
    "http://[2001:db8::1]/x",
    "See INVENTED.COM for more.",
]


@cases("text", INVENTED)
def test_what_nothing_has_that_was_read_is_marked(text):
    left = without_unread(text, known)
    assert MARK in left or "[r]:" in text
    assert "invented" not in left.replace("invented-page", "invented").casefold()
    assert [one for one in addresses(left) if not known(one)] == []
    assert without_unread(left, known) == left


@cases(
    "text",
    [
        "See https://www.mill.example/about.",
        "See http://mill.example/about/ and https://mill.example/about#top.",
        "The host mill.example says so; www.mill.example too.",
        "[x](http://müller.example/a_(b)) and http://xn--mller-kva.example/a_(b)",
        "news@mill.example, NEWS@Mill.example",
        "https://law.ch/x?a=2&b=1&utm_source=y",
        "Art. 5 Abs. 2 lit. a OR, E. 4.2, z.B. S.A., e.V., i.e. the U.S.A. or Nestlé S.A.",
        "BGE 140 III 86 E. 2.1; 4A_251/2018; SR 220; Verordnung (EU) 2016/679; and/or; 24/7; 1.5 km",
        "It grew 3.5% in Q1.It is large. See report.pdf, main.py, v1.2.3 and README.md",
        "10.1000/182 is a DOI, arXiv:2101.00001v2 another, 12:30 a time; a//b is a path",
        "The key <a> [1] [^2] `code` \\* &amp; \u200b stays as it is, C:\\temp too",
        "",
    ],
)
def test_what_was_read_and_what_is_no_address_stays_to_the_letter(text):
    assert without_unread(text, known) == text
    assert check_addresses({"a": text}, known) == []


def test_the_words_of_a_link_and_of_its_sentence_stay():
    text = "The [annual report](https://invented.example/r) of 2024 [1] says 240 people."
    assert without_unread(text, known) == f"The annual report {MARK} of 2024 [1] says 240 people."


def test_the_mark_is_in_the_language_of_the_report():
    assert without_unread("Siehe https://invented.example/r.", known, "de-CH") == f"Siehe {MARKS['de']}."
    assert all(list(addresses(mark)) == [] for mark in MARKS.values())


def test_a_document_is_marked_and_checked_value_by_value():
    data = {"a": ["ok", {"b/c": "https://invented.example/1"}], "n": 1, "u": "https://mill.example/about"}
    (verdict,) = check_addresses(data, known)
    assert (verdict.pointer, verdict.verdict) == ("/a/1/b~1c", "fail")
    assert verdict.subject == "https://invented.example/1"
    assert without_unread(data, known)["a"] == ["ok", {"b/c": MARK}]


@pytest.mark.parametrize(
    "text",
    ["a." * 50_000, "[" * 50_000, "<" * 50_000, "//" * 50_000, "a@" * 50_000, "www." * 30_000, "](" * 50_000],
)
def test_hostile_text_takes_no_time(text):
    begun = time.process_time()
    without_unread(f"https://invented.example {text}", known)
    assert time.process_time() - begun < 2
