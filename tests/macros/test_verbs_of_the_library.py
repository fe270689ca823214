"""What the three macros propose for real and for hostile results: the defects that such templates are known for."""

import pytest

from research.macros.loader import LIBRARY, load_macro
from research.verbs.check import check_program
from research.verbs.parser import parse
from research.verbs.render import render_verbs
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"
AGI = "OJ2TIQSVQND4IZYYK658"
HOSTILE = [
    'A") (entity.ensure :name "x',
    "new\nline",
    "carriage\r\nreturn",
    'quote " backslash \\ end\\',
    "{{client_name}}",
    ";; comment",
    "Johnson & Johnson <b>",
    "\u202eRTL\u200b",
    "line\u2028separator\u0085next",
    "x" * 450,
    ") :as @apex",
    "@apex",
    "nil",
]


def calls(name, data, **params):
    macro = load_macro((LIBRARY / f"{name}.yaml").read_text(encoding="utf-8"))
    given = {item.name: item.default for item in macro.parameters} | params
    text = render_verbs(macro.suggested_verbs, params=given, data=data)
    program = parse(text)
    assert check_program(program) == []
    return [(call.name, dict(call.args), call.binding) for call in program.calls], text


def discovery(**parts):
    summary = {"total_entities_found": 1, "data_quality_assessment": "fair"}
    apex = {"name": "Allianz SE", "jurisdiction": "DE", "lei": ALLIANZ}
    return {"apex_entity": apex, "research_summary": summary, **parts}


def test_a_company_with_an_lei_is_read_from_the_register():
    made, text = calls("client-discovery", discovery(), client_name="Allianz & Co")
    assert made == [("gleif.enrich", {"lei": ALLIANZ}, "apex")]
    assert text.startswith(";; Head of the group of Allianz & Co: Allianz SE")


def test_a_company_without_an_lei_is_entered_as_stated_with_a_warning():
    data = discovery(apex_entity={"name": 'A "B" & C', "jurisdiction": "LU"})
    made, text = calls("client-discovery", data, client_name="A")
    assert made == [
        (
            "entity.ensure",
            {"entity-type": "limited-company", "name": 'A "B" & C', "jurisdiction": "LU"},
            "apex",
        )
    ]
    assert ";; No LEI is known" in text


@pytest.mark.parametrize(
    "jurisdiction", [{}, {"jurisdiction": ""}, {"jurisdiction": None}, {"jurisdiction": "ZZ"}]
)
def test_a_jurisdiction_that_is_not_known_is_left_out(jurisdiction):
    data = discovery(investment_managers=[{"name": "Manager", **jurisdiction}])
    made, _ = calls("client-discovery", data, client_name="A")
    assert made[1] == ("entity.ensure", {"entity-type": "limited-company", "name": "Manager"}, "im_0")


def test_managers_and_funds_are_tied_to_the_group():
    data = discovery(
        management_companies=[
            {"name": "AGI", "jurisdiction": "DE", "lei": AGI},
            {"name": "M2", "jurisdiction": "LU"},
        ],
        investment_managers=[{"name": "Allianz SE", "lei": ALLIANZ}],
        funds=[
            {"name": "F1", "fund_type": "ucits", "lei": "529900FAHFDMSXCPII15"},
            {"name": "F2", "fund_type": "aif", "management_company": "M2"},
        ],
    )
    made, _ = calls("client-discovery", data, client_name="A")
    assert [(name, binding) for name, _, binding in made] == [
        ("gleif.enrich", "apex"),
        ("gleif.enrich", "manco_0"),
        ("entity.link", None),
        ("entity.ensure", "manco_1"),
        ("entity.link", None),
        ("gleif.enrich", "im_0"),
        ("gleif.enrich", "fund_0"),
        ("fund.ensure", "fund_1"),
        ("entity.link", None),
    ]
    assert {key: str(value) for key, value in made[-1][1].items()} == {
        "subject": "@fund_1",
        "type": "fund-managed-by",
        "object": "@manco_1",
    }


@cases("name", HOSTILE)
def test_no_name_adds_or_changes_a_call(name):
    plain = discovery(
        apex_entity={"name": "plain", "jurisdiction": "DE"}, funds=[{"name": "F", "fund_type": "aif"}]
    )
    hostile = discovery(
        apex_entity={"name": name, "jurisdiction": "DE"}, funds=[{"name": name, "fund_type": "aif"}]
    )
    expected, _ = calls("client-discovery", plain, client_name="plain")
    made, _ = calls("client-discovery", hostile, client_name=name)
    assert [call[0] for call in made] == [call[0] for call in expected]
    assert [args["name"] for _, args, _ in made] == [name, name]


def chain(**owner):
    step = {"owned_entity": "Subject", "relationship_type": "direct_ownership", **owner}
    summary = {"ownership_completeness": "partial", "ubo_determination_status": "insufficient_information"}
    return {
        "entity": {"name": "Subject", "lei": AGI},
        "ownership_chain": [step],
        "investigation_summary": {**summary, "data_gaps": ["persons\n(gleif.enrich)"]},
        "potential_ubos": [{"name": "Jane Doe", "qualifying_reason": "board_control"}],
    }


