import pytest

from tests.factories import DocumentFactory, SourceFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def insurer():
    DocumentFactory(text="Nothing of that kind.")
    return DocumentFactory(
        text="Here an\n insurer \x1b[31mwas founded.",
        title="An insurer",
        warnings=["Looks odd."],
        language="en",
    )


def test_it_shows_what_answers(run, insurer):
    outcome = run("archive", "search", "which", "insurers?")
    assert outcome.code == 0
    assert "An insurer" in outcome.out
    assert "Here an insurer \\x1b[31mwas founded." in outcome.out


def test_it_prints_a_document_a_line(run, insurer):
    [found] = run("archive", "search", "insurer", "--json").documents
    assert (found["id"], found["title"]) == (insurer.pk, "An insurer")
    assert found["snippet"]["ranges"]


def test_it_says_that_nothing_was_found(run, insurer):
    outcome = run("archive", "search", "bananas")
    assert (outcome.code, outcome.out.strip()) == (1, "nothing found")


def test_it_narrows(run, insurer):
    source = SourceFactory(document=DocumentFactory(text="An insurer of the run.", host="example.com"))
    for narrowed in (("--host", "example.com"), ("--run", str(source.run_id)[:8])):
        [found] = run("archive", "search", "insurer", *narrowed, "--json").documents
        assert found["id"] == source.document_id
    assert len(run("archive", "search", "insurer", "--limit", "1", "--json").documents) == 1
    assert run("archive", "search", "insurer", "--language", "it").code == 1


@pytest.mark.parametrize("wrong", [("--limit", "0"), ("--limit", "1000"), ("--run", "x")])
def test_it_names_a_mistake(run, db, wrong):
    assert run("archive", "search", "insurer", *wrong).code == 2


def test_it_shows_a_document_with_its_text(run, insurer):
    source = SourceFactory(document=insurer)
    for key in (str(insurer.pk), insurer.digest[:10]):
        shown = run("archive", "get", key).out
        assert "insurer \\x1b[31mwas founded." in shown
        assert "Looks odd." in shown
        assert f"run {source.run_id}, source {source.number}" in shown
    assert run("archive", "get", str(insurer.pk), "--json").document["text"] == insurer.text


@pytest.mark.parametrize(("key", "code"), [("999999", 1), ("abcdef12", 1), ("9" * 40, 1), ("zz", 2)])
def test_it_knows_no_other_document(run, insurer, key, code):
    assert run("archive", "get", key).code == code


def test_it_wants_more_of_a_digest_when_two_begin_alike(run, db):
    for number in range(2):
        DocumentFactory(text=str(number), digest=f"abcdef{number}".ljust(64, "0"))
    assert run("archive", "get", "abcdef").code == 2
    assert run("archive", "get", "abcdef1").code == 0


def test_it_looks_after_the_index(run, insurer):
    assert run("archive", "index", "--json").document == {"indexed": 2, "waiting": 0}
    assert run("archive", "index").out.strip() == "0 taken in"
    assert run("archive", "index", "--all", "--json").document["indexed"] == 2
