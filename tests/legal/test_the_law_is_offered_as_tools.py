"""Decisions, acts and commentaries as tools under the names that users know; whatever goes wrong is a value."""

import pytest

from research.tools.tool import REGISTRY, ToolContext, get_tools
from tests.cases import cases
from tests.court_server import hit
from tests.tools.calls import call_tool

pytestmark = pytest.mark.django_db
NAMES = [
    *("search_bge", "get_bge_decision", "search_decisions", "search_canton", "search_by_case_number"),
    *("get_decision_details", "get_related_decisions", "list_hierarchy", "lookup_statute", "get_article"),
    *(
        "search_commentaries",
        "get_commentary_for_article",
        "get_commentary",
        "validate_citation",
        "format_citation",
    ),
    *(
        "list_facets",
        "find_similar_cases",
        "analyze_precedent_success_rate",
        "get_legal_provision_interpretation",
    ),
    *("list_articles", "search_legislation", "find_related", "get_metadata", "list_legislative_acts"),
    *("get_provision_text", "parse_citation"),
]


def call(name, **arguments):
    return call_tool(name, arguments, ToolContext(register=None))


@cases("name", NAMES)
def test_each_reads_costs_nothing_and_refuses_what_it_does_not_know(name):
    tool = REGISTRY[name]
    assert tool.effect == "read"
    assert tool.cost({}) == 0
    assert tool.parameters["additionalProperties"] is False
    assert call(name, nonsense=1)["error"]["code"] == "bad_arguments"


def test_those_without_an_address_are_not_offered(settings):
    assert [tool.name for tool in get_tools(NAMES)] == [
        *("validate_citation", "format_citation", "parse_citation"),
    ]


def test_decisions_of_the_federal_supreme_court(courts):
    found = call("search_bge", query="Werkvertrag", language="de")
    assert {one["citation"] for one in found["data"]["results"]} == {
        *("BGE 130 III 362", "BGer 4A_231/2016", "BGE 141 III 106"),
    }
    source = found["sources"][0]
    assert (source["kind"], source["found_by"]) == ("law", "entscheidsuche")
    assert "Werkvertrag" in source["text"]


def test_decisions_of_a_canton(courts):
    found = call("search_canton", query="Kündigung", cantons=["ZH"])
    assert [one["citation"] for one in found["data"]["results"]] == ["OGer ZH LB170012"]


@pytest.mark.parametrize(
    "arguments", [{"query": "x"}, {"query": "x", "cantons": ["XX"]}, {"query": "x", "cantons": []}]
)
def test_a_canton_must_be_one(courts, arguments):
    assert call("search_canton", **arguments)["error"]["code"] == "bad_arguments"


def test_a_day_must_be_one(courts):
    assert call("search_bge", query="x", dateFrom="2020-02-31")["error"]["code"] == "bad_arguments"


def test_a_case_number_finds_who_bears_it(courts):
    found = call("search_by_case_number", caseNumber="4A_231/2016")
    assert [one["citation"] for one in found["data"]["results"]] == ["BGer 4A_231/2016"]


def test_a_decision_with_its_text(courts):
    listed = call("search_bge", query="Werkvertrag Mängelhaftung")["data"]["results"][0]
    found = call("get_decision_details", decisionId=listed["id"])["data"]
    assert "Erwägungen" in found["text"]
    assert call("get_bge_decision", citation="ATF 130 III 362")["data"]["citation"] == "BGE 130 III 362"
    assert call("get_bge_decision", citation="hallo")["error"]["code"] == "INVALID_CITATION_FORMAT"
    assert call("get_bge_decision", citation="BGE 140 III 1")["error"]["code"] == "not_found"
    assert call("get_decision_details", decisionId="nothing")["error"]["code"] == "not_found"


