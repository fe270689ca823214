import pytest
from django.contrib.auth.models import Permission

from research.admin.gate.quotes import QuoteNote, backing
from research.checks.verdict import Verdict
from research.models import Source
from research.services.reviews import preview_edits
from tests.factories import ALL_RIGHTS, DocumentFactory, SourceFactory, UserFactory, store_checks

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"
PAGE = f"Before it. Allianz SE is the head of the group. {HOSTILE} stands here too. After it."


@pytest.fixture
def quoted(make_result):
    """A result whose head is quoted from a page."""

    def make(*quotes):
        evidence = [{"pointer": place, "source": 2, "quote": quote} for place, quote in quotes]
        result = make_result(evidence=evidence)
        SourceFactory(
            run=result.run, number=2, document=DocumentFactory(text=PAGE), title=HOSTILE, warnings=[HOSTILE]
        )
        result.checks.all().delete()
        store_checks(result, preview_edits(result=result).checks)
        return result

    return make


def shown(client, result, person):
    client.force_login(person)
    answer = client.get(f"/admin/research/researchresult/{result.pk}/review/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_quote_is_shown_with_its_passage_in_its_context(client, quoted, reviewer):
    text = shown(client, quoted(("/head/name", "Allianz SE is the head of the group.")), reviewer)
    assert "Before it. <mark>Allianz SE is the head of the group.</mark>" in text
    assert "found word for word" in text
    assert "The quote states this very value." in text


def test_it_leads_to_the_passage_only_those_who_may_see_documents(client, quoted, reviewer):
    result = quoted(("/head/name", "Allianz SE is the head of the group."))
    document = Source.objects.get(number=2).document
    link = f'href="/admin/research/document/{document.pk}/change/?from=11&amp;to=47#passage"'
    assert link in shown(client, result, reviewer)
    outsider = UserFactory(rights=[right for right in ALL_RIGHTS if right != "view_document"])
    assert not outsider.has_perm("research.view_document")
    assert Permission.objects.filter(codename="view_document").exists()
    assert f"/admin/research/document/{document.pk}/" not in shown(client, result, outsider)


def test_hostile_text_in_quotes_and_sources_stays_text(client, quoted, reviewer):
    text = shown(
        client, quoted(("/head/name", f"{HOSTILE} stands here too."), ("/head/lei", HOSTILE)), reviewer
    )
    assert HOSTILE not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; stands here" in text


def test_what_the_quote_leaves_out_is_not_marked(client, quoted, reviewer):
    text = shown(client, quoted(("/head/name", "Allianz SE is […] of the group.")), reviewer)
    assert "<mark>Allianz SE is</mark> the head <mark>of the group.</mark>" in text


def test_the_top_counts_what_is_backed(client, quoted, reviewer):
    text = shown(
        client,
        quoted(("/head/name", "Allianz SE is the head of the group."), ("/note", "not there")),
        reviewer,
    )
    assert "<strong>2 of 10</strong> claims quoted, <strong>1</strong> found" in text
    assert "1 quote not borne out" in text


def test_a_register_result_is_not_nagged_for_quotes(client, result, reviewer):
    text = shown(client, result, reviewer)
    assert "Read from the register" not in text, "no check has traced its values"
    assert "claims quoted" not in text


def test_pages_without_quotes_are_told_about(client, quoted, reviewer):
    text = shown(client, quoted(), reviewer)
    assert "<strong>no quotes</strong> were given" in text


def test_a_quote_without_a_field_is_shown_at_the_top(client, quoted, reviewer):
    text = shown(client, quoted(("/nothing", "Allianz SE is the head of the group.")), reviewer)
    assert "Quotes without a field" in text
    assert "which the document has not" in text


def test_a_source_says_how_its_quotes_fared(client, quoted, reviewer):
    text = shown(
        client,
        quoted(("/head/name", "Allianz SE is the head of the group."), ("/note", "not there")),
        reviewer,
    )
    assert "1 quote found" in text
    assert "1 not</span>" in text


def verdict(word, code="found"):
    return Verdict("quote", code, "/a", "", word, "", {"source": 1})


@pytest.mark.parametrize(
    ("words", "counts", "state"),
    [
        (["pass"], (1, 1, 1), "ok"),
        (["pass"], (2, 1, 1), "part"),
        (["warn"], (1, 1, 1), "ok"),
        (["pass", "fail"], (1, 1, 1), "bad"),
        (["unknown"], (1, 1, 0), "part"),
        ([], (3, 0, 0), "bad"),
    ],
)
def test_the_state_of_the_whole(words, counts, state):
    coverage = dict(zip(("claims", "quoted", "found"), counts, strict=True))
    assert backing(coverage, list(map(verdict, words)), []).state == state


@pytest.mark.parametrize(
    "evidence", [{}, {"source": 1}, {"start": None, "passage": None}, {"document": "x", "start": 1}]
)
def test_evidence_without_a_place_is_shown_without_a_passage(evidence):
    note = QuoteNote(Verdict("quote", "not-found", "", "", "fail", "No.", evidence))
    assert (note.pieces, note.link, note.before, note.after) == ([], "", "", "")
