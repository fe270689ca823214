"""Text of the web can ask a model for anything; what writes is offered only where a macro names it."""

import pytest

from entities.models import Entity, EntityResearch, Representation
from research.macros.lint import default_lint
from research.tools.tool import REGISTRY, get_tools
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
WRITING = [
    "create_entity",
    "add_representation",
    "deactivate_representation",
    "store_research_results",
    "invalidate_research",
]
MINT = "So11111111111111111111111111111111111111112"
MACRO = """\
macro:
  name: look
  version: "1.0"
  description: Look.
  tools: [resolve_entity, store_research_results]
  writes: {writes}
  prompt: "Look."
  output:
    schema_name: look-result
    schema: {{type: object, properties: {{a: {{type: string}}}}}}
"""


@cases("name", WRITING)
def test_it_is_not_offered_by_being_listed(name):
    assert [tool.name for tool in get_tools(["resolve_entity", name])] == ["resolve_entity"]
    assert [tool.name for tool in get_tools(["resolve_entity", name], [name])] == ["resolve_entity", name]


def test_every_tool_of_memory_that_changes_something_says_so():
    assert sorted(name for name, tool in REGISTRY.items() if tool.effect == "write") == sorted(WRITING)


def test_leave_alone_offers_nothing():
    assert get_tools(["resolve_entity"], WRITING)[1:] == []


@pytest.mark.parametrize(
    ("writes", "message"),
    [
        ("[]", "store_research_results writes: it is not offered unless writes names it"),
        (
            "[store_research_results, create_entity]",
            "'create_entity' is not one of the macro's tools that write",
        ),
        ("[store_research_results, resolve_entity]", "'resolve_entity' is not one of the macro's tools"),
    ],
)
def test_lint_tells_where_the_two_lists_differ(writes, message):
    assert any(message in fault.message for fault in default_lint(MACRO.format(writes=writes)))


def test_lint_is_content_where_they_agree():
    assert default_lint(MACRO.format(writes="[store_research_results]")) == []


def test_an_unknown_token_is_entered_with_its_address(call):
    made = call(
        "create_entity", name="Seeker", type="crypto-token", symbol="SKR", metadata={"description": "x"}
    )
    assert made["data"]["entity"]["verified"] is False
    added = call(
        "add_representation",
        entityId=made["data"]["entity"]["slug"],
        type="spot-token",
        protocol="spl",
        chain="solana",
        context={"mint": MINT},
    )
    assert added["data"]["representation"]["key"] == MINT
    assert call("resolve_entity", identifier=MINT)["data"]["entity"]["slug"] == "seeker"


def test_findings_are_stored_with_their_sources(call):
    EntityFactory(slug="seeker", type="crypto-token")
    stored = call(
        "store_research_results",
        entityId="seeker",
        findings={"summary": "It trades.", "confidence": 70},
        sources=[
            {"tool": "a", "success": True},
            {"tool": "b", "success": True},
            {"tool": "c", "success": False},
        ],
    )
    assert stored["data"]["research"]["completeness"] == 0  # no journal shows that they answered
    assert [one["tool"] for one in EntityResearch.objects.get().sources] == ["a", "b", "c"]
    assert call("invalidate_research", entityId="seeker", reason="a rug")["data"] == {"invalidated": 1}


def test_a_form_is_taken_back(call):
    form = Representation.objects.create(entity=EntityFactory(), type="perp-contract", key="X-PERP")
    gone = call("deactivate_representation", representationId=str(form.pk), reason="delisted")
    assert gone["data"]["representation"]["active"] is False
    again = call("deactivate_representation", representationId=str(form.pk), reason="delisted")
    assert again["error"]["code"] == "refused"


@cases(
    ("name", "arguments", "code"),
    [
        ("create_entity", {"name": "X", "type": "spaceship"}, "refused"),
        ("create_entity", {"name": "", "type": "meme"}, "bad_arguments"),
        ("create_entity", {"name": "X", "type": "meme", "verified": True}, "bad_arguments"),
        (
            "add_representation",
            {"entityId": "seeker", "type": "spot-token", "protocol": "spl", "context": {}},
            "refused",
        ),
        (
            "add_representation",
            {"entityId": "nobody", "type": "spot-token", "protocol": "spl", "context": {"mint": MINT}},
            "not_found",
        ),
        (
            "add_representation",
            {"entityId": "seeker", "type": "former-slug", "protocol": "", "context": {"slug": "x"}},
            "bad_arguments",
        ),
        ("deactivate_representation", {"representationId": "nothing", "reason": "x"}, "not_found"),
        (
            "store_research_results",
            {"entityId": "seeker", "findings": {"summary": "x"}, "sources": []},
            "bad_arguments",
        ),
    ],
)
def test_what_is_refused_is_refused_in_words(call, name, arguments, code):
    EntityFactory(slug="seeker", type="crypto-token")
    answer = call(name, **arguments)
    assert (answer["success"], answer["error"]["code"]) == (False, code)
    assert Entity.objects.count() == 1
