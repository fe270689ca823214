"""A report numbers its sources in reading order, the run as they came; a person sees one numbering."""

from research.review.numbering import renumbered, shown_numbers

DATA = {"sources": [{"number": 1, "url": "https://b.test"}, {"number": 2, "url": "https://a.test"}]}
RUN = [(1, "https://a.test"), (2, "https://x.test"), (3, "https://b.test"), (4, "https://y.test")]


def test_the_numbers_of_the_document_come_first():
    assert shown_numbers(DATA, RUN) == {1: 2, 2: 3, 3: 1, 4: 4}


def test_a_document_without_numbers_keeps_those_of_the_run():
    assert shown_numbers({"name": "x"}, RUN) == {}
    assert shown_numbers({"sources": ["https://a.test"]}, RUN) == {}
    assert shown_numbers(["x"], RUN) == {}


def test_the_same_numbers_need_no_change():
    assert shown_numbers({"sources": [{"number": 1, "url": "https://a.test"}]}, RUN[:1]) == {}


def test_a_quote_names_its_source_as_the_document_does():
    check = {
        "kind": "quote",
        "message": "The quote says 3, but source 1 says 4; Source 3 is silent in 2019.",
        "evidence": {"source": 1, "quote": "source 1"},
    }
    assert renumbered(check, {1: 2, 3: 1}) == {
        "kind": "quote",
        "message": "The quote says 3, but source 2 says 4; Source 1 is silent in 2019.",
        "evidence": {"source": 2, "quote": "source 1"},
    }


def test_other_checks_are_left_alone():
    check = {"kind": "lei", "message": "source 1", "evidence": {"source": 1}}
    assert renumbered(check, {1: 2}) is check
