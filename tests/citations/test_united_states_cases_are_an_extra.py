"""eyecite sees the surroundings of United States reporters and nothing else."""

import pytest

from citations import us
from citations.extract import extract
from tests.citations.table import sentences

OPINION = "Roe v. Wade, 410 U.S. 113, 120 (1973). Id. at 125. Cf. BGE 142 III 239 E. 3; 347 F.2d 123 (2d Cir. 1965)."


@pytest.fixture
def eyecite():
    pytest.importorskip("eyecite", reason="the extra us is not installed")


@pytest.mark.usefixtures("eyecite")
def test_it_finds_cases_between_swiss_citations():
    found = [(m.kind, m.normalized, m.pinpoints) for m in us.extract_all(OPINION)]
    assert found == [
        ("us_case", "410 U.S. 113", ["S. 120"]),
        ("us_id", "410 U.S. 113", ["S. 125"]),
        ("bge", "BGE 142 III 239", ["E. 3"]),
        ("us_case", "347 F.2d 123", []),
    ]
    assert all(OPINION[m.start : m.end] == m.raw for m in us.extract_all(OPINION))


@pytest.mark.usefixtures("eyecite")
def test_swiss_text_stays_swiss():
    text = "\n".join(sentence.text for sentence in sentences())
    assert us.extract_all(text) == extract(text)
    assert us.extract_all(text + " U.S. 2d ") == extract(text + " U.S. 2d ")


def test_without_the_extra_nothing_is_missing_but_these(monkeypatch):
    monkeypatch.setattr(us, "available", lambda: False)
    assert [mention.kind for mention in us.extract_all(OPINION)] == ["bge"]
