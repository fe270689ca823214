import pytest
from django.urls import reverse

from research.admin import documents
from research.admin.documents import document_url
from tests.factories import ALL_RIGHTS, DocumentFactory, SourceFactory, UserFactory

pytestmark = pytest.mark.django_db
LIST = "admin:research_document_changelist"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def reader(client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))


def page(client, url, **query):
    answer = client.get(url, query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_shows_the_best_answers_first_with_the_words_marked(client):
    DocumentFactory(text="Nothing of that kind.", title="other")
    DocumentFactory(text="Some words about one insurer and much else besides that.", title="weak")
    DocumentFactory(text="Insurer.", title="An insurer")
    shown = page(client, reverse(LIST), q="which insurers?")
    assert shown.index("An insurer") < shown.index("weak")
    assert "other" not in shown.partition('id="changelist-form"')[2].partition("</form>")[0]
    assert "<mark>insurer</mark>" in shown


def test_another_order_can_be_asked_for(client):
    for title in ("b", "a", "c"):
        DocumentFactory(text=f"insurer {title}", title=f"title-{title}")
    shown = page(client, reverse(LIST), q="insurer", o="0")
    assert shown.index("title-a") < shown.index("title-b") < shown.index("title-c")


@pytest.mark.parametrize("question", ["", "nowhere", '"', "🦊", "x" * 5_000])
def test_any_text_is_a_question(client, question):
    DocumentFactory(text="insurer")
    assert "changelist" in page(client, reverse(LIST), q=question)


def test_it_shows_texts_as_text(client):
    document = DocumentFactory(
        text=f"insurer {HOSTILE}", title=HOSTILE, url="javascript:alert(1)", warnings=[HOSTILE]
    )
    pages = [page(client, reverse(LIST)), page(client, reverse(LIST), q="insurer alert")]
    pages.append(page(client, document_url(document.pk, 0, 12)))
    for shown in pages:
        assert HOSTILE not in shown
        assert 'href="javascript' not in shown


def test_it_marks_the_passage(client):
    document = DocumentFactory(text="Before. The passage. After.")
    shown = page(
        client, reverse("admin:research_document_change", args=[document.pk]), **{"from": 8, "to": 20}
    )
    assert 'Before. <mark id="passage">The passage.</mark> After.' in shown


@pytest.mark.parametrize(
    "place", [("20", "8"), ("0", "9999"), ("x", "y"), ("-1", "3"), ("9" * 30, "1"), ("", "")]
)
def test_a_passage_that_is_not_there_is_not_marked(client, place):
    document = DocumentFactory(text="A text.")
    url = reverse("admin:research_document_change", args=[document.pk])
    shown = page(client, url, **dict(zip(("from", "to"), place, strict=True)))
    assert "A text." in shown
    assert "<mark" not in shown


def test_it_shows_a_long_text_around_the_passage(client, monkeypatch):
    monkeypatch.setattr(documents, "SHOWN", 100)
    monkeypatch.setattr(documents, "BEFORE", 10)
    document = DocumentFactory(text="x" * 500 + "passage" + "y" * 500)
    shown = page(client, document_url(document.pk, 500, 507).partition("#")[0])
    assert '<mark id="passage">passage</mark>' in shown
    assert "490 characters before" in shown
    assert "417 characters after" in shown


def test_it_tells_which_runs_used_a_text(client):
    source = SourceFactory(document=DocumentFactory(text="A text."))
    shown = page(client, document_url(source.document_id))
    assert str(source.run) in shown
