import hashlib
import json
from base64 import b64encode

import pytest

from research.models import Memo, MemoTemplate
from tests.factories import ResultFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result():
    return ResultFactory()


@pytest.mark.parametrize(
    ("form", "media"),
    [("md", "text/markdown"), ("html", "text/html"), ("json", "application/json")],
)
def test_it_gives_the_document_in_its_media_type(client, url, result, form, media):
    answer = client.get(url("result-memo", result.pk), {"format": form}, headers={"Accept": media})
    assert answer.status_code == 200
    assert answer["Content-Type"] == f"{media}; charset=utf-8"
    assert f".{form}" in answer["Content-Disposition"]
    assert "Allianz SE" in answer.content.decode()


def test_it_gives_the_same_bytes_again(client, url, result):
    first, second = (client.get(url("result-memo", result.pk)) for _ in range(2))
    assert first.content == second.content
    assert first["ETag"] == second["ETag"]
    assert Memo.objects.count() == 1


def test_it_calls_the_json_style_json_whatever_the_format(client, url, result):
    answer = client.get(url("result-memo", result.pk), {"style": "json"})
    assert answer["Content-Type"].startswith("application/json")
    json.loads(answer.content)


def test_it_keeps_a_memo_and_says_where_it_is(client, url, result):
    answer = client.post(url("result-memo", result.pk), {"style": "bullets", "language": "de"})
    assert answer.status_code == 201, answer.json()
    assert answer.json()["digest"] == Memo.objects.get().digest
    assert client.get(answer["Location"])["ETag"] == f'"{Memo.objects.get().digest}"'


@pytest.mark.parametrize("option", ["style", "format", "language"])
def test_it_refuses_what_memos_do_not_have(client, url, result, option):
    for answer in (
        client.get(url("result-memo", result.pk), {option: "strange"}),
        client.post(url("result-memo", result.pk), {option: "strange"}),
    ):
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"
        assert [error["name"] for error in answer.json()["errors"]] == [option]


def test_it_shows_hostile_text_as_text(client, url):
    result = ResultFactory(data={"name": "<script>alert(1)</script>"})
    page = client.get(url("result-memo", result.pk), {"format": "html"}).content.decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


BINARY = [
    ("pdf", "application/pdf", b"%PDF-1.7"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", b"PK"),
]


@pytest.mark.parametrize(("form", "media", "start"), BINARY)
def test_it_gives_files_with_their_digest(client, url, result, form, media, start):
    answer = client.get(url("result-memo", result.pk), {"format": form, "language": "de"})
    digest = hashlib.sha256(answer.content)
    assert answer.content.startswith(start)
    assert answer["Content-Type"] == media
    assert answer["Content-Disposition"] == f'attachment; filename="memo-{str(result.pk)[:8]}-de.{form}"'
    assert answer["ETag"] == f'"{digest.hexdigest()}"'
    assert answer["Repr-Digest"] == f"sha-256=:{b64encode(digest.digest()).decode()}:"


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("application/pdf", "application/pdf"),
        ("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"),
        ("text/html;q=0.2, application/pdf;q=0.7", "application/pdf"),
        ("application/json", "application/json; charset=utf-8"),
        ("*/*", "text/markdown; charset=utf-8"),
        ("image/png", "text/markdown; charset=utf-8"),
        ("text/html;q=0", "text/markdown; charset=utf-8"),
        ("text/html;q=x;;=,,", "text/markdown; charset=utf-8"),
    ],
)
def test_without_a_format_what_is_accepted_decides(client, url, result, accept, media):
    assert client.get(url("result-memo", result.pk), headers={"Accept": accept})["Content-Type"] == media


def test_a_format_that_is_asked_for_wins_over_what_is_accepted(client, url, result):
    answer = client.get(
        url("result-memo", result.pk), {"format": "html"}, headers={"Accept": "application/pdf"}
    )
    assert answer["Content-Type"].startswith("text/html")


def test_it_does_not_send_again_what_the_client_has(client, url, result):
    first = client.get(url("result-memo", result.pk))
    again = client.get(url("result-memo", result.pk), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_uses_the_template_that_is_named(client, url, result):
    MemoTemplate.objects.create(name="house", version=3, values={"header": "Our house"}, digest="x", note="x")
    answer = client.get(url("result-memo", result.pk), {"template": "house"})
    assert answer.content.decode().startswith("Our house")
    kept = client.post(url("result-memo", result.pk), {"template": "house"}).json()
    assert kept["template"] == "house 3"


def test_it_refuses_a_template_that_there_is_none_of(client, url, result):
    answer = client.get(url("result-memo", result.pk), {"template": "nobody"})
    assert answer.status_code == 400
    assert "there are: standard" in json.dumps(answer.json())
