"""A memo is had from the page of a result, and those that were written are had again byte for byte."""

import pytest
from django.urls import reverse

from research.models import Memo, MemoTemplate
from research.services.memos import compose_memo
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result(client):
    client.force_login(UserFactory(is_staff=True, rights=ALL_RIGHTS))
    return ResultFactory()


def memo_url(result):
    return reverse("admin:research_researchresult_memo", args=[result.pk])


def review(client, result):
    return client.get(reverse("admin:research_researchresult_review", args=[result.pk])).content.decode()


def test_the_review_offers_every_format_and_language(client, result):
    page = review(client, result)
    assert memo_url(result) in page
    for option in ("PDF", "DOCX (Word)", "HTML", "Markdown", "German", "French", "Italian"):
        assert option in page


def test_templates_are_offered_when_there_is_a_choice(client, result):
    assert "memo-template" not in review(client, result)
    MemoTemplate.objects.create(name="house", version=1, values={}, digest="x", note="x")
    assert '<option value="house">' in review(client, result)


@pytest.mark.parametrize(("form", "start"), [("pdf", b"%PDF"), ("docx", b"PK"), ("md", b"# ")])
def test_it_is_downloaded(client, result, form, start):
    answer = client.get(memo_url(result), {"format": form, "language": "fr"})
    assert answer.status_code == 200
    assert answer.content.startswith(start)
    assert f"-fr.{form}" in answer["Content-Disposition"]
    assert Memo.objects.get().language == "fr"


@pytest.mark.parametrize(
    "wrong", [{"format": "exe"}, {"language": "la"}, {"template": "nobody"}, {"style": "x"}]
)
def test_what_cannot_be_written_is_said_on_the_page(client, result, wrong):
    answer = client.get(memo_url(result), wrong, follow=True)
    assert "No memo was written." in answer.content.decode()
    assert not Memo.objects.exists()


def test_it_takes_the_right_to_see_results(client, result):
    client.force_login(UserFactory(is_staff=True))
    assert client.get(memo_url(result)).status_code == 403


def test_a_memo_is_had_again_as_it_was_written(client, result):
    memo = compose_memo(result=result, format="docx")
    page = client.get(reverse("admin:research_memo_changelist")).content.decode()
    again = reverse("admin:research_memo_file", args=[memo.pk])
    assert again in page
    assert client.get(again).content == bytes(memo.body)


def test_those_who_may_not_see_memos_get_no_file(client, result):
    memo = compose_memo(result=result)
    client.force_login(UserFactory(is_staff=True, rights=["view_researchresult"]))
    assert client.get(reverse("admin:research_memo_file", args=[memo.pk])).status_code == 403
