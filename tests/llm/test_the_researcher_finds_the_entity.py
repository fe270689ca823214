"""Which record is meant: chosen when it is clear, refused with what may help when it is not."""

import json

import pytest

from entities.lei import complete
from research.errors import InvalidParameters
from tests.cases import cases

MANAGER, RETIRED = "OJ2TIQSVQND4IZYYK658", "529900FAHFDMSXCPII15"
PENSIONS_AT, PENSIONS_DE = "529900R7CSE082VKF992", "529900J2RGEB3V10PJ36"
PENSIONS = "Allianz Pensionskasse Aktiengesellschaft"

HOSTILE = [
    'A") (entity.ensure :name "x',
    "two\nlines\r\nand\ttab",
    'back\\slash "quotes"',
    "{{client_name}} {{#each x}}",
    ";; comment",
    "\u202eevil\u202c\u200b zero width",
    "<script>alert(1)</script>",
    "x" * 9_000,
    "$(rm -rf /) `id`",
    "' OR 1=1 --",
]


def entity(done):
    return done.data["entity"]


@cases(
    ("name", "lei"),
    [
        ("Allianz SE", "529900K9B0N5BT694847"),
        ("allianz se", "529900K9B0N5BT694847"),
        ("Shell", "21380068P1DRHMJ8KU70"),
        ("Royal Dutch Shell PLC", "21380068P1DRHMJ8KU70"),
        ("Commerzbank AG", "851WYGNLUQLFZBSYGB56"),
        ("PUMA", "529900GRZ2BQY5ZM9N49"),
        ("Allianz Global Investors GmbH", MANAGER),
        (MANAGER, MANAGER),
        ("oj2t iqsv qnd4 izyy k658", MANAGER),
        (RETIRED, MANAGER),
    ],
)
def test_it_finds_the_entity_that_a_name_or_lei_means(study, name, lei):
    assert entity(study("regulatory-check", entity_name=name))["lei"] == lei


def test_it_takes_the_live_twin_and_reports_the_ended_one(study):
    done = study("ubo-investigation", entity_name="Allianz Global Investors GmbH")
    assert entity(done)["lei"] == MANAGER
    assert RETIRED in done.data["note"]
    assert "RETIRED" in done.data["note"]


def test_it_follows_the_successor_of_a_given_lei_and_says_so(study):
    done = study("ubo-investigation", entity_name="Allianz Global Investors GmbH", entity_lei=RETIRED)
    assert entity(done)["lei"] == MANAGER
    assert "successor" in done.data["note"]
    assert any(RETIRED in action for action in done.data["investigation_summary"]["recommended_actions"])


def test_it_tells_when_a_given_lei_belongs_to_someone_else(study):
    done = study("ubo-investigation", entity_name="Shell plc", entity_lei=MANAGER)
    assert entity(done)["lei"] == MANAGER
    assert "not to “Shell plc”" in done.data["note"]


def test_it_tells_when_a_previous_name_was_asked_for(study):
    done = study("client-discovery", client_name="Royal Dutch Shell plc")
    assert "previous name" in done.told("research_summary", "key_findings")
    assert done.data["apex_entity"]["confidence"] == "medium"


def test_it_goes_on_with_an_ended_entity_whose_successor_cannot_be_read(study):
    done = study("client-discovery", client_name="MANTEX SICAV - Mantex Sicav Balanced")
    gaps = done.told("research_summary", "data_gaps")
    assert "has ended" in gaps
    assert "5299008F9ODK91J8RC41" in gaps


def test_a_successor_that_is_known_by_name_only_is_named(study):
    done = study("client-discovery", client_name="itm8 | Improsec A/S")
    assert "has ended" in done.told("research_summary", "data_gaps")
    assert "successors on record" in done.told("research_summary", "data_gaps")


def test_it_refuses_to_choose_between_equal_live_entities(study):
    detail = study("client-discovery", client_name=PENSIONS).refusal
    assert detail["code"] == "ambiguous"
    assert detail["retryable"] is False
    assert {(c["lei"], c["name"], c["jurisdiction"]) for c in detail["candidates"]} == {
        (PENSIONS_AT, PENSIONS, "AT"),
        (PENSIONS_DE, PENSIONS, "DE"),
    }


