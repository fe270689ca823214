import uuid

import pytest

from research.models import Document
from research.web.archive.search import search_documents
from tests.cases import cases
from tests.factories import RunFactory, SourceFactory

pytestmark = pytest.mark.django_db


def test_it_answers_a_whole_question_of_which_few_words_occur(archive, titles):
    archive("Allianz was founded in 1890 in Berlin by Carl von Thieme.", title="Allianz")
    archive("Bananas grow in the tropics.", title="Bananas")
    assert titles("In which town and by whom was the insurer Allianz once founded?") == ["Allianz"]


def test_it_finds_other_forms_of_a_word(archive, titles):
    archive("The regulators approved it.", title="approval")
    archive("It rained all day over the hills and the sea.", title="rain")
    assert titles("Who was regulating, what is its approval") == ["approval"]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Die Häuser der Gesellschaften wurden nicht verkauft und sind leer.", "Haus einer Gesellschaft"),
        ("Les sociétés ont été enregistrées dans le canton de Genève et du Jura.", "société enregistrée"),
        ("Le banche sono state autorizzate dalla vigilanza e dalla legge.", "banca autorizzata"),
        ("The subsidiaries of the group were consolidated by their parents.", "consolidating subsidiary"),
    ],
)
def test_it_knows_the_language_of_a_text(archive, titles, text, question):
    archive(text, title="the one")
    archive("Nothing of that kind, not at all; but all of this is here.", title="other")
    assert titles(question) == ["the one"]


def test_it_does_not_care_for_accents_and_case(archive, titles):
    archive("Müller Ålesund Čapek", title="names")
    archive("something else entirely", title="other")
    assert titles("MULLER alesund capek") == titles("mu\u0308ller") == ["names"]


def test_it_finds_text_without_blanks_between_words(archive, titles):
    archive("東京証券取引所は日本最大の証券取引所です。", title="Tokyo")
    archive("大阪は西日本の都市です。", title="Osaka")
    assert titles("東京証券取引所")[0] == "Tokyo"
    assert "Osaka" not in titles("東京証券取引所")


def test_it_prefers_rare_words_and_titles(archive, titles):
    for number in range(6):
        archive(f"Annual report of company number {number} with many words of no weight.", title=f"c{number}")
    archive("Annual report that mentions Zugspitze once among many others words.", title="text")
    archive("Annual report that is about something else but in its title.", title="Zugspitze")
    assert titles("annual report Zugspitze")[:2] == ["Zugspitze", "text"]


def test_it_finds_what_is_named_by_stop_words_alone(archive, titles):
    archive("A band from London.", title="The Who")
    archive("A band from Liverpool.", title="The Beatles")
    assert titles("The Who") == ["The Who"]


def test_it_narrows_by_host_and_the_hosts_below_it(archive, titles):
    archive("One insurer here.", title="www", host="www.example.org")
    archive("One insurer there.", title="bare", host="example.org")
    archive("One insurer elsewhere.", title="other", host="notexample.org")
    archive("Nothing to see at all in here.", host="example.org")
    assert sorted(titles("insurer", host="Example.org")) == ["bare", "www"]
    assert titles("insurer", host="www.example.org") == ["www"]
    assert titles("insurer", host="ex%mple.org") == titles("insurer", host="' OR 1=1") == []


def test_it_narrows_by_language(archive, titles):
    archive("Der Versicherer ist in der Stadt und wird von der Aufsicht geprüft.", title="de")
    archive("The Versicherer is in the town and is supervised by the authority.", title="en")
    assert titles("Versicherer", language="de") == titles("Versicherer", language="de-CH") == ["de"]
    assert titles("Versicherer", language="fr") == []


def test_it_narrows_by_what_the_family_of_a_run_read(archive, titles):
    root, stranger = RunFactory(), RunFactory()
    child = RunFactory(parent=root, directive="one")
    read, other = archive("One insurer read.", title="read"), archive("One insurer more.", title="other")
    SourceFactory(run=root, document=read)
    SourceFactory(run=stranger, document=other)
    archive("Something without it.")
    for run in (root, child):
        assert titles("insurer", run=run.pk) == ["read"]
    assert titles("insurer", run=stranger.pk) == ["other"]
    assert titles("insurer", run=uuid.uuid4()) == []


def test_it_gives_pages_of_answers(archive, titles):
    for number in range(7):
        archive(f"Report number {number}.", title=str(number))
    archive("Something else.")
    every = titles("report", limit=100)
    assert len(every) == 7
    assert titles("report", limit=3) + titles("report", limit=3, offset=3) == every[:6]
    assert titles("report", limit=3, offset=7) == titles("report", limit=0) == []
    assert titles("report", limit=-1) == []
    assert titles("report", limit=3, offset=-5) == every[:3]


def test_a_deleted_document_is_not_found(archive, titles):
    gone = archive("The insurer that went.", title="gone")
    archive("The insurer that stayed.", title="stayed")
    archive("Something else.")
    assert sorted(titles("insurer")) == ["gone", "stayed"]
    Document.objects.filter(pk=gone.pk).delete()
    assert titles("insurer", limit=1) == ["stayed"]


@cases(
    "question",
    [
        '"', "'", '"insurer', "insurer'; DROP TABLE research_document; --", "NEAR(insurer, 2)", "title:insurer",
        "insurer AND NOT OR", "insurer*", "^insurer", "(insurer", "insurer {a b}", "-insurer", "insurer \\",
        "insurer 🦊", "insurer\0", "insurer \ud800", "insurer " * 2_000, "insurer " + "x" * 20_000,
        "insurer " + " ".join(f"word{number}" for number in range(1_000)), "%s insurer %(a)s", "insurer\u202e",
    ],
)  # fmt: skip
def test_any_text_is_a_question(archive, titles, question):
    archive("An insurer.", title="found")
    archive("Something else.")
    found = titles(question)
    assert found == (["found"] if "insurer" in question else [])


@cases("question", ["", " ", "!?", "🦊", "\0", "nowhereelse"])
def test_nothing_is_found_for_nothing(archive, titles, question):
    archive("An insurer.")
    assert titles(question) == []


def test_an_empty_archive_answers_nothing(db):
    assert search_documents("insurer") == []
