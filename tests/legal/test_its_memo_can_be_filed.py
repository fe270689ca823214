"""What the legal researcher found becomes a memo that can be filed; its marks are those of the stored checks."""

from io import BytesIO

import docx
import pytest
from pypdf import PdfReader

from citations.extract import extract
from citations.services.verification import verify
from research.memo.labels import LANGUAGES, labels_for
from research.models import ResearchResult
from research.services.memos import compose_memo
from tests.legal.conftest import work

pytestmark = pytest.mark.django_db
QUOTE = "Die Mängelhaftung im Werkvertrag setzt voraus, dass das Werk vom Vertrag abweicht"


@pytest.fixture
def result(courts, acts, commentaries, ask):
    return ResearchResult.objects.get(run=work(ask(autonomy="autonomous")))


def test_it_says_of_each_work_whether_it_was_verified(result):
    text = bytes(compose_memo(result=result, language="de").body).decode()
    cited = text.partition("## Fundstellen")[2].partition("\n## ")[0]
    assert "**BGE 130 III 362**" in cited
    assert "✓ geprüft (entscheidsuche, Stand " in cited
    assert "**BGE 118 II 142** ? ungeprüft\n" in cited
    assert cited.count("130 III 362**") == 1
    assert "Autonomy" not in text.partition("## Feststellungen")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_passages_stay_word_for_word_in_every_language(result, language):
    text = bytes(compose_memo(result=result, language=language).body).decode()
    assert QUOTE in text
    assert f"## {labels_for(language)('citations')}" in text


def test_it_is_set_as_pdf_and_docx_with_its_footnotes(result):
    pdf = PdfReader(BytesIO(bytes(compose_memo(result=result, format="pdf", language="de").body)))
    assert any("BGE 130 III 362 E. 4.2: ✓ geprüft" in page.extract_text() for page in pdf.pages)
    word = docx.Document(BytesIO(bytes(compose_memo(result=result, format="docx", language="de").body)))
    assert QUOTE in "\n".join(
        paragraph.text for paragraph in word.paragraphs if paragraph.style.name == "Quote"
    )


def test_an_article_that_was_read_is_a_check_that_passes(result):
    checks = result.checks.filter(subject="Art. 363 OR", code="existence")
    assert {(one.verdict, one.evidence["source"]) for one in checks} == {("pass", "fedlex")}
    assert "has this article in the version in force since 2025-01-01" in checks[0].message


def test_a_paragraph_of_it_too(result):
    (judged,) = verify(extract("Art. 363 Abs. 1 OR"))
    assert (judged.standing.verdict, judged.standing.authority) == ("exists", "fedlex")
    (other,) = verify(extract("Art. 1 OR"))
    assert other.standing.reason == "act_known"


def test_a_commentary_is_not_the_article_that_it_is_on(result):
    text = bytes(compose_memo(result=result, language="de").body).decode()
    cited = text.partition("## Fundstellen")[2].partition("\n## ")[0]
    (article,) = [line for line in cited.splitlines() if "**Art. 363 OR**" in line]
    (commentary,) = [line for line in cited.splitlines() if "OK-MUSTER, Art. 363 OR" in line]
    assert "(fedlex, Stand " in article
    assert "fedlex" not in commentary
    assert "ungeprüft" in commentary  # listed, and its text was not opened


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_quoted_in_a_sentence_stays_word_for_word_while_its_own_citations_are_converted(
    result, language
):
    text = bytes(compose_memo(result=result, language=language).body).decode()
    said = [line for line in text.splitlines() if "hält wörtlich fest" in line and QUOTE in line]
    assert said
    assert all(
        "den Mangel rechtzeitig rügt (Art. 367 Abs. 1 OR; BGE 118 II 142 E. 3b)" in line for line in said
    )
    named = {"fr": "ATF 130 III 362 consid. 4.2", "it": "DTF 130 III 362 consid. 4.2"}
    assert all(named.get(language, "BGE 130 III 362") in line for line in said)


def test_a_court_is_called_the_same_whoever_named_it(result):
    text = bytes(compose_memo(result=result, language="fr").body).decode()
    chain = text.partition("## Évolution de la jurisprudence")[2].partition("\n## ")[0]
    assert "(recueil officiel, 1992)" in chain
    assert "(recueil officiel, 2004)" in chain
