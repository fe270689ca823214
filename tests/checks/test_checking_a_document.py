"""All checks of a document together."""

from datetime import date

from entities.gleif.errors import GleifUnavailable
from research.checks.run import check_data
from research.checks.verdict import Verdict, clipped, worst

TODAY = date(2026, 1, 2)


class BrokenRegister:
    as_of = ""

    def records(self, leis):
        raise GleifUnavailable("The register is down.")


def test_schema_verdicts_come_before_those_of_leis():
    schema = {"required": ["name"]}
    found = check_data({"lei": "529900K9B0N5BT694847"}, schema, BrokenRegister(), today=TODAY)
    assert [verdict.kind for verdict in found][:2] == ["schema", "lei"]
    assert found[0].verdict == "fail"


def test_it_checks_leis_of_data_that_breaks_the_schema_and_never_raises():
    found = check_data([{"lei": "529900K9B0N5BT694847"}], {"type": "object"}, BrokenRegister(), today=TODAY)
    assert {verdict.verdict for verdict in found if verdict.code == "existence"} == {"unknown"}


def test_the_gravest_verdict_counts():
    def verdict(answer):
        return Verdict("lei", "name", "", "", answer, "")

    assert worst([]) == "pass"
    assert worst(map(verdict, ["pass", "warn"])) == "warn"
    assert worst(map(verdict, ["warn", "unknown"])) == "unknown"
    assert worst(map(verdict, ["unknown", "fail", "pass"])) == "fail"


def test_a_quoted_value_is_one_short_line():
    assert clipped("a\n  b\tc") == "a b c"
    assert clipped("x" * 500, 10) == "x" * 9 + "…"
    assert [clipped(value) for value in (None, True, 1.5, {}, [])] == [
        "null",
        "true",
        "1.5",
        "an object",
        "a list",
    ]
