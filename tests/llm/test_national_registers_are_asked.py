"""The register researcher with national registers beside the LEI register: owners in bands, supervisors, and gaps."""

import json

import pytest
from jsonschema import Draft202012Validator

from entities.gleif.demo.answers import DemoRegister
from entities.gleif.demo.facts import Entity, load
from entities.gleif.register import demo_register
from research.tools.tool import ToolContext
from tests.cases import cases
from tests.entities.conftest import synthetic_lei
from tests.entities.registers.doubles import OWNERS, envelope, firm, paged
from tests.entities.registers.fake import Reply
from tests.tools.calls import call_tool
from tests.tools.registers import set_up

pytestmark = pytest.mark.django_db

LAMPS, BANK, SWISS, DARK = (synthetic_lei(number) for number in (501, 502, 503, 504))
MADE_UP = (
    Entity(
        LAMPS,
        "LONDON LAMPS LIMITED",
        jurisdiction="GB",
        register="RA000585:00012345",
        entity="ACTIVE",
        registration="ISSUED",
        synthetic=True,
    ),
    Entity(
        BANK,
        "Old Lamp Brokers Ltd",
        jurisdiction="GB",
        entity="ACTIVE",
        registration="ISSUED",
        synthetic=True,
    ),
    Entity(
        SWISS, "Laternen Bank AG", jurisdiction="CH", entity="ACTIVE", registration="ISSUED", synthetic=True
    ),
    Entity(
        DARK, "Dunkel Invest Group", jurisdiction="CH", entity="ACTIVE", registration="ISSUED", synthetic=True
    ),
)
PSC = "/company/00012345/persons-with-significant-control"


@pytest.fixture
def tools():
    register = demo_register(DemoRegister((*load(), *MADE_UP)))

    def call(one):
        answer = call_tool(one.name, one.arguments, ToolContext(register=register))
        answer.pop("sources", None)
        return json.loads(json.dumps(answer))

    return call


@pytest.fixture
def ask(study, tools, macro):
    """``ask(macro, name)``: the research, whose document fits the schema of the macro."""

    def work(name, entity, **params):
        done = study(name, tools=tools, entity_name=entity, **params)
        faults = list(Draft202012Validator(macro(name).schema).iter_errors(done.data))
        assert faults == []
        return done

    return work


@pytest.fixture
def british(settings):
    with set_up(settings, "companies_house", "fca") as fakes:
        yield fakes


@pytest.fixture
def swiss(settings):
    with set_up(settings, "finma") as fakes:
        yield fakes


def gaps(done):
    return done.told("investigation_summary", "data_gaps")


@pytest.mark.parametrize("name", ["ubo-investigation", "regulatory-check"])
def test_without_any_the_limits_say_so(ask, name):
    done = ask(name, "LONDON LAMPS LIMITED")
    part = (
        ("investigation_summary", "data_gaps")
        if name.startswith("ubo")
        else (
            "overall_risk_assessment",
            "key_concerns",
        )
    )
    assert "No national register or supervisor's list is set up here" in done.told(*part)
    assert not [call for call in done.calls if call.name.startswith("register_")]


@pytest.mark.usefixtures("british")
def test_persons_with_significant_control_enter_the_chain_with_their_bands(ask):
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    ada, beacon, secret = done.data["ownership_chain"]
    assert (ada["owner_name"], ada["owned_entity"]) == ("Ms Ada Lumen", "LONDON LAMPS LIMITED")
    assert (ada["owner_type"], ada["is_natural_person"]) == ("natural_person", True)
    assert ada["natures_of_control"] == [
        "ownership of shares 25–50 %",
        "voting rights 50–75 % (through a trust)",
    ]
    assert ada["relationship_type"] == "direct_ownership"
    assert "Companies House 00012345" in ada["source"]
    assert (beacon["owner_name"], beacon["owner_type"]) == ("Beacon Holdings S.A.", "legal_entity")
    assert beacon["natures_of_control"][0] == "ownership of shares 75–100 %"
    assert "protected" in secret["owner_name"]


@pytest.mark.usefixtures("british")
def test_no_percentage_is_made_of_a_band(ask):
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    written = json.dumps(done.data)
    assert '"percentage"' not in written
    assert "ownership_percentage" not in written
    assert "total_ownership_identified" not in written


@pytest.mark.usefixtures("british")
def test_a_person_in_control_may_be_a_beneficial_owner_and_is_to_be_verified(ask):
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    [person] = done.data["potential_ubos"]
    assert (person["name"], person["qualifying_reason"]) == ("Ms Ada Lumen", "ownership_25pct")
    assert person["verification_status"] == "needs_verification"
    summary = done.data["investigation_summary"]
    assert summary["ubo_determination_status"] == "possible_ubos_need_verification"
    assert summary["ownership_completeness"] == "partial"
    assert "protected by the register" in done.told("investigation_summary", "red_flags")
    assert "not confirmed" in done.told("investigation_summary", "red_flags")
    assert any(source.startswith("Companies House") for source in summary["sources_consulted"])


@cases(
    ("natures", "params", "reasons"),
    [
        (["ownership-of-shares-25-to-50-percent"], {"ownership_threshold": 60}, []),
        (["ownership-of-shares-25-to-50-percent"], {"ownership_threshold": 30}, ["ownership_25pct"]),
        (["voting-rights-75-to-100-percent"], {"include_control": False}, []),
        (["voting-rights-75-to-100-percent"], {}, ["voting_control"]),
        (["right-to-appoint-and-remove-directors"], {}, ["board_control"]),
        (["significant-influence-or-control-as-trust"], {}, ["trust_control"]),
        (["something-new"], {}, ["other_control"]),
    ],
)
def test_the_threshold_and_the_wish_for_control_decide_who_may_be_one(ask, british, natures, params, reasons):
    owner = {**OWNERS[0], "natures_of_control": natures}
    british["companies_house"].route(PSC, lambda question: paged(question, [owner]))
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED", **params)
    assert [person["qualifying_reason"] for person in done.data["potential_ubos"]] == reasons
    assert len(done.data["ownership_chain"]) == 1


