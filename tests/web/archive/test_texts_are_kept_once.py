import hashlib
from datetime import timedelta

import pytest
from django.utils import timezone

from research.models import Document, Page
from research.web.archive.store import Fetch, keep, known_page, remember_page

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def kept(**fields):
    return keep(**{"text": "Some text.", "url": "https://example.org/a", "fetched_at": NOW, **fields})


def test_it_keeps_a_text_under_the_hash_of_its_bytes():
    document = kept(text="Zürich", title="A town", mime="text/html", language="de-CH")
    assert document.digest == hashlib.sha256("Zürich".encode()).hexdigest()
    assert (document.size, document.language, document.host) == (7, "de", "example.org")


def test_it_keeps_the_same_text_once_with_its_first_address():
    first = kept()
    again = kept(url="https://elsewhere.example/b", title="Other", fetched_at=NOW + timedelta(days=1))
    assert again == first
    assert (again.url, again.title, again.fetched_at) == (first.url, first.title, NOW)
    assert Document.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "stored"), [("a\0b", "ab"), ("half \ud800 pair", "half ? pair"), ("x\r\ny", "x\r\ny")]
)
def test_it_keeps_text_exactly_but_for_what_databases_refuse(text, stored):
    document = kept(text=text)
    document.refresh_from_db()
    assert document.text == stored


def test_it_keeps_warnings_and_bounds_what_others_wrote():
    document = kept(
        title="t" * 900, url="https://example.org/" + "x" * 3000, warnings=["w" * 900] * 50, language="!!"
    )
    document.refresh_from_db()
    assert (len(document.title), len(document.url), len(document.warnings)) == (500, 2000, 20)
    assert len(document.warnings[0]) == 500
    assert document.language == ""


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://WWW.Example.org:8443/x", "www.example.org"),
        ("https://[::1", ""),
        ("no address", ""),
        ("", ""),
    ],
)
def test_it_notes_the_host(url, host):
    assert kept(url=url).host == host


def test_it_remembers_what_lay_at_an_address():
    assert known_page("https://example.org/a") is None
    document = kept()
    fetch = Fetch(final_url="https://example.org/b", status=200, etag='"v1"', last_modified="yesterday")
    remember_page(url="https://example.org/a", fetch=fetch, document=document, fetched_at=NOW)
    page = known_page("https://example.org/a")
    assert page is not None
    assert (page.document, page.etag, page.final_url) == (document, '"v1"', "https://example.org/b")


def test_it_remembers_the_latest_answer_only():
    for status, etag in ((200, '"v1"'), (404, "")):
        fetch = Fetch(status=status, etag=etag)
        remember_page(url="https://example.org/a", fetch=fetch, document=None, fetched_at=NOW)
    page = Page.objects.get()
    assert (page.status, page.etag) == (404, "")


def test_it_forgets_a_tag_that_is_too_long_to_be_sent_back_whole():
    page = remember_page(
        url="https://example.org/a", fetch=Fetch(etag='"' + "x" * 400 + '"'), document=None, fetched_at=NOW
    )
    assert page.etag == ""
