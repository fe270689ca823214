import uuid

import pytest

from tests.factories import DocumentFactory, SourceFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def insurers():
    DocumentFactory(text="Nothing of that kind.")
    return [DocumentFactory(text=f"The insurer number {n} of many.", title=f"Insurer {n}") for n in range(3)]


def test_it_lists_what_was_read_the_latest_first_without_the_texts(client, url, insurers):
    rows = client.get(url("documents")).json()["results"]
    assert [row["title"] for row in rows[:3]] == ["Insurer 2", "Insurer 1", "Insurer 0"]
    assert "text" not in rows[0]


def test_it_answers_a_question_with_snippets(client, url, insurers):
    rows = client.get(url("documents"), {"q": "which insurers?"}).json()["results"]
    assert {row["title"] for row in rows} == {"Insurer 0", "Insurer 1", "Insurer 2"}
    snippet = rows[0]["snippet"]
    [[start, end]] = snippet["ranges"]
    assert snippet["text"][start:end] == "insurer"
    assert rows[0]["score"] >= rows[-1]["score"] > 0


def test_it_gives_a_document_with_its_text_and_who_used_it(client, url):
    source = SourceFactory(document=DocumentFactory(text="All of it. <script>"))
    shown = client.get(url("document", source.document_id)).json()
    assert shown["text"] == "All of it. <script>"
    assert shown["uses"] == [{"run": str(source.run_id), "number": source.number, "title": "A page"}]
    assert client.get(url("document", 10**9)).status_code == 404


def test_it_narrows_lists_and_searches(client, url, insurers):
    elsewhere = DocumentFactory(text="An insurer elsewhere.", host="example.com", language="it")
    source = SourceFactory(document=elsewhere)
    for question in ({}, {"q": "insurer"}):
        for narrowed in ({"host": "example.com"}, {"language": "it"}, {"run": str(source.run_id)}):
            rows = client.get(url("documents"), {**question, **narrowed}).json()["results"]
            assert [row["id"] for row in rows] == [elsewhere.pk]
        nothing = client.get(url("documents"), {**question, "run": str(uuid.uuid4())}).json()
        assert nothing["results"] == []


@pytest.mark.parametrize("question", [{}, {"q": "insurer"}])
def test_it_is_read_page_by_page(client, url, insurers, question):
    seen, page = [], client.get(url("documents"), {**question, "page_size": 2}).json()
    seen += page["results"]
    while page["next"]:
        assert len(page["results"]) == 2
        page = client.get(page["next"]).json()
        seen += page["results"]
    whole = client.get(url("documents"), question).json()["results"]
    assert [row["id"] for row in seen] == [row["id"] for row in whole]
    assert page["previous"]


@pytest.mark.parametrize("question", [{}, {"q": "insurer"}])
def test_it_refuses_filters_that_make_no_sense(client, url, insurers, question):
    assert client.get(url("documents"), {**question, "run": "x"}).status_code == 400


@pytest.mark.parametrize("cursor", ["zzz", "YXQ9LTE=", "YXQ9eA==", "\0", "YXQ9OTk5OTk5OTk="])
def test_it_refuses_cursors_of_others(client, url, insurers, cursor):
    assert client.get(url("documents"), {"q": "insurer", "cursor": cursor}).status_code == 404


@pytest.mark.parametrize("question", ["", '"', "\0", "🦊", "x" * 10_000, "a AND (b"])
def test_any_text_is_a_question(client, url, insurers, question):
    assert client.get(url("documents"), {"q": question}).json()["results"] == []


def test_it_is_for_those_who_may_view_documents(client_of, nobody, url):
    outsider = client_of(UserFactory(rights=["view_run"]))
    for name, arguments in (("documents", ()), ("document", (1,))):
        assert outsider.get(url(name, *arguments)).status_code == 403
        assert nobody.get(url(name, *arguments)).status_code == 401
