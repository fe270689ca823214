"""BODS 0.4 out and in: the shape that the standard requires, and what it does not forbid although it cannot be."""

import json
from datetime import date

import pytest

from entities.ownership.assessment import assess
from entities.ownership.bods import BadStatement, Relation, read_statement, statements_in, write_bods
from entities.ownership.interests import (
    Interest,
    InterestType,
    Party,
    PartyKind,
    Structure,
    UnspecifiedReason,
)
from entities.ownership.thresholds import threshold
from tests.cases import cases
from tests.entities.ownership.structures import DAY, share, structure

STRUCTURE = (
    "P 60 H; P votes (50,75] H; H 100 T; Q (25,50] H; ? H; R appointmentOfBoard T;"
    " F 0.5 T; S beneficiaryOfLegalArrangement F"
)
DETAILS = {
    "entity": {"isComponent", "entityType"},
    "person": {"isComponent", "personType"},
    "relationship": {"isComponent", "subject", "interestedParty"},
}


def written(text=STRUCTURE, **options):
    given = structure(text)
    return write_bods(given, assess(given, "T", threshold("uk-psc")), today=DAY, **options)


def by_type(statements, type):
    return [each["recordDetails"] for each in statements if each["recordType"] == type]


def statement(type="relationship", **details):
    return {
        "statementId": "x" * 32,
        "statementDate": "2026-01-01",
        "declarationSubject": "t",
        "recordId": "r",
        "recordType": type,
        "recordDetails": {"isComponent": False, **details},
    }


def relationship(**interest):
    return statement(subject="t", interestedParty="p", interests=[interest])


def test_each_statement_has_what_the_standard_requires():
    statements = written()
    assert len({each["statementId"] for each in statements}) == len(statements)
    assert len({each["recordId"] for each in statements}) == len(statements)
    for each in statements:
        assert 32 <= len(each["statementId"]) <= 64
        assert {"statementDate", "declarationSubject", "recordId", "recordStatus"} <= each.keys()
        assert DETAILS[each["recordType"]] <= each["recordDetails"].keys()
        assert each["publicationDetails"]["bodsVersion"] == "0.4"
        assert each["publicationDetails"]["publisher"]["name"]


def test_components_stand_before_the_relationship_that_they_make():
    statements = written()
    places = {each["recordId"]: place for place, each in enumerate(statements)}
    primaries = [each for each in statements if each["recordDetails"].get("componentRecords")]
    assert primaries
    for primary in primaries:
        assert primary["recordDetails"]["isComponent"] is False
        for record in primary["recordDetails"]["componentRecords"]:
            assert places[record] < places[primary["recordId"]]
            assert statements[places[record]]["recordDetails"]["isComponent"] is True


def test_both_sides_of_a_relationship_are_records_of_the_file_or_have_a_reason():
    statements = written()
    known = {each["recordId"] for each in statements if each["recordType"] != "relationship"}
    reasons = set()
    for details in by_type(statements, "relationship"):
        assert details["subject"] in known
        party = details["interestedParty"]
        if isinstance(party, dict):
            reasons.add(party["reason"])
        else:
            assert party in known
    assert reasons == {"interestedPartyHasNotProvidedInformation"}


def test_names_of_persons_are_withheld_from_whoever_may_not_see_them():
    people = by_type(written(people=False), "person")
    assert {each["personType"] for each in people} == {"anonymousPerson"}
    assert not any("names" in each for each in people)


def test_what_was_written_is_read_as_it_was():
    given = structure(STRUCTURE)
    statements = write_bods(given, assess(given, "T", threshold("uk-psc")), today=DAY)
    names, interests = {}, []
    for each in statements:
        read = read_statement(json.loads(json.dumps(each)))
        if isinstance(read, Party):
            names[read.id] = read
        elif not each["recordDetails"].get("componentRecords"):
            names.setdefault(read.interests[0].holder, Party("?", "?", PartyKind.UNKNOWN, read.reason))
            interests += read.interests
    found = {
        (names[each.holder].name, names[each.held].name, each.type, str(each.share)) for each in interests
    }
    assert found == {(each.holder, each.held, each.type, str(each.share)) for each in given.interests}
    assert {each.kind for each in names.values()} == set(PartyKind) - {PartyKind.STATE, PartyKind.ARRANGEMENT}


@cases(
    "stated, expected",
    [
        ({"exact": 60}, "60"),
        ({"minimum": 25, "maximum": 50}, "[25,50]"),
        ({"exclusiveMinimum": 25, "maximum": 50}, "(25,50]"),
        ({"minimum": 75, "maximum": 100}, "[75,100]"),
        ({"exclusiveMinimum": 50, "exclusiveMaximum": 75}, "(50,75)"),
        ({"minimum": 30}, "[30,100]"),
    ],
)
def test_a_share_keeps_its_ends(stated, expected):
    read = read_statement(relationship(type="shareholding", share=stated))
    assert read.interests[0].share == share(expected)
    assert read.interests[0].share.as_bods() == stated or stated["maximum"] == 100


