"""A deep run whose report says in its own words what a page says: the model is asked once, and not believed blindly."""

import pytest

from research.models import ResearchResult
from tests.deep.conftest import work
from tests.deep.newsroom import Sage, report

pytestmark = pytest.mark.django_db
CLAIM = "Mill AG has a workforce of 240."


def reworded(request):
    """The report, with the staff in other words than the page has."""
    usual = report(request)
    return {**usual, "report": usual["report"].replace("Mill AG employs 240 people", CLAIM.rstrip("."))}


def verdict_of(ask, rendering):
    sage = Sage(
        report=reworded,
        words={
            "statements": [
                {"statement": n, "words": [{"word": "workforce", "in_the_quote": rendering}]}
                for n in (1, 2, 3)
            ]
        },
    )
    result = ResearchResult.objects.get(run=work(ask(sage)))
    return result.checks.get(kind="claim", subject=CLAIM), sage.asked.count("words")


@pytest.mark.parametrize(
    ("rendering", "verdict"),
    [("people work", "pass"), ("Mill AG", "unknown"), ("river", "unknown"), ("", "unknown")],
)
def test_it_is_supported_where_the_words_mean_the_same(ask, rendering, verdict):
    check, asked = verdict_of(ask, rendering)
    assert (check.verdict, asked) == (verdict, 1), check.message


def test_nobody_is_asked_where_the_words_are_the_same(ask):
    sage = Sage()
    work(ask(sage))
    assert "words" not in sage.asked
