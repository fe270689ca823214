"""Verdicts on the ownership a document states."""

from datetime import date

from research.checks.ownership import check_ownership
from tests.cases import cases

TODAY = date(2026, 1, 2)


def row(owner, owned, percentage=None, **more):
    return {"owner_name": owner, "owned_entity": owned, "percentage": percentage, **more}


def verdicts(*rows):
    found = check_ownership({"ownership_chain": list(rows)}, today=TODAY)
    return [(each.code, each.verdict, each.pointer) for each in found]


def test_shares_of_one_company_that_are_more_than_all_of_it_fail_at_each_of_them():
    assert verdicts(row("A", "T", 70), row("B", "t ", 60), row("C", "A", 50)) == [
        ("over-100", "fail", "/ownership_chain/0/percentage"),
        ("over-100", "fail", "/ownership_chain/1/percentage"),
    ]


def test_shares_that_can_be_pass_once():
    assert verdicts(row("A", "T", 70), row("B", "T", 30)) == [("shares", "pass", "")]


@cases(
    "rows, code, word",
    [
        ([row("T", "T", 10)], "owns-itself", "warn"),
        ([row("A", "B", 60), row("B", "A", 60)], "circle", "warn"),
        ([row("A", "T", 60, is_natural_person=True), row("B", "A", 10)], "owned-person", "fail"),
        ([row("A", "T", "sixty")], "share", "fail"),
        ([row("A", "T", 160)], "share", "fail"),
        ([row("A", "T", -1)], "share", "fail"),
        ([row("A", "T", True)], "share", "fail"),
        ([row("A", "T", "60 %"), row("B", "T", "50")], "over-100", "fail"),
    ],
)
def test_what_cannot_be_is_named(rows, code, word):
    assert {each[:2] for each in verdicts(*rows)} == {(code, word)}


@cases(
    "rows",
    [
        [row("A", "T", 70), row("B", "T", 60, relationship_type="voting_rights")],
        [row("A", "T", 70), row("B", "T", 60, relationship_type="indirect_ownership")],
        [row("A", "T", 70), row("B", "T", relationship_type="board_control")],
        [row("A", "T"), row("B", "T", "")],
    ],
)
def test_shares_of_different_kinds_are_not_added(rows):
    assert verdicts(*rows) == [("shares", "pass", "")]


def test_the_same_owner_stated_twice_must_be_stated_alike():
    assert verdicts(row("A", "T", 70), row("A", "T", 70)) == [("shares", "pass", "")]
    found = check_ownership([row("A", "T", 70), row("A", "T", 40)], today=TODAY)
    assert {(each.code, each.verdict) for each in found} == {("disagreement", "warn")}
    assert found[0].message.endswith("statement 1 says 70 %; statement 2 says 40 %.")


@cases(
    "data",
    [None, [], "text", {"owner": "A"}, {"owner": {"name": "A"}, "owned": "T"}, {"ownership_chain": [1]}],
)
def test_a_document_that_states_no_ownership_has_no_verdict(data):
    assert check_ownership(data, today=TODAY) == []


def test_thousands_of_statements_are_bounded():
    found = verdicts(*(row(f"H{number}", "T", 0.001) for number in range(5_001)))
    assert found == [("too-many", "unknown", "")]
