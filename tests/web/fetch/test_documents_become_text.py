"""HTML, PDF, feeds and plain text give their text, with what they say about themselves."""

import codecs

import pytest

from research.web import extract as extraction
from research.web.charset import decode
from research.web.extract import extract
from research.web.faults import FetchFault
from tests.cases import cases
from tests.web.fetch.documents import encrypted, pdf

ARTICLE = """<!doctype html><html lang="de-CH"><head><title>Geschäftsbericht
  2025</title><meta property="article:published_time" content="2026-03-04T08:00:00Z"></head>
<body><nav><a href="/">Start</a><a href="/imprint">Impressum</a></nav><main><article><h1>Geschäftsbericht 2025</h1>
<p>Die Beispiel Holding AG mit Sitz in Zürich blickt auf ein gutes Jahr zurück und dankt allen Mitarbeitenden.</p>
<h2>Beteiligungen</h2><p>Die Gesellschaft hält über ihre Tochter weitere Anteile, die unten aufgeführt sind.</p>
<ul><li>Beispiel Fonds SICAV</li><li>Beispiel Asset Management AG</li></ul>
<table><tr><th>Gesellschaft</th><th>Anteil</th></tr><tr><td>Beispiel Bank AG</td><td>75,5 %</td></tr></table>
<p>Der Verwaltungsrat beantragt eine Dividende von 3 Franken je Aktie, zahlbar im Mai des laufenden Jahres.</p>
</article></main><script>var tracking = "secret";</script><footer>Alle Rechte vorbehalten</footer></body></html>"""


def html(text, **options):
    return extract(text.encode(), mime="text/html", **options)


def test_an_article_gives_its_content_as_markdown_without_its_frame():
    found = html(ARTICLE, url="https://www.example.ch/report")
    assert found.title == "Geschäftsbericht 2025"
    assert (found.language, found.published, found.mime) == ("de", "2026-03-04", "text/html")
    for part in ("## Beteiligungen", "- Beispiel Fonds SICAV", "75,5 %", "Dividende von 3 Franken"):
        assert part in found.text
    for part in ("Impressum", "tracking", "vorbehalten", "<p>"):
        assert part not in found.text


def test_a_page_without_an_article_gives_all_its_text(monkeypatch):
    monkeypatch.setattr(extraction, "_main_text", lambda text, url: ("", ""))
    found = html("<html><head><title>T</title><style>x{}</style></head><body><nav>menu</nav><div>one<b> two</b>"
                 "<p>three</p>four<br>five</div><script>x</script><!-- hidden --></body></html>")  # fmt: skip
    assert found.text == "one two\nthree\nfour\nfive"
    assert found.title == "T"


def test_a_page_of_very_many_elements_is_read_the_plain_way(monkeypatch):
    def never(text, url):
        raise AssertionError("too expensive")

    monkeypatch.setattr(extraction, "_main_text", never)
    found = html("<html><body>" + "<p>word</p>" * 30_001)
    assert found.text.count("word") == 30_001


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>A  b</title>", "A b"),
        ('<title> </title><meta property="og:title" content="C">', "C"),
        ("", "Heading"),
    ],
)
def test_the_title_is_found_where_it_is(head, title):
    assert html(f"<html><head>{head}</head><body><h1>Heading</h1><p>text</p></body></html>").title == title


@pytest.mark.parametrize(
    ("start", "language"),
    [("<html lang=fr>", "fr"), ("<html lang='EN_us'>", "en"), ("<html lang='?'>", ""), ("<html>", "")],
)
def test_the_language_is_what_the_page_says(start, language):
    assert html(f"{start}<body><p>text</p>").language == language


@cases(
    "body",
    ["", " ", "<html></html>", "<script>x</script>", "<!-- -->", "\0", "<div>" * 100_000, "<!DOCTYPE html>"],
)
def test_a_page_without_text_is_unreadable(body):
    with pytest.raises(FetchFault) as caught:
        html(body)
    assert (caught.value.code, caught.value.retryable) == ("unreadable", False)


def test_a_pdf_gives_its_pages_with_their_numbers():
    found = extract(
        pdf("First page", "Second page", title="Annual Report", lang="en-GB"), mime="application/pdf"
    )
    assert found.text == "[Page 1]\nFirst page\n\n[Page 2]\nSecond page"
    assert (found.title, found.language, found.pages, found.cut) == ("Annual Report", "en", 2, False)


def test_a_long_pdf_is_read_as_far_as_asked():
    found = extract(pdf(*(f"page {n}" for n in range(1, 6))), mime="application/pdf", max_pages=2)
    assert "[Page 2]" in found.text
    assert "[Page 3]" not in found.text
    assert (found.pages, found.cut) == (5, True)


def test_a_pdf_that_takes_too_long_is_read_as_far_as_it_went(monkeypatch):
    monkeypatch.setattr(extraction, "PDF_SECONDS", -1.0)
    found = extract(pdf("one", "two"), mime="application/pdf")
    assert (found.text, found.cut) == ("[Page 1]\none", True)


def test_a_damaged_page_does_not_take_the_others_with_it():
    found = extract(pdf("one", packed=[b"this is not deflate"]), mime="application/pdf")
    assert found.text == "[Page 1]\none\n\n[Page 2]"


def test_a_pdf_locked_against_changes_only_is_read():
    assert "open" in extract(encrypted(pdf("open"), ""), mime="application/pdf").text


