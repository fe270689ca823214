"""An assessment: who reaches the threshold, who may, what would settle it, where chains end, what it rests on."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from entities.ownership.assessment import assess
from entities.ownership.ends import EndReason
from entities.ownership.interests import Party, PartyKind, UnspecifiedReason
from entities.ownership.thresholds import UnknownThreshold, threshold, threshold_for, thresholds
from tests.cases import cases
from tests.entities.ownership.structures import DAY, structure


def answers(links, rule, subject="T", **parties):
    found = assess(structure(links, **parties), subject, threshold(rule))
    return found.answer, {owner.party.id: owner.answer for owner in found.owners}


def test_a_source_that_speaks_later_of_the_day_is_no_fault():
    given = structure("P 60 T; Q 40 T")
    later = replace(given.interests[0], stated_on=DAY + timedelta(days=90))
    found = assess(replace(given, interests=(later, given.interests[1])), "T", threshold("eu-amlr"))
    assert found.findings == ()


def ends(links, **parties):
    found = assess(structure(links, **parties), "T", threshold("eu-amlr"))
    return [(end.party.id, end.reason, str(end.share)) for end in found.ends]


@cases(
    "links, amlr, psc",
    [
        ("P 25 T; Q 75 T", "met", "not met"),  # 25 or more, more than 25
        ("P 24.99 T; Q 75.01 T", "not met", "not met"),
        ("P 60 H; H 40 T; Q 60 T", "not met", "met"),
        ("P 50 H; H 50 T; Q 50 T; Q 50 H", "met", "not met"),
        ("P (25,50] T; Q 50 T", "met", "met"),
        ("P [25,50] T; Q 50 T", "met", "undecided"),
        ("P (25,50] H; H (50,75] T; Q 25 T; Q 50 H", "undecided", "not met"),
        ("P T; Q 50 T", "undecided", "undecided"),
        ("P T; Q 80 T", "not met", "not met"),
        ("P profit 30 T; Q 100 T", "met", "not met"),
        ("P appointmentOfBoard T; Q 100 T", "met", "met"),
    ],
)
def test_the_same_structure_is_answered_by_each_rule(links, amlr, psc):
    assert answers(links, "eu-amlr")[1]["P"] == amlr
    assert answers(links, "uk-psc")[1]["P"] == psc


def test_it_names_the_fact_that_would_settle_it():
    found = assess(structure("P (20,30] T; Q 60 T; R 10 T"), "T", threshold("eu-amlr"))
    doubtful = next(owner for owner in found.owners if owner.answer == "undecided")
    assert doubtful.settled_by == ("the exact shareholding of P in T (now more than 20 to 30 %)",)


def test_control_without_ownership_is_named_with_whom_it_goes_through():
    found = assess(structure("P 60 H; H appointmentOfBoard T; Q 100 T"), "T", threshold("uk-psc"))
    controller = next(owner for owner in found.owners if owner.party.id == "P")
    assert controller.controls == "appointmentOfBoard through H"
    assert controller.chain == ("P", "H", "T")


def test_nobody_reaches_it_only_if_nobody_can_be_hidden():
    assert answers("P 10 T; Q 90 T", "eu-amlr")[0] == "met"
    assert answers("P 20 T; Q 20 T; R 20 T; S 20 T; Z 20 T", "eu-amlr")[0] == "not met"
    assert answers("P 20 T; Q 20 T; H 60 T", "eu-amlr")[0] == "undecided"


def test_each_chain_ends_with_its_reason():
    listed = Party("L", "L", listed=True)
    asked = Party("A", "A", looked_for=date(2026, 1, 5))
    state = Party("V", "V", PartyKind.STATE)
    nobody = Party("?", "nobody", PartyKind.UNKNOWN, UnspecifiedReason.NO_BENEFICIAL_OWNERS)
    found = ends("P 10 T; L 20 T; A 30 T; V 15 T; H 25 T; ? H", L=listed, A=asked, V=state, **{"?": nobody})
    assert found == [
        ("A", EndReason.NOT_DISCLOSED, "30 %"),
        ("?", EndReason.DISPERSED, "more than 0 to 25 %"),
        ("L", EndReason.LISTED, "20 %"),
        ("V", EndReason.STATE, "15 %"),
        ("P", EndReason.NATURAL_PERSON, "10 %"),
    ]


def test_the_unknown_rest_of_a_company_is_an_end_of_its_own():
    assert ends("P 60 H; H 50 T; Q 50 T") == [
        ("Q", EndReason.NATURAL_PERSON, "50 %"),
        ("P", EndReason.NATURAL_PERSON, "30 %"),
        ("H", EndReason.NOT_LOOKED_FOR, "20 %"),
    ]


def test_a_subject_nobody_has_asked_about_is_one_gap():
    found = assess(structure("", T=Party("T", "T")), "T", threshold("uk-psc"))
    assert [(end.party.id, end.reason) for end in found.ends] == [("T", EndReason.NOT_LOOKED_FOR)]
    assert (found.answer, len(found.gaps)) == ("undecided", 1)


def test_it_says_what_it_rests_on():
    found = assess(structure("P 60 H; H 40 T; X 100 Y"), "T", threshold("de-gwg"))
    assert (found.rule.name, found.as_of, len(found.inputs)) == ("de-gwg", DAY, 2)
    assert found.assumptions == (
        "The votes of H are not stated; they are taken to go with its capital.",
        "The votes of T are not stated; they are taken to go with its capital.",
    )


@cases(
    "jurisdiction, day, name",
    [
        ("DE", DAY, "de-gwg"),
        ("DE", date(2027, 7, 10), "eu-amlr"),
        ("FR", DAY, "eu-amld"),
        ("FR", date(2027, 7, 9), "eu-amld"),
        ("GB", DAY, "uk-psc"),
        ("CH", DAY, "ch"),
        ("US-DE", DAY, "us-cdd"),
        ("", DAY, "eu-amlr"),
        ("JP", DAY, "eu-amlr"),
    ],
)
def test_the_rule_is_that_of_the_jurisdiction_on_the_day(jurisdiction, day, name):
    assert threshold_for(jurisdiction, day).name == name


def test_every_rule_names_its_source_and_an_unknown_one_is_refused():
    assert all(rule.source and rule.dimensions and 0 < rule.share <= 100 for rule in thresholds().values())
    with pytest.raises(UnknownThreshold, match="uk-psc"):
        threshold("usury")
