"""Macros and agents find, review and standardise the citations of a text with the library's own rules."""

import pytest

from research.tools.tool import ToolContext
from tests.tools.calls import call_tool

pytestmark = pytest.mark.django_db
TEXT = "Nach BGE 147 VII 1 und art. 97 Abs. 1 OR, vgl. BGE 145/III/229 Erw. 4.2."


@pytest.fixture
def tool(settings):
    settings.CITATION_LOOKUPS = 0

    def tool(name, **arguments):
        return call_tool(name, arguments, ToolContext(register=None))

    return tool


def test_it_finds_them_in_their_one_form(tool):
    found = tool("extract_citations", text=TEXT)["data"]
    assert [one["normalized"] for one in found["citations"]] == [
        "BGE 147 VII 1",
        "Art. 97 Abs. 1 OR",
        "BGE 145 III 229",
    ]
    assert (found["count"], found["left_out"]) == (3, 0)


def test_it_shows_red_only_for_what_does_not_exist(tool):
    reviewed = tool("review_citations", text=TEXT)["data"]
    assert [one["light"] for one in reviewed["citations"]] == ["red", "yellow", "yellow"]
    assert reviewed["counts"] == {"green": 0, "yellow": 2, "red": 1}


def test_it_writes_one_in_another_language(tool):
    written = tool("convert_citation", citation="BGE 145 III 229 E. 4.2 S. 235", language="fr")
    assert written["data"]["converted"] == "ATF 145 III 229 consid. 4.2 p. 235"


def test_it_says_that_there_is_none_to_convert(tool):
    refused = tool("convert_citation", citation="no citation", language="fr")
    assert refused["error"]["code"] == "INVALID_CITATION_FORMAT"


def test_it_standardises_a_text_and_names_what_it_changed(tool):
    done = tool("standardize_document_citations", text=TEXT, language="it")["data"]
    assert done["text"] == "Nach DTF 147 VII 1 und art. 97 cpv. 1 CO, vgl. DTF 145 III 229 consid. 4.2."
    assert {"BGE 145/III/229 Erw. 4.2"} <= {change["before"] for change in done["changes"]}


def test_it_only_repairs_without_a_language(tool):
    done = tool("standardize_document_citations", text=TEXT)["data"]
    assert "BGE 145 III 229 E. 4.2" in done["text"]
    assert all(change["why"] for change in done["changes"])


def test_many_citations_are_cut_and_counted(tool):
    many = "; ".join(f"BGE 145 III {page}" for page in range(1, 251))
    found = tool("extract_citations", text=many)["data"]
    assert (len(found["citations"]), found["count"], found["left_out"]) == (200, 250, 50)


@pytest.mark.parametrize(
    ("citation", "parts"),
    [
        (
            "ATF 145 III 229 consid. 4.2",
            {"collection": "BGE", "volume": "145", "division": "III", "page": "229"},
        ),
        ("Urteil 4A_315/2021", {"court": "BGer", "docket": "4A_315/2021"}),
        ("VGer ZH VB.2022.00382", {"court": "VGer", "canton": "ZH", "docket": "VB.2022.00382"}),
        ("art. 97 al. 1 CO", {"sign": "Art.", "article": "97", "act": "OR", "sr": "220", "Abs.": "1"}),
    ],
)
def test_it_takes_a_citation_apart(tool, citation, parts):
    assert tool("parse_citation", citation=citation)["data"]["parts"] == parts


def test_what_is_taken_apart_is_the_first_and_of_form_only(tool):
    found = tool("parse_citation", citation="ATF 147 VII 1 consid. 2, Art. 1 ZGB")["data"]
    assert (found["normalized"], found["pinpoints"], found["verdict"]) == (
        "BGE 147 VII 1",
        ["E. 2"],
        "unchecked",
    )
    assert found["others"] == 1
    assert tool("parse_citation", citation="hallo")["error"]["code"] == "INVALID_CITATION_FORMAT"
