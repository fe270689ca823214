"""Every citation in a document, each at its own place; none in documents about companies."""

from datetime import date
from pathlib import Path

from citations.authority.bge import read_index
from citations.verify.judge import Lists
from research.checks.citations import MAX_CITATIONS, check_citations, find_citations
from research.macros.loader import load_macro
from research.macros.samples import samples
from tests.cases import cases
from tests.citations.locally import judge_locally

LIBRARY = Path(__file__).parents[2] / "research" / "macros" / "library"
INDEX = read_index({"max_volume": 152, "families": {"145|III": {"starts": [1, 225, 241], "window": 30}, "152|I": {"starts": [1], "window": 30}}})  # fmt: skip  # noqa: E501
LISTS = Lists(date(2026, 11, 21), INDEX, "2026-08-20")
COMPANY = {
    "name": "Allianz SE",
    "lei": "529900K9B0N5BT694847",
    "note": "Its LEI 529900K9B0N5BT694847 lapsed on 31.12.2024; section 5.1.1, § 3 of the terms, ISIN LU0000000009.",
    "registration": ["HRB 164232", "SC123456", "OC301234", "LB230045", "CHE-123.456.789", "B 123 456", "020 3045 2021"],
    "url": "https://doi.org/10.1000/xyz",
    "address": "Königinstr. 28, 80802 München; 4, rue A. Borschette L-1246",
    "figures": {"revenue": "161.7 billion", "ratio": "12/2024", "period": "Q3 2021/22"},
}  # fmt: skip


def judge(texts):
    return [judge_locally(mentions, LISTS, text) for text, mentions in texts]


def checked(data):
    return [(one.pointer, one.code, one.verdict, one.subject) for one in check_citations(data, judge)]


def test_each_citation_is_checked_where_it_stands():
    data = {"memo": {"holdings": ["Vgl. BGE 145 III 225.", "So BGE 147 VII 1 und Art. 97 OR."]}, "n": 3}
    assert checked(data) == [
        ("/memo/holdings/0", "existence", "pass", "BGE 145 III 225"),
        ("/memo/holdings/1", "existence", "fail", "BGE 147 VII 1"),
        ("/memo/holdings/1", "existence", "unknown", "Art. 97 OR"),
    ]


def test_a_finding_is_a_check_of_its_own():
    data = {"a~/b": "BGE 145 III 225 S. 300, vom 3. Mai 2005"}
    assert checked(data)[:2] == [
        ("/a~0~1b", "existence", "pass", "BGE 145 III 225"),
        ("/a~0~1b", "pinpoint", "warn", "BGE 145 III 225"),
    ]


def test_a_message_names_its_citation_and_what_is_near():
    [one] = check_citations({"a": "BGE 145 III 229"}, judge)
    assert one.message == (
        "No decision begins at BGE 145 III 229; the page may lie within BGE 145 III 225. "
        "Perhaps BGE 145 III 1, BGE 145 III 225, BGE 145 III 241."
    )
    assert (one.kind, one.as_of, one.evidence["verdict"]) == ("citation", "2026-08-20", "interior")


def test_the_same_twice_in_a_text_is_said_once_and_in_its_order():
    data = {"a": "BGE 147 VII 1, BGE 145 III 225, BGE 147 VII 1"}
    assert [subject for _, _, _, subject in checked(data)] == ["BGE 147 VII 1", "BGE 145 III 225"]


def test_a_document_about_a_company_cites_nothing():
    assert list(find_citations(COMPANY)) == []


@cases("path", sorted(LIBRARY.glob("*.yaml")), ids=lambda path: path.stem)
def test_no_macro_of_the_library_answers_with_what_looks_like_a_citation(path):
    definition = load_macro(path.read_text(encoding="utf-8"))
    documents = [data for _, data in samples(definition, definition.suggested_verbs or "")]
    assert [list(find_citations(data)) for data in documents] == [[]] * len(documents)


def test_the_act_on_foreigners_is_no_identifier_and_an_identifier_no_act():
    assert checked({"a": "Nach art. 30 LEI", "lei": "529900K9B0N5BT694847", "b": "LEI 30"}) == [
        ("/a", "existence", "unknown", "Art. 30 AIG")
    ]


def test_a_number_of_a_canton_counts_where_its_court_is_named():
    named = {"a": "Urteil des Obergerichts Zürich LB230045 vom 3. Mai 2023"}
    assert [subject for *_, subject in checked(named)] == ["OGer ZH LB230045"]
    assert checked({"a": "LB230045"}) == []


def test_there_is_an_end_and_it_is_told():
    data = {"a": "; ".join(f"BGE 145 III {page}" for page in range(1, MAX_CITATIONS + 2)), "b": "Art. 1 OR"}
    found = check_citations(data, judge)
    assert len(found) == MAX_CITATIONS + 1
    assert (found[-1].verdict, found[-1].pointer) == ("unknown", "")
    exactly = {"a": "; ".join(f"BGE 145 III {page}" for page in range(1, MAX_CITATIONS + 1))}
    assert len(check_citations(exactly, judge)) == MAX_CITATIONS


@cases("data", [None, 3, [], {}, "", ["x"], {"a": [None, {"b": "\x00\ud800"}]}])
def test_any_document_is_survived(data):
    assert checked(data) == []