@pytest.mark.parametrize(
    ("hint", "lei"),
    [("AT", PENSIONS_AT), ("DE", PENSIONS_DE)],
)
def test_it_chooses_by_jurisdiction(study, hint, lei):
    done = study("client-discovery", client_name=PENSIONS, jurisdiction_hint=hint)
    assert done.data["requested_entity"]["lei"] == lei


def test_a_hint_that_fits_nobody_does_not_settle_an_ambiguity(study):
    assert (
        study("client-discovery", client_name=PENSIONS, jurisdiction_hint="CH").refusal["code"] == "ambiguous"
    )


def test_a_hint_that_the_register_contradicts_is_told(study):
    done = study("client-discovery", client_name="Shell", jurisdiction_hint="NL")
    assert done.data["apex_entity"]["lei"] == "21380068P1DRHMJ8KU70"
    assert done.data["apex_entity"]["confidence"] == "medium"
    assert "in NL" in done.told("research_summary", "key_findings")


def test_a_stated_jurisdiction_that_the_register_contradicts_is_refused(study):
    detail = study("ubo-investigation", entity_name="Shell plc", jurisdiction="NL").refusal
    assert detail["code"] == "not_found"
    assert "SHELL PLC" in [near["name"] for near in detail["nearest"]]


@pytest.mark.parametrize(
    ("hint", "offered"), [("Deutschland", "DE"), ("Austria", "AT"), ("the moon", "ISO code")]
)
def test_a_hint_that_is_no_code_is_refused_before_anything_is_asked(study, hint, offered):
    with pytest.raises(InvalidParameters, match=offered):
        study("client-discovery", client_name=PENSIONS, jurisdiction_hint=hint)


def test_it_names_the_nearest_when_nothing_is_good_enough(study):
    done = study("client-discovery", client_name="Commerzbnk Deutschland")
    detail = done.refusal
    assert detail["code"] == "not_found"
    assert "851WYGNLUQLFZBSYGB56" in [near["lei"] for near in detail["nearest"]]
    assert set(detail["nearest"][0]) == {"lei", "name", "jurisdiction", "entity_status", "score"}
    assert len(detail["nearest"]) <= 5
    assert "COMMERZBANK" in done.last.text


def test_it_names_what_a_mistyped_lei_may_mean(study):
    detail = study("client-discovery", client_name="529900FAHFDMSXCPII16").refusal
    assert detail["code"] == "not_found"
    assert RETIRED in [near["lei"] for near in detail["nearest"]]


def test_it_names_the_nearest_to_the_name_when_the_lei_is_unknown(study):
    unknown = complete("529900ZZZZZZZZZZZZ")
    detail = study("ubo-investigation", entity_name="Allianz SE", entity_lei=unknown).refusal
    assert detail["code"] == "not_found"
    assert detail["nearest"][0]["name"] == "Allianz SE"


def test_a_reviewer_who_names_an_lei_decides_which_entity_is_meant(study):
    done = study("client-discovery", client_name=PENSIONS, feedback=f"I meant {PENSIONS_AT}, in Vienna.")
    assert done.data["requested_entity"]["lei"] == PENSIONS_AT
    assert "reviewer" in done.told("research_summary", "key_findings")


def test_feedback_without_an_lei_is_told_as_not_followed(study):
    done = study("client-discovery", client_name="Allianz SE", feedback="Please add the board.")
    assert "Please add the board." in done.told("research_summary", "data_gaps")


@cases("name", HOSTILE)
def test_a_hostile_name_is_asked_for_unchanged_and_ends_in_a_clear_refusal(study, name):
    done = study("client-discovery", client_name=name)
    assert done.calls[0].arguments["name"] == name
    assert done.refusal["code"] == "not_found"
    assert "\n" not in done.last.text
    assert len(done.last.text) < 3_000
    json.dumps(done.refusal)
