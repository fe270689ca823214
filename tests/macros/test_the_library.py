"""The macros that Dossier ships: compatible by name, and every verb they suggest is sound."""

import pytest
from jsonschema import Draft202012Validator

from research.macros.lint import lint_paths
from research.macros.loader import LIBRARY, load_macro
from research.macros.parameters import check_parameters
from research.macros.templates import render_prompt
from tests.cases import cases

SIGNATURES = {
    "client-discovery": {
        "client_name": ("string", True, None),
        "jurisdiction_hint": ("string", False, None),
        "focus_area": ("string", False, "all"),
        "max_entities": ("integer", False, 20),
    },
    "ubo-investigation": {
        "entity_name": ("string", True, None),
        "entity_lei": ("string", False, None),
        "jurisdiction": ("string", False, None),
        "ownership_threshold": ("number", False, 25),
        "include_control": ("boolean", False, True),
    },
    "regulatory-check": {
        "entity_name": ("string", True, None),
        "entity_lei": ("string", False, None),
        "jurisdiction": ("string", False, None),
        "check_types": ("array", False, ["regulatory_registration", "enforcement_actions", "sanctions"]),
        "include_related_parties": ("boolean", False, False),
    },
}

FIELDS = {
    "client-discovery": {
        "apex_entity": "name jurisdiction lei entity_type regulatory_status listing_status confidence",
        "management_companies": "name jurisdiction lei regulatory_id regulator parent_entity confidence",
        "investment_managers": "name lei jurisdiction aum_usd regulatory_status confidence",
        "funds": "name fund_type lei isin structure jurisdiction umbrella_fund management_company "
        "investment_manager confidence",
        "research_summary": "total_entities_found data_quality_assessment entities_with_lei key_findings "
        "data_gaps recommended_verifications",
    },
    "ubo-investigation": {
        "entity": "name",
        "ownership_chain": "owner_name owned_entity relationship_type owner_lei owner_type percentage "
        "is_natural_person nationality source confidence",
        "potential_ubos": "name qualifying_reason nationality role ownership_percentage control_description "
        "via_entities confidence verification_status",
        "control_relationships": "",
        "trust_structures": "trust_type settlor trustees beneficiaries protector",
        "investigation_summary": "ownership_completeness ubo_determination_status total_ownership_identified "
        "complexity_level red_flags data_gaps recommended_actions sources_consulted",
    },
    "regulatory-check": {
        "entity": "name",
        "overall_risk_assessment": "risk_level recommendation risk_factors mitigating_factors key_concerns "
        "recommended_actions sources_consulted",
        "regulatory_registrations": "severity status source_url",
        "enforcement_actions": "severity status source_url",
        "sanctions_findings": "severity status source_url list_type match_type",
        "pep_connections": "severity status source_url",
        "adverse_media": "severity status source_url",
        "litigation": "severity status source_url",
    },
}
REQUIRED = {
    "client-discovery": {"apex_entity", "research_summary"},
    "ubo-investigation": {"entity", "ownership_chain", "investigation_summary"},
    "regulatory-check": {"entity", "overall_risk_assessment"},
}


@pytest.fixture(params=sorted(SIGNATURES))
def macro(request):
    return load_macro((LIBRARY / f"{request.param}.yaml").read_text(encoding="utf-8"))


def test_the_library_has_no_fault_and_no_warning():
    assert lint_paths([LIBRARY]) == []


def test_there_are_these_three_and_those_that_write_reports_and_memory():
    assert {path.stem for path in LIBRARY.glob("*.yaml")} == {
        *SIGNATURES,
        "deep-research",
        "entity-research",
        "legal-research",
        "owners-from-table",
    }


def test_deep_research_takes_any_question_and_gives_a_report():
    macro = load_macro((LIBRARY / "deep-research.yaml").read_text(encoding="utf-8"))
    assert (macro.workflow, macro.suggested_verbs, macro.review) == ("deep", "", "required")
    assert {item.name: item.required for item in macro.parameters} == {
        "question": True,
        "scope": False,
        "language": False,
        "audience": False,
    }
    assert {"web_search", "extract_content"} <= set(macro.tools)
    assert set(macro.schema["properties"]) == {
        *("question", "report", "findings", "sources", "open_questions", "search_quality", "limitations")
    }
    prompt = render_prompt(macro, check_parameters(macro, {"question": "Who?", "scope": "Bern"}))
    assert prompt.splitlines()[:3] == ["Who?", "", "Scope: Bern"]


def test_legal_research_takes_a_question_of_law_and_gives_a_memo():
    macro = load_macro((LIBRARY / "legal-research.yaml").read_text(encoding="utf-8"))
    assert (macro.workflow, macro.suggested_verbs, macro.review) == ("legal", "", "required")
    assert {item.name: item.default for item in macro.parameters} == {
        **dict.fromkeys(("question", "caseContext", "jurisdiction", "timeRange", "languages", "depth")),
        "maxSources": 50,
        "outputFormat": "memo",
    }
    assert set(macro.schema["properties"]) == {
        *("question", "parameters", "strategy", "memo", "metadata", "suggestedQueries", "relatedTopics")
    }
    assert set(macro.schema["properties"]["memo"]["properties"]) == {
        *("title", "executiveSummary", "methodology", "findings", "citations", "precedentChain", "conflicts"),
        *("gaps", "limitations", "nextSteps", "appendices", "metadata"),
    }


def test_parameters_are_those_of_the_format(macro):
    declared = {item.name: (item.type, item.required, item.default) for item in macro.parameters}
    assert declared == SIGNATURES[macro.name]


def test_results_have_the_fields_of_the_format(macro):
    assert set(macro.schema["required"]) == REQUIRED[macro.name]
    assert macro.schema_name == f"{macro.name}-result"
    for name, fields in FIELDS[macro.name].items():
        part = macro.schema["properties"][name]
        part = part["items"] if part["type"] == "array" else part
        assert set(fields.split()) <= set(part["properties"]), name


def test_a_result_may_say_how_good_the_search_was(macro):
    assert macro.schema["properties"]["search_quality"]["enum"] == ["HIGH", "MEDIUM", "LOW"]


def test_the_prompt_asks_for_registers_first_and_for_honesty(macro):
    required = {item.name: item.example for item in macro.parameters if item.required}
    prompt = render_prompt(macro, check_parameters(macro, required))
    assert next(iter(required.values())) in prompt
    assert "lei_search" in prompt
    assert "do not know" in prompt
    assert "{{" not in prompt


def test_the_review_is_required(macro):
    assert macro.review == "required"


@cases(
    ("name", "lei", "valid"),
    [
        ("A", "529900K9B0N5BT694847", True),
        ("A", "529900K9B0N5BT69484", False),
        ("A", "529900K9B0N5BT694847\n", False),
        ("A", "529900k9b0n5bt694847", False),
        ("", "529900K9B0N5BT694847", False),
    ],
)
def test_an_lei_is_twenty_characters_and_a_name_is_some(name, lei, valid):
    macro = load_macro((LIBRARY / "regulatory-check.yaml").read_text(encoding="utf-8"))
    data = {
        "entity": {"name": name, "lei": lei},
        "overall_risk_assessment": {"risk_level": "low", "recommendation": "needs_more_information"},
    }
    assert Draft202012Validator(macro.schema).is_valid(data) is valid
