"""The confidence of a finding: what its quotes and the verdicts on the report's claims allow, and no more."""

import pytest

from research.checks.quotes import QuotedSource
from research.engine.claims.claim import Claim, Judged
from research.engine.claims.quote_finder import QuoteFinder
from research.engine.deep.confidence import capped
from research.engine.deep.synthesis import Draft

CLAIM = "Mill AG employed 240 people in 2023."
PAGE = "Mill AG employed 240 people in 2023. The mill got a new roof of slate. It lies on the river."


def confidence(said="high", quotes=(), judged=(), claim=CLAIM, page=PAGE):
    finder = QuoteFinder(lambda number: QuotedSource(number, document=1, text=page))
    evidence = tuple({"pointer": "/findings/0/claim", "source": 1, "quote": quote} for quote in quotes)
    findings = ({"claim": claim, "sources": [1], "confidence": said},)
    verdicts = [Judged(Claim(1, 1, text, "positive", (1,)), finding) for text, finding in judged]
    draft = Draft("", findings, evidence, (), (), "HIGH")
    return capped(draft, verdicts, finder.look).findings[0]["confidence"]


@pytest.mark.parametrize(
    ("quotes", "judged", "allowed"),
    [
        (["Mill AG employed 240 people in 2023"], [], "high"),
        ([], [(CLAIM, "SUPPORTED")], "high"),
        ([], [("In 2023 Mill AG employed 240 people.", "SUPPORTED")], "high"),
        ([], [("The roof is new.", "SUPPORTED")], "medium"),
        ([], [], "medium"),
        (["The mill got a new roof of slate"], [], "medium"),
        ([], [(CLAIM, "PARTIALLY_SUPPORTED")], "medium"),
        ([], [(CLAIM, "UNKNOWN")], "medium"),
        (["Mill AG employed 240 people in 2023", "These words stand nowhere in the page"], [], "low"),
        (["Mill AG employed 240 people in 2023"], [(CLAIM, "CONTRADICTED")], "low"),
        ([], [(CLAIM, "UNSUPPORTED")], "low"),
    ],
)
def test_it_is_what_the_checks_allow(quotes, judged, allowed):
    assert confidence(quotes=quotes, judged=judged) == allowed


def test_it_is_lowered_and_never_raised():
    assert confidence("low", ["Mill AG employed 240 people in 2023"]) == "low"
    assert confidence("medium", ["Mill AG employed 240 people in 2023"]) == "medium"


def test_a_quote_that_says_the_opposite_makes_it_low():
    page = "Mill AG did not employ 240 people in 2023."
    assert confidence(quotes=[page.rstrip(".")], page=page) == "low"
