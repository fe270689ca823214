"""Statutes: with an article index for the act, and without."""

from datetime import date

import pytest

from citations.extract import extract
from citations.verify.judge import Lists
from citations.verify.statutes import ActArticles
from tests.cases import cases
from tests.citations.locally import judge_locally

CODE = ActArticles(
    {"1": False, "97": False, "98": False, "109": False, "336c": False, "10": True}, "2026-01-01"
)
WITH = Lists(date(2026, 11, 21), articles=lambda number: CODE if number == "220" else None)
WITHOUT = Lists(date(2026, 11, 21))


def judged(text, lists=WITH):
    [one] = judge_locally(extract(text), lists, text)
    return one


@cases(
    ("text", "verdict", "reason", "check"),
    [
        ("Art. 97 Abs. 1 OR", "exists", "article", "pass"),
        ("art. 97 al. 1 CO", "exists", "article", "pass"),
        ("Art. 336c OR", "exists", "article", "pass"),
        ("Art. 97-109 OR", "exists", "article", "pass"),
        ("Art. 97-110 OR", "nonexistent", "article", "fail"),
        ("Art. 9999 OR", "nonexistent", "article", "fail"),
        ("Art. 97 ZGB", "unknown", "act_known", "unknown"),
        ("Art. 97 Abs. 1 ORG", "unknown", "unknown_act", "unknown"),
        ("Art. 5 VRPG/BE", "unknown", "cantonal_act", "unknown"),
        ("art. 30 LEI", "unknown", "act_known", "unknown"),
    ],
)
def test_it_says_how_an_article_stands(text, verdict, reason, check):
    one = judged(text)
    assert (one.standing.verdict, one.standing.reason, one.check) == (verdict, reason, check)


def test_without_an_index_no_article_is_said_not_to_exist():
    one = judged("Art. 9999 OR", WITHOUT)
    assert (one.standing.verdict, one.standing.reason) == ("unknown", "act_known")
    assert "SR 220" in one.standing.message


def test_the_abbreviation_lei_is_the_act_on_foreigners():
    assert judged("art. 30 LEI").standing.evidence["sr"] == "142.20"


def test_it_names_the_articles_nearby():
    assert judged("Art. 99 OR").standing.suggestions == ("Art. 97 OR", "Art. 98 OR", "Art. 109 OR")


@pytest.mark.parametrize(("text", "word"), [("Art. 97 aOR", "former law"), ("Art. 10 OR", "repealed")])
def test_law_that_is_not_in_force_is_flagged(text, word):
    [finding] = judged(text).findings
    assert (finding.code, finding.check) == ("law", "warn")
    assert word in finding.message
