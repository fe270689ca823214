"""The outcome of a search by name: one, several or none, and why."""

from dataclasses import replace

from entities.gleif.finding import find_by_name, settle
from entities.gleif.ranking import Match
from entities.gleif.records import Record
from entities.gleif.register import demo_register
from entities.names.matching import NameVariant
from tests.cases import cases


def match(lei, score, place="DE", status="ISSUED", name="Muster AG"):
    record = Record(
        lei=lei,
        names=(NameVariant(name),),
        legal_name=name,
        jurisdiction=place,
        registration_status=status,
    )
    return Match(record, score, NameVariant(name), "")


@cases(
    ("matches", "kind", "code", "leis"),
    [
        ([], "none", "nothing_alike", ()),
        ([match("A", 84.9)], "none", "low_score", ()),
        ([match("A", 85.0)], "one", "score", ("A",)),
        ([match("A", 100), match("B", 98)], "one", "score", ("A",)),
        ([match("A", 100), match("B", 98.5)], "several", "margin", ("A", "B")),
        ([match("A", 100), match("B", 100)], "several", "same_score", ("A", "B")),
        ([match("A", 100), match("B", 100, "AT")], "several", "jurisdictions", ("A", "B")),
        ([match("A", 100), match("B", 100, status="RETIRED")], "one", "score", ("A",)),
        ([match("A", 100, status="RETIRED"), match("B", 99)], "one", "score", ("B",)),
        ([match("A", 100, status="MERGED"), match("B", 100, status="RETIRED")], "several", "same_score", ("A", "B")),
        ([match("A", 100, status="RETIRED"), match("B", 90)], "one", "score", ("A",)),
        ([match("A", 90), match("B", 93)], "one", "score", ("B",)),
    ],
)  # fmt: skip
def test_it_tells_one_from_several_and_none(matches, kind, code, leis):
    found = settle(matches)
    assert (found.kind, found.code, found.leis) == (kind, code, leis)
    assert found.message.endswith(".")


def test_the_sentence_names_the_places_that_tell_them_apart():
    found = settle([match("A", 100), match("B", 100, "AT"), match("C", 100, "")])
    assert "in AT, DE, an unknown place" in found.message


def test_the_sentence_says_by_how_much_one_leads_and_over_what():
    second = match("B", 84, name="Muster Bank AG")
    assert settle([match("A", 100), second]).message == (
        "“Muster AG” scores 100 of 100; the next is “Muster Bank AG” with 84."
    )
    ended = replace(second, record=replace(second.record, entity_status="INACTIVE"))
    assert "which is no longer in force" in settle([match("A", 100), ended]).message


def test_a_long_name_does_not_make_a_long_sentence():
    assert len(settle([match("A", 100, name="x" * 10_000)]).message) < 300


@cases(
    ("name", "where", "kind"),
    [
        ("Allianz SE", None, "one"),
        ("Allianz Pensionskasse Aktiengesellschaft", None, "several"),
        ("Allianz Pensionskasse Aktiengesellschaft", "AT", "one"),
        ("Allianz Global Investors GmbH", None, "one"),
        ("qqqqzzzzxxxx", None, "none"),
    ],
)
def test_names_of_the_demo_register_have_the_outcome_a_person_expects(name, where, kind):
    assert find_by_name(name, register=demo_register(), jurisdiction=where).outcome.kind == kind


def test_how_few_are_wanted_does_not_change_the_outcome():
    found = find_by_name("Allianz Pensionskasse Aktiengesellschaft", register=demo_register(), limit=1)
    assert (found.outcome.kind, len(found.matches)) == ("several", 1)
