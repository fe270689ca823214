"""Sanctions lists in the regulatory check: which were looked at is told, and without any the answer is unknown."""

from dataclasses import replace

import pytest

from entities.screening import lists
from entities.services.screening import set_screening_policy
from tests.entities.screening import samples
from tests.entities.screening.imported import import_text

pytestmark = pytest.mark.django_db
LISTED = """  <sdnEntry>
    <uid>8001</uid><lastName>COMMERZBANK</lastName><sdnType>Entity</sdnType>
    <programList><program>TESTPROGRAM</program></programList>
  </sdnEntry>"""


@pytest.fixture
def imported(monkeypatch, tmp_path):
    """The OFAC list with an entry that has the name of a company of the demo register; the policy asks for no other."""
    from django.utils import timezone

    for name, kind in lists.KINDS.items():
        monkeypatch.setitem(lists.KINDS, name, replace(kind, bytes=10, entries=1))
    set_screening_policy(values={"lists": "ofac-sdn"}, note="one list is enough here")
    return import_text(tmp_path, timezone.now(), "ofac-sdn", samples.ofac(LISTED))


def concerns(done):
    return done.told("overall_risk_assessment", "key_concerns")


def test_without_a_list_sanctions_are_unknown_and_the_reason_is_told(study):
    done = study("regulatory-check", entity_name="Shell")
    assert "Sanctions lists: unknown. The OFAC SDN list is not imported." in concerns(done)
    assert "Not checked: sanctions lists" in concerns(done)
    assert "sanctions_findings" not in done.data


@pytest.mark.usefixtures("imported")
def test_a_hit_is_a_possible_match_with_its_score_explained(study):
    done = study("regulatory-check", entity_name="Commerzbank")
    [finding] = done.data["sanctions_findings"]
    assert (finding["list_type"], finding["match_type"]) == ("ofac_sdn", "possible_match")
    assert "of 100: name" in finding["description"]
    assert done.data["overall_risk_assessment"]["recommendation"] == "escalate_to_compliance"


@pytest.mark.usefixtures("imported")
def test_the_lists_that_were_looked_at_are_told_with_their_dates(study):
    done = study("regulatory-check", entity_name="Shell")
    consulted = done.told("overall_risk_assessment", "sources_consulted")
    assert "OFAC SDN list, published 2026-09-23, downloaded 20" in consulted
    assert "That is no clearance." in done.told("overall_risk_assessment", "mitigating_factors")
    assert "Not checked: sanctions lists" not in concerns(done)


def test_what_was_not_asked_for_is_not_screened(study):
    done = study("regulatory-check", entity_name="Shell", check_types=["litigation"])
    assert "screen_entity" not in [call.name for call in done.calls]
