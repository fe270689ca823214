"""What kind of publisher stands behind an address, and how much a text has to do with a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.web.search.quality import HIGH, LOW, MEDIUM, relevance, tier
from tests.cases import cases

TIERS = [
    ("https://www.sec.gov/edgar", "general", "high"),
    ("https://find-and-update.company-information.service.gov.uk/", "general", "high"),
    ("https://www.fedlex.admin.ch/eli", "general", "high"),
    ("https://eur-lex.europa.eu/", "general", "high"),
    ("https://www.unimelb.edu.au/", "general", "high"),
    ("https://www.ox.ac.uk/", "general", "high"),
    ("https://search.gleif.org/", "general", "high"),
    ("https://www.bger.ch/", "academic", "high"),
    ("https://www.gov.uk/", "general", "high"),
    ("HTTPS://WWW.SEC.GOV./x", "general", "high"),
    ("https://www.nature.com/articles/1", "academic", "high"),
    ("https://www.nature.com/articles/1", "general", "unknown"),
    ("https://docs.python.org/3/", "technical", "high"),
    ("https://docs.python.org/3/", "general", "unknown"),
    ("https://arxiv.org/abs/1", "academic", "medium"),
    ("https://www.reuters.com/", "general", "medium"),
    ("https://www.reuters.com/", "academic", "medium"),
    ("https://de.wikipedia.org/wiki/X", "general", "medium"),
    ("https://github.com/x", "technical", "medium"),
    ("https://old.reddit.com/r/x", "general", "low"),
    ("https://alice.blogspot.com/", "general", "low"),
    ("https://x.com/who", "technical", "low"),
    ("https://www.allianz.com/", "general", "unknown"),
    ("https://sec.gov.example.com/", "general", "unknown"),
    ("https://notnature.com/", "academic", "unknown"),
    ("https://evilgov/", "general", "unknown"),
    ("https://netflix.com/", "general", "unknown"),
    ("http://192.0.2.1/", "general", "unknown"),
    ("https://user:pw@www.sec.gov/", "general", "unknown"),
    ("javascript:alert(1)", "general", "unknown"),
    ("", "general", "unknown"),
]


@cases(("url", "mode", "expected"), TIERS)
def test_a_publisher_has_a_tier(url, mode, expected):
    assert tier(url, mode) == expected


@given(st.text(max_size=60))
def test_no_text_is_too_odd_to_be_an_address(text):
    assert tier(text) in {"high", "medium", "low", "unknown"}
    assert tier(f"https://{text}/") in {"high", "medium", "low", "unknown"}


@pytest.mark.parametrize("mode", sorted(HIGH))
def test_nobody_is_in_two_tiers(mode):
    high, medium = HIGH["general"] | HIGH[mode], MEDIUM["general"] | MEDIUM[mode]
    assert not high & medium
    assert not (high | medium) & LOW


RELEVANCE = [
    ("Who owns Allianz SE?", "Allianz SE is owned by many.", 0.667),
    ("allianz", "ALLIANZ", 1.0),
    ("allianz", "nothing of the kind", 0.0),
    ("wer ist der Eigentümer", "Der Eigentümer ist bekannt", 1.0),
    ("the who", "The Who is a band", 1.0),
    ("", "text", 0.0),
    ("?!", "text", 0.0),
]


@cases(("question", "text", "expected"), RELEVANCE)
def test_relevance_is_the_share_of_the_words_asked_for(question, text, expected):
    assert relevance(question, text) == expected


@given(st.text(max_size=80), st.text(max_size=80))
def test_relevance_lies_between_nothing_and_all(question, text):
    assert 0 <= relevance(question, text) <= 1
    assert relevance(question, f"{text} {question}") in {0, 1}
