"""Client discovery on the demo register: the group, its managers, its funds, and what is not known."""

import pytest

from tests.cases import cases

ALLIANZ, MANAGER = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"
KINDS = ("management_companies", "investment_managers", "funds")


def listed(data):
    return [data["apex_entity"], *([data["requested_entity"]] if "requested_entity" in data else [])] + [
        entry for kind in KINDS for entry in data[kind]
    ]


def test_it_finds_the_group_of_allianz(study):
    data = study("client-discovery", client_name="Allianz SE").data
    assert data["apex_entity"] == {
        "name": "Allianz SE",
        "lei": ALLIANZ,
        "jurisdiction": "DE",
        "entity_type": "corporation",
        "listing_status": "unknown",
        "confidence": "high",
    }
    assert [manager["lei"] for manager in data["management_companies"]] == [MANAGER]
    assert data["management_companies"][0]["parent_entity"] == "Allianz SE"
    assert data["search_quality"] == "HIGH"


def test_every_fund_names_its_manager_and_says_no_more_than_the_register(study):
    data = study("client-discovery", client_name="Allianz SE").data
    assert data["funds"]
    for fund in data["funds"]:
        assert fund["management_company"] == "Allianz Global Investors GmbH"
        assert fund["fund_type"] == "other"
        assert "isin" not in fund
        assert "investment_manager" not in fund


def test_a_role_that_is_read_from_a_name_is_not_certain(study):
    data = study("client-discovery", client_name="Allianz SE").data
    assert {manager["confidence"] for manager in data["investment_managers"]} == {"medium"}
    assert any("role" in text for text in data["research_summary"]["recommended_verifications"])


@cases("most", [1, 2, 3, 10, 20, 25])
def test_it_lists_at_most_the_entities_asked_for_and_counts_the_rest(study, most):
    done = study("client-discovery", client_name="Allianz SE", max_entities=most)
    summary = done.data["research_summary"]
    assert len(listed(done.data)) == most
    assert summary["total_entities_found"] == most
    assert "beyond max_entities" in done.told("research_summary", "data_gaps")


def test_it_says_nothing_of_a_rest_when_there_is_none(study):
    done = study("client-discovery", client_name="Allianz SE", max_entities=500)
    assert "beyond max_entities" not in done.told("research_summary", "data_gaps")
    assert len({entry["lei"] for entry in listed(done.data)}) == len(listed(done.data))


@pytest.mark.parametrize(
    ("focus", "has_funds"),
    [("all", True), ("fund_structure", True), ("corporate_hierarchy", False), ("regulatory_status", False)],
)
def test_funds_are_listed_when_the_focus_asks_for_them(study, focus, has_funds):
    assert (
        bool(study("client-discovery", client_name="Allianz SE", focus_area=focus).data["funds"]) is has_funds
    )


def test_a_focus_on_regulation_is_told_to_be_beyond_the_register(study):
    done = study("client-discovery", client_name="Allianz SE", focus_area="regulatory_status")
    assert "regulatory status" in done.told("research_summary", "data_gaps")


@pytest.mark.parametrize(
    ("name", "apex"),
    [("Shell", "SHELL PLC"), ("Commerzbank", "COMMERZBANK Aktiengesellschaft"), ("PUMA", "PUMA SE")],
)
def test_an_entity_without_parent_is_the_apex_and_the_reason_is_told(study, name, apex):
    done = study("client-discovery", client_name=name)
    assert done.data["apex_entity"]["name"] == apex
    assert "requested_entity" not in done.data
    assert "NO_KNOWN_PERSON" in done.told("research_summary", "key_findings")


def test_the_apex_of_a_subsidiary_is_its_ultimate_parent(study):
    done = study("client-discovery", client_name="PUMA UNITED KINGDOM LTD")
    assert done.data["apex_entity"]["name"] == "PUMA SE"
    assert done.data["requested_entity"]["name"] == "PUMA UNITED KINGDOM LTD"
    assert "belongs to PUMA SE" in done.told("research_summary", "key_findings")


def test_a_client_that_manages_funds_is_listed_once_as_their_manager(study):
    data = study("client-discovery", client_name="Allianz Global Investors GmbH").data
    assert "requested_entity" not in data
    assert MANAGER in [manager["lei"] for manager in data["management_companies"]]


def test_a_fund_as_client_comes_first_among_the_funds_of_its_manager(study):
    data = study("client-discovery", client_name="Allianz Premium Champions", max_entities=5).data
    assert data["management_companies"][0]["lei"] == MANAGER
    names = [fund["name"] for fund in data["funds"]]
    assert (
        data["apex_entity"]["name"] == "Allianz Premium Champions" or names[0] == "Allianz Premium Champions"
    )


def test_an_overdue_renewal_is_told_by_the_date_of_the_register(study):
    done = study("client-discovery", client_name="PUMA")
    assert "overdue since 2025-10-22" in done.told("research_summary", "key_findings")


def test_ended_members_are_named_and_left_out(study):
    done = study("client-discovery", client_name="Commerzbank")
    assert "BLUE AMBER FUND MANAGEMENT S.A." in done.told("research_summary", "key_findings")
    assert "BLUE AMBER FUND MANAGEMENT S.A." not in [entry["name"] for entry in listed(done.data)]


def test_it_says_when_the_register_is_only_the_demo(study):
    done = study("client-discovery", client_name="Shell")
    assert "demo register" in done.told("research_summary", "data_gaps")


def test_it_needs_few_turns_and_calls(study):
    done = study("client-discovery", client_name="Allianz SE", max_entities=500)
    assert len(done.turns) <= 8
    assert len(done.calls) <= 20