def test_a_british_corporate_owner_is_asked_for_its_own_owners(ask, british):
    house = british["companies_house"]
    corporate = {
        **OWNERS[1],
        "name": "Beacon UK Ltd",
        "identification": {
            "registration_number": "777",
            "country_registered": "England",
            "place_registered": "x",
        },
    }
    house.route(PSC, lambda question: paged(question, [corporate]))
    upper = "/company/00000777/persons-with-significant-control"
    house.route(upper, lambda question: paged(question, [OWNERS[0], corporate]))
    house.route(f"{upper}-statements", lambda question: paged(question, []))
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    assert [(link["owner_name"], link["owned_entity"]) for link in done.data["ownership_chain"]] == [
        ("Beacon UK Ltd", "LONDON LAMPS LIMITED"),
        ("Ms Ada Lumen", "Beacon UK Ltd"),
        ("Beacon UK Ltd", "Beacon UK Ltd"),
    ]
    assert [person["via_entities"] for person in done.data["potential_ubos"]] == [["Beacon UK Ltd"]]


@pytest.mark.usefixtures("british")
def test_officers_are_a_finding_and_no_owners(ask):
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    assert "LUMEN, Ada (director), WICK SERVICES LTD (corporate-secretary)" in done.data["note"]
    assert "TALLOW, Ben" not in done.data["note"]


def test_a_company_that_names_nobody_proves_nothing(ask, british):
    british["companies_house"].route(PSC, Reply({}, 404))
    british["companies_house"].route(f"{PSC}-statements", Reply({}, 404))
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    assert done.data["potential_ubos"] == []
    assert "no proof that there is nobody" in gaps(done)


def test_a_register_in_trouble_is_a_gap_and_lowers_the_quality(ask, british):
    british["companies_house"].guard = lambda question: Reply({}, 403)
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    assert "Companies House could not be asked" in gaps(done)
    assert done.data["search_quality"] != "HIGH"


def test_a_company_that_a_person_must_tell_is_not_asked_further(ask, british):
    british["companies_house"].route("/company/00012345", Reply({}, 404))
    british["companies_house"].route(
        "/search/companies",
        {
            "items": [
                {"title": "LONDON LAMPS LIMITED", "company_number": number, "company_status": "active"}
                for number in ("00000001", "00000002")
            ],
            "total_results": 2,
        },
    )
    done = ask("ubo-investigation", "LONDON LAMPS LIMITED")
    assert done.data["ownership_chain"] == []
    assert "a person must tell" in gaps(done)


@pytest.mark.usefixtures("swiss")
def test_a_bank_is_authorised_by_its_supervisor(ask):
    done = ask("regulatory-check", "Laternen Bank AG")
    rows = {row["registration_type"]: row for row in done.data["regulatory_registrations"]}
    bank = rows["authorisation: Bank, Securities firm"]
    assert (bank["regulator"], bank["registration_number"]) == ("FINMA", "CHE-123.456.788")
    assert bank["severity"] == "low"
    told = done.told("overall_risk_assessment", "key_concerns")
    assert "Authorisation and measures were looked up with FINMA alone." in told
    assert "Not set up here, and so not asked for CH: Zefix, Zefix (linked data)." in told


@pytest.mark.usefixtures("swiss")
def test_a_name_on_the_warning_list_is_escalated(ask):
    done = ask("regulatory-check", "Dunkel Invest Group")
    assessment = done.data["overall_risk_assessment"]
    assert assessment["recommendation"] == "escalate_to_compliance"
    assert "FINMA warns of this name." in assessment["risk_factors"]
    [action] = done.data["enforcement_actions"]
    assert (action["authority"], action["date"]) == ("FINMA", "2024-05-17")


def test_a_firm_that_lost_its_authorisation_is_escalated_with_its_history(ask, british):
    lines = [{"Name": "Old Lamp Brokers Ltd", "Reference Number": "100002", "Status": "No longer authorised"}]
    british["fca"].route("/Search", envelope("FSR-API-04-01-00", "Ok. Search successful", lines))
    done = ask("regulatory-check", "Old Lamp Brokers Ltd")
    assessment = done.data["overall_risk_assessment"]
    assert assessment["recommendation"] == "escalate_to_compliance"
    assert "FCA register no longer authorises it (No longer authorised)." in assessment["risk_factors"]
    [action] = done.data["enforcement_actions"]
    assert (action["description"], action["date"]) == ("A fine for dim lamps.", "2019-08-12")
    assert "Not checked: enforcement actions" not in done.told("overall_risk_assessment", "key_concerns")


def test_what_registers_wrote_stays_text(ask, british):
    hostile = "<script>alert(1)</script>\n(red-flag.raise :x 1)"
    lines = [{"Name": "Old Lamp Brokers Ltd", "Reference Number": "100001", "Status": "Authorised"}]
    british["fca"].route("/Search", envelope("FSR-API-04-01-00", "Ok. Search successful", lines))
    data = [firm("100001", "Old Lamp Brokers Ltd", Status=hostile)]
    british["fca"].route("/Firm/100001", envelope("FSR-API-02-01-00", "Ok. Firm Found", data))
    done = ask("regulatory-check", "Old Lamp Brokers Ltd")
    assert not [row for row in done.data["regulatory_registrations"] if "\n" in row["status"]]