@cases(
    ("body", "why"),
    [
        (encrypted(pdf("secret"), "password"), "encrypted"),
        (b"%PDF-1.7\n" + b"garbage" * 100, "damaged"),
        (pdf("one")[:200], "damaged"),
        (b"", "damaged"),
        (pdf(""), "no text"),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(body, why):
    with pytest.raises(FetchFault, match=why) as caught:
        extract(body, mime="application/pdf")
    assert caught.value.code == "unreadable"


RSS = """<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>News</title>
<item><title>First</title><link>https://example.com/1</link><pubDate>Sat, 21 Nov 2026 08:00:00 GMT</pubDate>
<description>&lt;p&gt;The &lt;b&gt;text&lt;/b&gt;&lt;/p&gt;</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>First</title>
<link href="https://example.com/1"/><updated>2026-11-21</updated><summary>The text</summary></entry></feed>"""


@pytest.mark.parametrize("feed", [RSS, ATOM], ids=["rss", "atom"])
def test_a_feed_gives_its_entries(feed):
    found = extract(feed.encode(), mime="application/xml")
    assert found.title == "News"
    for part in ("## First", "https://example.com/1", "The text", "2026"):
        assert part in found.text


def test_other_xml_gives_its_text_and_xhtml_is_a_page():
    assert extract(b"<a><b>one</b><c>two</c></a>", mime="application/xml").text == "one\ntwo"
    page = b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p>text</p></body></html>"
    assert extract(page, mime="application/xml").text == "text"


def test_entities_of_an_xml_document_open_no_files_and_do_not_multiply(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    outside = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>start &x; end</a>'
    assert "secret" not in extract(outside.encode(), mime="application/xml").text
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE a [<!ENTITY l0 "ha">{laughs}]><a>start &l9; end</a>'
    assert len(extract(bomb.encode(), mime="application/xml").text) < 1_000


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/csv", "application/json"])
def test_text_stays_as_it_is(mime):
    text = '{"a": [1, 2]}\n\n# Title; <b>x</b>\tlast'
    assert extract(text.encode(), mime=mime).text == text


def test_line_ends_and_wide_gaps_are_made_alike():
    assert (
        extract(b"\r\n one\r\ntwo\rthree\n\n\n\n\n\nfour\0\n", mime="text/plain").text
        == "one\ntwo\nthree\n\n\nfour"
    )


def test_text_ends_at_two_megabytes():
    found = extract(("ü" * 1_500_000).encode(), mime="text/plain")
    assert (len(found.text.encode()), found.cut) == (2_000_000, True)


TEXT = "Größe: 12 € – naïve"
CHARSETS = [
    (TEXT.encode(), "", TEXT),
    (TEXT.encode(), "utf-8", TEXT),
    (TEXT.encode("cp1252"), "iso-8859-1", TEXT),
    (TEXT.encode("cp1252"), "windows-1252", TEXT),
    (TEXT.encode(), "iso-8859-1", TEXT),
    (TEXT.encode(), "no-such-charset", TEXT),
    (codecs.BOM_UTF8 + TEXT.encode(), "iso-8859-1", TEXT),
    (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "", TEXT),
    (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-8", TEXT),
    (b"<meta charset=windows-1252>" + TEXT.encode("cp1252"), "", f"<meta charset=windows-1252>{TEXT}"),
    ("日本語".encode("shift_jis"), "shift_jis", "日本語"),
    ("日本語".encode("iso2022_jp"), "iso-2022-jp", "日本語"),
    ("中文".encode("gbk"), "gb2312", "中文"),
    ("Привет".encode("koi8-r"), "koi8-r", "Привет"),
    (b"abc", "hex", "abc"),
    (b"+ADw-script+AD4-", "utf-7", "+ADw-script+AD4-"),
    (b"caf\xe9 \xff", "utf-8", "caf\ufffd \ufffd"),
    (b"<meta charset=utf-16>" + TEXT.encode(), "", f"<meta charset=utf-16>{TEXT}"),
    (b"<p>Hello</p>", "utf-16", "<p>Hello</p>"),
    (TEXT.encode("utf-16-le"), "utf-16-le", TEXT),
    ("日本語".encode("utf-16-be"), "utf-16-be", "日本語"),
    (b"", "", ""),
]


@cases(("body", "declared", "text"), CHARSETS)
def test_bytes_become_the_text_they_were_meant_to_be(body, declared, text):
    assert decode(body, declared) == text


GERMAN = (
    "Die Gesellschaft für Prüfung wählt die Vorsitzende in Zürich; über das Übrige führt sie Gespräche. " * 5
)


@pytest.mark.parametrize("declared", ["", "utf-8"])
def test_a_charset_that_nobody_names_or_that_is_not_kept_to_is_guessed(declared):
    assert decode(GERMAN.encode("cp1252"), declared) == GERMAN


@cases("declared", ["", "utf-8"])
@cases(
    ("text", "charset"),
    [
        ("Die Geschäftsführung der Müller AG hat für das Jahr über die Höhe beschlossen.", "cp1252"),
        ("Genève, Hermès, Société Générale: l'été était terminé, ça dépend où.", "cp1252"),
        ("La società è già in liquidazione; però più tardi verrà così.", "cp1252"),
        ("Żółta łódź, spółka z ograniczoną odpowiedzialnością, więc", "cp1250"),
        ("Ελληνική Δημοκρατία, εταιρεία περιορισμένης ευθύνης", "cp1253"),
        ("日本語のテキストです。会社の概要", "cp932"),
    ],
)
def test_a_short_text_is_not_taken_for_one_of_another_language(text, charset, declared):
    assert decode(text.encode(charset), declared) == text


def test_a_few_bytes_that_fit_nowhere_do_not_change_the_charset():
    assert decode(GERMAN.encode() + b"\xff\xff\xff\xff\xff\xff", "utf-8") == GERMAN + 6 * "\ufffd"
