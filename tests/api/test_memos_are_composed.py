import json

import pytest

from research.models import Memo
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
        assert list(answer.json()["errors"]) == [option]


def test_it_shows_hostile_text_as_text(client, url):
    result = ResultFactory(data={"name": "<script>alert(1)</script>"})
    page = client.get(url("result-memo", result.pk), {"format": "html"}).content.decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
