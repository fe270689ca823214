"""``citations/extract``, ``verify`` and ``format``."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.models import CitationAllowance
from citations.services.allowance import charge, free_at
from tests.court_server import CourtServer, hit
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
TEXT = "  Vgl. BGE 147 VII 1 E. 3.2; Art. 97 Abs. 1 OR. 😀 ATF 145 III 229 consid. 4\n"


def test_each_citation_is_an_entry_with_its_place(client, url):
    found = client.post(url("citations-extract"), {"text": TEXT}).json()
    assert [one["normalized"] for one in found] == ["BGE 147 VII 1", "Art. 97 Abs. 1 OR", "BGE 145 III 229"]
    assert [TEXT[one["start"] : one["end"]] for one in found] == [one["raw"] for one in found]
    assert found[0]["pinpoints"] == ["E. 3.2"]
    assert {one["verdict"] for one in found} == {"unchecked"}


def test_a_text_may_be_the_whole_body(client, url):
    answer = client.generic("POST", url("citations-extract"), TEXT.encode(), content_type="text/plain")
    assert [one["start"] for one in answer.json()] == [
        TEXT.index("BGE"),
        TEXT.index("Art"),
        TEXT.index("ATF"),
    ]


def test_each_citation_has_a_verdict_with_its_reason(client, url):
    found = client.post(url("citations-verify"), {"text": TEXT}).json()
    assert [(one["verdict"], one["reason"], one["check"]) for one in found] == [
        ("nonexistent", "division", "fail"),
        ("unknown", "act_known", "unknown"),
        ("undecidable", "no_list", "unknown"),
    ]


def test_a_text_without_citations_gives_an_empty_list(client, url):
    for name in ("citations-extract", "citations-verify"):
        assert client.post(url(name), {"text": ""}).json() == []


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("fr", "ATF 145 III 229 consid. 4"),
        ("it", "DTF 145 III 229 consid. 4"),
        ("de", "BGE 145 III 229 E. 4"),
    ],
)
def test_a_citation_is_written_in_a_language(client, url, language, written):
    body = {"citation": "BGE 145 III 229 E. 4", "language": language}
    [one] = client.post(url("citations-format"), body).json()
    assert (one["formatted"], one["normalized"]) == (written, "BGE 145 III 229")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("citations-extract", {}),
        ("citations-extract", {"text": None}),
        ("citations-extract", {"text": "a\x00b"}),
        ("citations-verify", {"text": "x", "lookups": -1}),
        ("citations-verify", {"text": "x", "lookups": "many"}),
        ("citations-format", {"citation": "no citation", "language": "de"}),
        ("citations-format", {"citation": "BGE 1 I 1", "language": "rm"}),
        ("citations-format", {"citation": "x" * 2_001, "language": "de"}),
    ],
)
def test_a_body_that_is_wrong_is_refused_with_its_fields(client, url, name, body):
    answer = client.post(url(name), body)
    assert (answer.status_code, answer["content-type"]) == (400, "application/problem+json")
    assert answer.json()["errors"]


@pytest.mark.parametrize("body", [b"[]", b"{", b"\xff", b'{"text": "\xff"}', b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(client, url, body):
    answer = client.generic("POST", url("citations-extract"), body, content_type="application/json")
    assert (answer.status_code, answer["content-type"]) == (400, "application/problem+json")


def test_half_a_surrogate_pair_is_refused(client, url):
    body = b'{"text": "BGE 1 I 1 \\ud800"}'
    answer = client.generic("POST", url("citations-extract"), body, content_type="application/json")
    assert answer.status_code == 400


def test_five_megabytes_are_read_and_a_byte_more_is_not(client, url):
    text = "BGE 145 III 229 " + "ä" * 2_499_992
    assert len(text.encode()) == 5_000_000
    assert len(client.post(url("citations-extract"), {"text": text}).json()) == 1
    for answer in (
        client.post(url("citations-extract"), {"text": text + "."}),
        client.generic("POST", url("citations-verify"), (text + ".").encode(), content_type="text/plain"),
        client.generic("POST", url("citations-verify"), b" " * 16_000_001, content_type="application/json"),
    ):
        assert (answer.status_code, answer.json()["type"]) == (413, "urn:dossier:too-large")


def test_whoever_is_ahead_of_the_allowance_waits_until_a_moment_that_is_named(client, url, settings, person):
    settings.CITATIONS_PER_MINUTE = 2
    assert len(client.post(url("citations-extract"), {"text": TEXT}).json()) == 3
    answer = client.post(url("citations-extract"), {"text": TEXT})
    assert (answer.status_code, answer.json()["type"]) == (429, "urn:dossier:too-many-citations")
    assert 1 <= int(answer["Retry-After"]) <= 30
    assert answer.json()["wait_until"].endswith("Z")
    assert (
        client.post(url("citations-format"), {"citation": "BGE 1 I 1", "language": "de"}).status_code == 429
    )


def test_the_allowance_of_one_person_is_not_that_of_another(client_of, client, url, settings):
    settings.CITATIONS_PER_MINUTE = 1
    client.post(url("citations-extract"), {"text": TEXT})
    assert client_of(UserFactory()).post(url("citations-extract"), {"text": TEXT}).status_code == 200


def test_the_allowance_comes_back_with_time(person, settings):
    settings.CITATIONS_PER_MINUTE, now = 60, timezone.now()
    charge(person=person, count=90, now=now)
    assert free_at(person=person, now=now) == now + timedelta(seconds=30)
    later = now + timedelta(seconds=31)
    assert free_at(person=person, now=later) == later
    charge(person=person, count=10**6, now=later)
    assert free_at(person=person, now=later) == later + timedelta(hours=1)
    assert CitationAllowance.objects.count() == 1


def test_no_allowance_is_no_limit(client, url, settings):
    settings.CITATIONS_PER_MINUTE = 0
    for _ in range(3):
        assert client.post(url("citations-extract"), {"text": TEXT * 50}).status_code == 200
    assert not CitationAllowance.objects.exists()


def test_outside_is_asked_only_for_whoever_may(client, client_of, url, settings):
    with CourtServer(hit("4A_1/2020", "Werkvertrag")) as courts:
        settings.ENTSCHEIDSUCHE_BASE_URL = courts.url
        [one] = client.post(url("citations-verify"), {"text": "4A_1/2020"}).json()
        assert (one["verdict"], courts.asked) == ("unknown", [])
        assert client.post(url("citations-verify"), {"text": "4A_1/2020", "lookups": 1}).status_code == 403
        asker = client_of(UserFactory(rights=["verify_citation"]))
        [one] = asker.post(url("citations-verify"), {"text": "4A_1/2020", "lookups": 0}).json()
        assert (one["verdict"], courts.asked) == ("unknown", [])
        [one] = asker.post(url("citations-verify"), {"text": "4A_1/2020"}).json()
        assert (one["verdict"], one["source"], len(courts.asked)) == ("exists", "entscheidsuche", 1)


def test_nobody_is_let_in_without_a_name(nobody, url):
    for name in ("citations-extract", "citations-verify", "citations-format"):
        assert nobody.post(url(name), {"text": TEXT}).status_code == 401
