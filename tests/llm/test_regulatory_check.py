"""Regulatory standing on the demo register: what it tells, and what was not checked."""

import pytest

pytestmark = pytest.mark.django_db
MANAGER, RETIRED = "OJ2TIQSVQND4IZYYK658", "529900FAHFDMSXCPII15"


def assessment(done):
    return done.data["overall_risk_assessment"]


def test_the_registration_is_a_fact_and_no_licence(study):
    done = study("regulatory-check", entity_name="Commerzbank")
    [registration] = done.data["regulatory_registrations"]
    assert registration["status"] == "ISSUED"
    assert registration["registration_number"] == "851WYGNLUQLFZBSYGB56"
    assert "not a supervisor" in registration["regulator"]
    assert "no licence" in done.told("overall_risk_assessment", "key_concerns")


@pytest.mark.parametrize("name", ["Commerzbank", "Shell", "Allianz SE", "PUMA NORDIC AB"])
def test_a_clean_record_is_not_a_clean_bill_of_health(study, name):
    done = study("regulatory-check", entity_name=name)
    assert assessment(done)["recommendation"] == "needs_more_information"
    assert assessment(done)["risk_level"] == "medium"
    assert "not assessed" in assessment(done)["key_concerns"][0]


@pytest.mark.parametrize(
    ("kinds", "named"),
    [
        (["enforcement_actions", "sanctions"], ["enforcement actions", "sanctions lists"]),
        (["pep_connections", "adverse_media"], ["politically exposed persons", "adverse media"]),
        (["pep_connections", "litigation"], ["politically exposed persons", "litigation"]),
    ],
)
def test_every_check_that_was_not_made_is_named(study, kinds, named):
    concerns = study("regulatory-check", entity_name="Shell", check_types=kinds).told(
        "overall_risk_assessment", "key_concerns"
    )
    for kind in named:
        assert f"Not checked: {kind}" in concerns


def test_registrations_are_left_out_when_they_were_not_asked_for(study):
    done = study("regulatory-check", entity_name="Shell", check_types=["sanctions"])
    assert done.data["regulatory_registrations"] == []


def test_a_retired_lei_is_escalated_though_its_successor_is_live(study):
    done = study("regulatory-check", entity_name="Allianz Global Investors GmbH", entity_lei=RETIRED)
    assert done.data["entity"]["lei"] == MANAGER
    assert assessment(done)["recommendation"] == "escalate_to_compliance"
    assert assessment(done)["risk_level"] == "high"
    statuses = {one["registration_number"]: one["status"] for one in done.data["regulatory_registrations"]}
    assert statuses == {MANAGER: "ISSUED", RETIRED: "RETIRED"}


def test_an_ended_entity_is_escalated_with_the_reason(study):
    done = study("regulatory-check", entity_name="MANTEX SICAV - Mantex Sicav Balanced")
    assert assessment(done)["recommendation"] == "escalate_to_compliance"
    assert "has ended" in done.told("overall_risk_assessment", "risk_factors")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PUMA NORDIC AB", "LAPSED"),
        ("PUMA SE", "due on 2025-10-22"),
        ("BRASSERIE ST-FEUILLIEN", "PENDING_ARCHIVAL"),
    ],
)
def test_what_speaks_against_the_record_is_a_risk_factor(study, name, said):
    assert said in study("regulatory-check", entity_name=name).told("overall_risk_assessment", "risk_factors")


def test_the_twin_that_has_ended_does_not_count_against_the_live_one(study):
    done = study("regulatory-check", entity_name="Allianz Global Investors GmbH")
    assert assessment(done)["recommendation"] == "needs_more_information"
    assert RETIRED in done.data["note"]


def test_parents_are_looked_at_when_related_parties_are_asked_for(study):
    done = study("regulatory-check", entity_name="MONOOVA FX PTY LTD", include_related_parties=True)
    assert len(done.data["regulatory_registrations"]) == 3
    assert "MONEYTECH GROUP LIMITED" in done.told("overall_risk_assessment", "risk_factors")
    assert "only parents" in done.told("overall_risk_assessment", "key_concerns")