@cases(
    "given, message",
    [
        (relationship(type="shareholding", share={"exact": 60, "minimum": 50}), "both exact and a range"),
        (relationship(type="shareholding", share={"minimum": 60, "maximum": 50}), "No share is"),
        (relationship(type="shareholding", share={"minimum": 1, "exclusiveMinimum": 1}), "both minimum and"),
        (relationship(type="shareholding", share={"exact": 160}), "not between 0 and 100"),
        (relationship(type="shareholding", share={"exact": "sixty"}), "is not a percentage"),
        (relationship(type="shareholding", share={"exact": True}), "is not a percentage"),
        (relationship(type="shareholding", share={"exact": "1e999999999"}), "is not a percentage"),
        (relationship(type="ownership"), "no interest type 'ownership'"),
        (relationship(directOrIndirect="both"), "direct, indirect or unknown"),
        (relationship(startDate="2022"), "no full date"),
        (relationship(startDate="2022-02-30"), "no full date"),
        (relationship(startDate="2022-02-02", endDate="2021-01-01"), "before it begins"),
        (statement(subject={"reason": "unknown"}, interestedParty="p"), "subject of a relationship"),
        (statement(subject="t"), "interested party"),
        (statement("person", personType="knownPerson"), "needs a name"),
        (statement("entity", entityType={"type": "registeredEntity"}), "The field name is missing"),
        (statement("company"), "no record type 'company'"),
        ({**relationship(), "publicationDetails": {"bodsVersion": "0.3"}}, "This is BODS 0.3"),
        ({**relationship(), "recordId": ""}, "recordId is missing"),
        ([], "a JSON object"),
        (statement(subject="t", interestedParty="p", interests=[{}] * 201), "200 interests"),
    ],
)
def test_a_statement_that_cannot_be_is_refused_in_a_sentence(given, message):
    with pytest.raises(BadStatement, match=message):
        read_statement(given)


def test_an_owner_without_a_name_keeps_the_reason():
    read = read_statement(statement(subject="t", interestedParty={"reason": "noBeneficialOwners"}))
    assert isinstance(read, Relation)
    assert read.reason == UnspecifiedReason.NO_BENEFICIAL_OWNERS
    person = read_statement(
        statement(
            "person",
            personType="anonymousPerson",
            unspecifiedPersonDetails={"reason": "subjectExemptFromDisclosure"},
        )
    )
    assert (person.kind, person.reason) == (PartyKind.UNKNOWN, UnspecifiedReason.SUBJECT_EXEMPT)


def test_of_a_person_no_more_than_year_and_month_of_birth_is_kept():
    details = {"personType": "knownPerson", "names": [{"fullName": "Jane Doe"}], "birthDate": "1970-05-17"}
    assert read_statement(statement("person", **details)).born == "1970-05"


def test_the_declared_share_of_the_standards_example_stands_and_is_not_computed():
    """Two chains of 50 percent with unknown upper legs: 60 percent is what the source declares for their sum."""
    interests = (
        Interest("H1", "C", share=share("50")),
        Interest("H2", "C", share=share("50")),
        Interest("P", "H1", InterestType.UNKNOWN),
        Interest("P", "H2", InterestType.UNKNOWN),
        Interest("P", "C", share=share("60"), way="indirect", counts=True),
    )
    given = Structure({"P": Party("P", "P", PartyKind.PERSON)}, interests, date(2026, 1, 1))
    (owner,) = assess(given, "C", threshold("eu-amlr")).owners
    assert {str(each) for each in owner.shares.values()} == {"60 %"}


@cases("size", [1, 2, 7, 100, 10_000])
def test_a_file_is_cut_into_statements_wherever_it_is_read(size):
    text = json.dumps([{"a": 'b"}{\\'}, {"c": [{"d": '\\"'}]}], indent=1)
    chunks = (text[place : place + size] for place in range(0, len(text), size))
    assert [json.loads(each) for _, each in statements_in(chunks, 1_000)] == json.loads(text)
    lines = '{"a": 1}\n{"b": 2}\n'
    assert [number for number, _ in statements_in([lines], 1_000)] == [1, 2]


@cases(
    "text, message",
    [('[{"a": 1}, {"b": ', "ends within statement 2"), ("{" + "x" * 2_000, "longer than 1,000")],
)
def test_a_file_that_is_cut_off_or_has_no_end_is_refused(text, message):
    with pytest.raises(BadStatement, match=message):
        list(statements_in([text], 1_000))
