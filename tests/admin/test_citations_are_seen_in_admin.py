"""Citations with their uses: to look at, to filter, and to have verified again."""

import pytest
from django.urls import reverse

from citations.models import BulkVerification, CitationUse
from tests.factories import CitationFactory, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db
LIST = reverse("admin:citations_citation_changelist")
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def look(client):
    def look(*rights):
        client.force_login(UserFactory(rights=["view_citation", *rights]))
        return client

    return look


@pytest.fixture
def used():
    citation = CitationFactory(
        verdict="nonexistent", reason="division", message=HOSTILE, suggestions=["BGE 145 II 1"]
    )
    result = ResultFactory()
    CitationUse.objects.create(
        citation=citation, label="result", reference=str(result.pk), pointer="/memo/0", start=4, end=17, raw=HOSTILE
    )  # fmt: skip
    return citation, result


def text_of(response):
    assert response.status_code == 200
    return response.content.decode()


def test_they_are_filtered_by_verdict(look, used):
    other = CitationFactory(key="BGE 145 III 1", verdict="start")
    page = text_of(look().get(LIST, {"verdict": "nonexistent"}))
    assert used[0].key in page
    assert other.key not in page
    assert "✗ Does not exist" in page


def test_a_use_leads_to_the_review(look, used):
    citation, result = used
    page = text_of(
        look("view_researchresult").get(reverse("admin:citations_citation_change", args=[citation.pk]))
    )
    assert reverse("admin:research_researchresult_review", args=[result.pk]) in page
    assert "/memo/0" in page
    assert "BGE 145 II 1" in page
    assert HOSTILE not in page


def test_whoever_may_not_see_results_sees_only_that_there_is_one(look, used):
    citation, result = used
    page = text_of(look().get(reverse("admin:citations_citation_change", args=[citation.pk])))
    assert str(result) not in page
    assert "/memo/0" in page


def test_they_are_verified_again_in_the_background(look, used, monkeypatch):
    monkeypatch.setattr("citations.services.bulk._ring", lambda pk: None)
    form = {"action": "verify_again", "_selected_action": [used[0].pk]}
    client = look("verify_citation", "view_bulkverification")
    page = text_of(client.post(LIST, form, follow=True))
    bulk = BulkVerification.objects.get()
    assert (bulk.total, bulk.asked_by.username) == (1, UserFactory._meta.model.objects.latest("pk").username)
    assert "see how far it is" in page
    assert "0 of 1" in text_of(client.get(reverse("admin:citations_bulkverification_change", args=[bulk.pk])))


def test_without_the_right_nothing_is_verified(look, used):
    client = look()
    assert "Verify again" not in text_of(client.get(LIST))
    client.post(LIST, {"action": "verify_again", "_selected_action": [used[0].pk]})
    assert not BulkVerification.objects.exists()


@pytest.mark.parametrize("name", ["citation", "bulkverification", "authoritylist"])
def test_nobody_writes_here(client, name):
    client.force_login(UserFactory(is_superuser=True))
    assert client.get(reverse(f"admin:citations_{name}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:citations_{name}_add")).status_code == 403
