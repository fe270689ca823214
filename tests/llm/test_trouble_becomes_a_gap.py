"""A question that gets no answer is named in the document; only the first ones stop the research."""

import pytest
from jsonschema import Draft202012Validator

from research.tools.tool import failure
from tests.cases import cases

DOWN = failure("register_unavailable", "The LEI register did not answer in time.", retryable=True)
LIMITED = failure("rate_limited", "Too many questions.", retryable=True, retry_after=30)
BUDGET = failure("budget", "The budget of 20 tool calls is spent.")
NAMES = {
    "client-discovery": "client_name",
    "ubo-investigation": "entity_name",
    "regulatory-check": "entity_name",
}


@pytest.fixture
def without(demo_tools):
    """``without("lei_children")``: the demo register, but these tools fail."""

    def tools(*names, answer=DOWN):
        return lambda call: answer if call.name in names else demo_tools(call)

    return tools


@cases("tool", ["lei_search", "lei_record"])
@cases("answer", [DOWN, LIMITED])
@cases("macro_name", NAMES)
def test_it_refuses_and_may_be_resumed_when_the_entity_cannot_be_looked_up(
    study, without, macro_name, tool, answer
):
    done = study(macro_name, tools=without(tool, answer=answer), **{NAMES[macro_name]: "Allianz SE"})
    assert done.refusal["code"] == "register_unavailable"
    assert done.refusal["retryable"] is True
    assert done.refusal["reason"] == answer["error"]["code"]
    assert answer["error"]["message"] in done.last.text


@cases("answer", [DOWN, LIMITED, BUDGET])
@cases("tool", ["lei_parents", "lei_children", "lei_managed_funds"])
def test_a_failing_tool_is_named_with_its_reason_and_the_rest_is_told(study, without, tool, answer):
    done = study("client-discovery", client_name="Allianz SE", tools=without(tool, answer=answer))
    gaps = done.told("research_summary", "data_gaps")
    assert f"{tool} for" in gaps
    assert answer["error"]["message"] in gaps
    assert done.data["apex_entity"]["name"] == "Allianz SE"
    assert list(Draft202012Validator(done.definition.schema).iter_errors(done.data)) == []


@pytest.mark.parametrize(
    ("failing", "quality", "assessment"),
    [
        ((), "HIGH", "good"),
        (("lei_parents",), "MEDIUM", "fair"),
        (("lei_parents", "lei_children", "lei_managed_funds"), "LOW", "poor"),
    ],
)
def test_the_quality_falls_with_the_questions_that_went_unanswered(
    study, without, failing, quality, assessment
):
    data = study("client-discovery", client_name="Allianz SE", tools=without(*failing)).data
    assert data["search_quality"] == quality
    assert data["research_summary"]["data_quality_assessment"] == assessment


def test_an_unread_list_is_not_reported_as_empty(study, without):
    done = study("client-discovery", client_name="Allianz SE", tools=without("lei_managed_funds"))
    assert "manages a fund" not in done.told("research_summary", "key_findings")


def test_an_unanswered_parent_leaves_the_chain_incomplete(study, without):
    done = study("ubo-investigation", entity_name="PUMA UNITED KINGDOM LTD", tools=without("lei_parents"))
    assert done.data["investigation_summary"]["ownership_completeness"] == "incomplete"
    assert "lei_parents" in done.told("investigation_summary", "data_gaps")
    assert "is on record" not in done.data["note"]


def test_related_parties_that_could_not_be_read_are_a_concern(study, without):
    done = study(
        "regulatory-check",
        entity_name="PUMA UNITED KINGDOM LTD",
        include_related_parties=True,
        tools=without("lei_parents"),
    )
    assert "lei_parents" in done.told("overall_risk_assessment", "key_concerns")


@pytest.mark.parametrize(
    "content", [{}, {"success": False}, {"success": False, "error": "down"}, {"success": False, "error": {}}]
)
def test_an_error_of_any_shape_is_understood(study, without, content):
    done = study("client-discovery", client_name="Allianz SE", tools=without("lei_parents", answer=content))
    assert "lei_parents" in done.told("research_summary", "data_gaps")
