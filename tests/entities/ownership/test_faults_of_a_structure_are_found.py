"""What cannot be right in a structure is named, with the parties and the interests it is about."""

from dataclasses import replace
from datetime import date

from entities.ownership.findings import find_faults
from entities.ownership.interests import Structure
from tests.cases import cases
from tests.entities.ownership.structures import DAY, structure


def found(links, subject="T", **changes):
    given = structure(links)
    first, *others = given.interests
    dated = Structure(given.parties, (replace(first, **changes), *others), DAY)
    return [(finding.code, finding.gravity) for finding in find_faults(dated, subject)]


@cases(
    "links, expected",
    [
        ("P 70 T; Q 60 T", [("over-100", "fail")]),
        ("P 70 T; Q 30 T", []),
        ("P 70 T; Q (30,50] T", [("over-100", "fail")]),
        ("P 70 T; Q (25,50] T", []),
        (
            "P unknown 70 T; Q unknown 60 T",
            [("over-100", "warn")],
        ),  # joint holders of the UK are each stated whole
        ("P 70 H; Q 60 H; H 100 T", [("over-100", "fail")]),
        ("P votes 70 T; Q votes 60 T", [("over-100", "fail")]),
        ("P 100 T; P votes 70 T; Q votes 30 T", []),
        ("P 60 X; Q 50 Y; X 50 Y; Y 40 X; X 100 T", [("circle", "warn")]),
        ("P 90 T; T 10 T", [("owns-itself", "warn")]),
        ("H 100 P; P 100 T", [("owned-person", "fail")]),
    ],
)
def test_it_names_what_cannot_be(links, expected):
    assert found(links) == expected


@cases(
    "changes, code",
    [
        ({"start": date(2025, 2, 1), "end": date(2025, 1, 1)}, "reversed"),
        ({"stated_on": date(2027, 1, 1)}, "future"),
        ({"stated_on": date(2023, 1, 1)}, "stale"),
    ],
)
def test_it_names_dates_that_cannot_be_or_are_old(changes, code):
    assert [each for each, _ in found("P 60 T", **changes)] == [code]


def test_sources_that_disagree_are_named_with_what_they_say():
    given = structure("P 70 T; P 40 T")
    one, other = given.interests
    said = (replace(one, source="report 2025"), replace(other, source="report 2026"))
    (finding,) = find_faults(Structure(given.parties, said, DAY), "T")
    assert finding.code == "disagreement"
    assert finding.message.endswith("report 2025 says 70 %; report 2026 says 40 %.")


def test_the_message_names_those_who_hold_too_much():
    (finding,) = find_faults(structure("P 70 T; Q 60 T"), "T")
    assert finding.message == "130 % or more of the capital of T are held: P 70 %, Q 60 %."
    assert finding.interests == ("P 70 T", "Q 60 T")