@cases(
    ("owner", "recorded"),
    [
        ({"owner_name": "P", "owner_lei": ALLIANZ, "owner_type": "legal_entity"}, True),
        ({"owner_name": "P", "owner_lei": ALLIANZ}, True),
        ({"owner_name": "P", "owner_type": "trust"}, True),
        ({"owner_name": "P", "owner_type": "government"}, True),
        ({"owner_name": "P"}, False),
        ({"owner_name": "P", "owner_type": "unknown"}, False),
        ({"owner_name": "P", "owner_type": "natural_person"}, True),
        ({"owner_name": "P", "is_natural_person": True}, True),
    ],
)
def test_only_owners_of_whom_it_is_known_what_they_are_are_recorded(owner, recorded):
    made, text = calls("ubo-investigation", chain(**owner), entity_name="Subject")
    assert any(name == "ownership.record" for name, _, _ in made) is recorded
    assert (";; It is not known what kind" in text) is not recorded
    assert ";; Possible beneficial owner, not recorded: Jane Doe" in text
    assert ";; Gap: persons (gleif.enrich)" in text


def test_a_person_is_recorded_as_a_person_even_with_the_lei_of_somebody_else():
    owner = {"owner_name": "P", "is_natural_person": True, "owner_lei": ALLIANZ}
    made, _ = calls("ubo-investigation", chain(**owner), entity_name="Subject")
    [stated] = [arguments for name, arguments, _ in made if name == "ownership.record"]
    assert (stated["owner-type"], "owner-lei" in stated) == ("person", False)


def test_a_missing_percentage_is_left_out_with_its_keyword():
    made, _ = calls("ubo-investigation", chain(owner_name="P", owner_lei=ALLIANZ), entity_name="Subject")
    assert set(made[-1][1]) == {"owner", "owned", "ownership-type"}


@pytest.mark.parametrize(("percentage", "printed"), [(0, "0"), (100, "100"), (33.33, "33.33"), (25.0, "25")])
def test_a_percentage_is_a_number(percentage, printed):
    data = chain(owner_name="P", owner_lei=ALLIANZ, percentage=percentage)
    made, _ = calls("ubo-investigation", data, entity_name="Subject")
    assert str(made[-1][1]["percentage"]) == printed


def test_an_owner_further_up_owns_what_it_names():
    data = chain(owner_name="Top", owner_lei=ALLIANZ, owned_entity="Middle")
    made, _ = calls("ubo-investigation", data, entity_name="Subject")
    assert made[-1][1]["owned-name"] == "Middle"
    assert "owned" not in made[-1][1]


def check(**findings):
    assessment = {"risk_level": "high", "recommendation": "escalate_to_compliance"}
    return {
        "entity": {"name": "Subject", "jurisdiction": "US-DE"},
        "overall_risk_assessment": assessment,
        **findings,
    }


@cases(
    ("findings", "flag", "severity"),
    [
        ({"enforcement_actions": [{"description": "d"}]}, "REGULATORY_ACTION", "SOFT"),
        ({"enforcement_actions": [{"description": "d", "severity": "high"}]}, "REGULATORY_ACTION", "high"),
        (
            {"sanctions_findings": [{"list_type": "un_sanctions", "match_type": "exact_match"}]},
            "SANCTIONS_MATCH",
            "HARD_STOP",
        ),
        (
            {"sanctions_findings": [{"list_type": "other", "match_type": "possible_match"}]},
            "SANCTIONS_MATCH",
            "ESCALATE",
        ),
        ({"pep_connections": [{"name": "Jane Doe"}]}, "PEP_IDENTIFIED", "ESCALATE"),
    ],
)
def test_a_finding_raises_a_flag_on_the_subject(findings, flag, severity):
    made, _ = calls("regulatory-check", check(**findings), entity_name="Subject")
    assert made[0] == (
        "entity.ensure",
        {"entity-type": "limited-company", "name": "Subject", "jurisdiction": "US-DE"},
        "subject",
    )
    name, args, _ = made[1]
    assert name == "red-flag.raise"
    assert (str(args["entity-id"]), args["flag-type"], args["severity"]) == ("@subject", flag, severity)


def test_a_false_positive_raises_no_flag():
    findings = {
        "sanctions_findings": [{"list_type": "other", "match_type": "false_positive", "matched_name": "X"}]
    }
    made, text = calls("regulatory-check", check(**findings), entity_name="Subject")
    assert [name for name, _, _ in made] == ["entity.ensure"]
    assert "ruled out as a false positive: other X" in text


def test_an_edit_changes_the_verbs():
    before, _ = calls("client-discovery", discovery(), client_name="A")
    edited = discovery(apex_entity={"name": "Allianz SE", "jurisdiction": "DE", "lei": AGI})
    after, _ = calls("client-discovery", edited, client_name="A")
    assert (before[0][1]["lei"], after[0][1]["lei"]) == (ALLIANZ, AGI)