def test_what_a_decision_cites_and_who_cites_it(courts):
    listed = call("get_bge_decision", citation="BGE 130 III 362")["data"]
    found = call("get_related_decisions", decisionId=listed["id"])["data"]
    assert found["cites"] == ["BGE 118 II 142"]
    assert {one["citation"] for one in found["citedBy"]} == {"BGer 4A_231/2016", "BGer 4A_51/2007"}


def test_no_more_that_cite_it_are_given_than_were_asked_for(courts):
    others = [hit(f"4A_{number}/2020 zu 4A_1/2020") for number in (2, 3)]
    courts.hits[:] = [*others, hit("4A_1/2020", identifier="own")]
    assert len(call("get_related_decisions", decisionId="own")["data"]["citedBy"]) == 2
    assert len(call("get_related_decisions", decisionId="own", limit=1)["data"]["citedBy"]) == 1


def test_an_article_and_its_act(acts):
    found = call("get_article", statute="CO", article="363")
    assert found["data"]["citation"] == "Art. 363 OR"
    assert found["sources"][0]["as_of"] == "2025-01-01"
    assert call("lookup_statute", statute="OR")["data"]["number"] == "220"
    assert call("get_article", statute="XYZ", article="1")["error"]["code"] == "bad_arguments"
    assert call("get_article", statute="OR", article="999")["error"]["code"] == "not_found"


def test_commentaries(commentaries):
    listed = call("get_commentary_for_article", article="363", statute="OR")["data"]["results"]
    assert [one["citation"] for one in listed] == ["OK-MUSTER, Art. 363 OR (2024-05-18)"]
    assert "Erfolg" in call("get_commentary", commentaryId="ok-1")["data"]["text"]
    assert call("get_commentary", commentaryId="ok-9")["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    ("citation", "verdict"),
    [
        ("BGE 147 VII 1", "nonexistent"),
        ("BGE 999 III 1", "nonexistent"),
        ("4A_231/2016", "exists"),
        ("4A_9999/2016", "not_found_here"),
    ],
)
def test_whether_a_citation_exists(courts, citation, verdict):
    assert call("validate_citation", citation=citation)["data"]["verdict"] == verdict


def test_a_citation_that_nobody_can_be_asked_about_is_open(courts):
    courts.trouble = "bot"
    assert call("validate_citation", citation="4A_231/2016")["data"]["verdict"] == "unknown"


def test_a_decision_that_was_just_read_is_known_to_exist(courts):
    call("search_bge", query="Werkvertrag")
    courts.trouble, before = "bot", len(courts.asked)
    found = call("validate_citation", citation="4A_231/2016")["data"]
    assert (found["verdict"], found["source"]) == ("exists", "entscheidsuche")
    assert len(courts.asked) == before


def test_a_citation_in_another_language():
    found = call("format_citation", citation="BGE 145 III 229 E. 4.2", language="fr")["data"]["citations"]
    assert found[0]["formatted"] == "ATF 145 III 229 consid. 4.2"


@cases("trouble", ["shards", "bot", "no_hits", "html", 403, 500])
@cases(
    ("name", "arguments"),
    [
        ("search_bge", {"query": "Werkvertrag"}),
        ("search_by_case_number", {"caseNumber": "4A_231/2016"}),
        ("get_decision_details", {"decisionId": "CH_BGer_004_4A-231-2016_2016-07-12"}),
    ],
)
def test_trouble_is_a_value_and_never_an_absence(courts, trouble, name, arguments):
    courts.trouble = trouble
    found = call(name, **arguments)
    assert not found["success"]
    assert found["error"]["code"] in ("incomplete", "denied", "unreadable", "server_error", "left_alone")
    assert found["error"]["source"] == "entscheidsuche"


def test_the_tree_of_courts(courts):
    courts.tree = {"ZH": {"gerichte": {"ZH_OG": {"de": "Obergericht", "fr": "Cour suprême", "it": ""}}}}
    assert call("list_hierarchy", query="oberg")["data"]["courts"] == [
        {"code": "ZH_OG", "canton": "ZH", "de": "Obergericht", "fr": "Cour suprême", "it": ""}
    ]
