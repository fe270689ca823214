"""What tools say of many decisions is counted and quoted; what nobody can know they do not invent."""

import pytest

from research.tools.tool import ToolContext
from tests.court_server import hit
from tests.tools.calls import call_tool

pytestmark = pytest.mark.django_db


def call(name, **arguments):
    return call_tool(name, arguments, ToolContext(register=None))


def cited(found):
    return [one["citation"] for one in found["data"]["results"]]


def test_cases_alike_are_those_that_share_most(courts):
    listed = call("get_bge_decision", citation="BGE 130 III 362")["data"]
    found = call("find_similar_cases", decisionId=listed["id"])
    assert cited(found)[0] == "BGer 4A_231/2016"
    assert "BGE 130 III 362" not in cited(found)
    assert found["data"]["results"][0]["shared"]["citations"] == ["BGE 118 II 142"]
    assert "The facts were not compared" in found["data"]["note"]


def test_a_text_that_cites_nothing_is_looked_for_by_its_words(courts):
    found = call(
        "find_similar_cases",
        text="Der Besteller rügte die Mängelhaftung erst nach zehn Tagen.",
        language="de",
    )
    assert "BGE 130 III 362" in cited(found)
    assert found["data"]["basis"]["citations"] == []
    assert "Mängelhaftung" in found["data"]["results"][0]["shared"]["words"]


@pytest.mark.parametrize(
    "arguments",
    [{}, {"decisionId": "abc", "text": "Der Besteller rügte die Mängel."}, {"text": "1234567890 1234567890"}],
)
def test_it_needs_one_of_the_two_and_something_to_look_for(courts, arguments):
    assert call("find_similar_cases", **arguments)["error"]["code"] == "bad_arguments"


def test_a_case_that_there_is_not_has_none_alike(courts):
    assert call("find_similar_cases", decisionId="nothing")["error"]["code"] == "not_found"


@pytest.mark.parametrize(("statute", "article"), [("OR", 363), ("CO", "363"), ("220", 363)])
def test_how_courts_speak_of_an_article_is_quoted(courts, statute, article):
    found = call("get_legal_provision_interpretation", statute=statute, article=article)
    assert cited(found) == ["BGE 141 III 106"]
    assert found["data"]["provision"] == "Art. 363 OR"
    (passage,) = found["data"]["results"][0]["passages"]
    assert passage.startswith("5.1 Durch den Werkvertrag nach Art. 363 OR")
    assert passage in found["sources"][0]["text"]


def test_the_article_is_searched_in_all_languages(courts):
    courts.hits.append(hit("5A_1/2020", "Selon l'art. 684 CC, le voisin.", language="fr"))
    courts.hits.append(hit("5A_2/2020", "Nach Art. 684 ZGB darf der Nachbar."))
    found = call("get_legal_provision_interpretation", statute="ZGB", article=684)
    assert sorted(cited(found)) == ["BGer 5A_1/2020", "BGer 5A_2/2020"]
    assert all(one["passages"] for one in found["data"]["results"])


@pytest.mark.parametrize(
    "arguments", [{"statute": "XYZ", "article": 1}, {"statute": "OR", "article": "1; DROP"}]
)
def test_what_is_no_article_is_refused(courts, arguments):
    assert call("get_legal_provision_interpretation", **arguments)["error"]["code"] == "bad_arguments"


def test_there_is_no_rate_of_success_but_rulings_are_counted(courts):
    for number, ruling in enumerate(["abgewiesen", "abgewiesen", "gutgeheissen"], start=1):
        text = f"Mietrecht, Mietzinsherabsetzung.\nDemnach erkennt das Bundesgericht:\n1. Die Beschwerde wird {ruling}."
        courts.hits.append(hit(f"4A_{number}/2020", text))
    courts.hits.append(hit("4A_9/2020", "Mietrecht, Mietzinsherabsetzung."))
    found = call("analyze_precedent_success_rate", legalArea="Mietrecht", claimType="Mietzinsherabsetzung")[
        "data"
    ]
    assert found["success_rate"] is None
    assert "not every decision is published" in found["why"]
    assert (
        found["read"],
        found["rulings"]["dismissed"],
        found["rulings"]["allowed"],
        found["rulings"]["unknown"],
    ) == (4, 2, 1, 1)
    assert {one["ruling"] for one in found["decisions"]} == {"dismissed", "allowed", "unknown"}


def test_what_can_be_searched_in_is_told_down_to_the_chambers(courts):
    chamber = {"spider": "ZH_Obergericht", "de": "I. Zivilkammer", "fr": "", "it": ""}
    court = {"de": "Obergericht", "fr": "Cour suprême", "it": "", "kammern": {"ZH_OG_001": chamber}}
    courts.tree = {
        "ZH": {"de": "Zürich", "fr": "Zurich", "it": "Zurigo", "gerichte": {"ZH_OG": court}},
        "CH": {"de": "Bund", "fr": "", "it": "", "gerichte": {"CH_BGer": {"de": "Bundesgericht"}}},
    }
    whole = call("list_facets")["data"]
    assert whole["languages"] == ["de", "fr", "it"]
    assert [one["code"] for one in whole["cantons"]] == ["ZH", "CH"]
    assert whole["cantons"][0]["courts"][0]["chambers"] == 1
    (zurich,) = call("list_facets", canton="ZH")["data"]["cantons"]
    assert zurich["courts"][0]["chambers"] == [
        {"code": "ZH_OG_001", "de": "I. Zivilkammer", "fr": "", "it": ""}
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("find_similar_cases", {"text": "Der Besteller rügte die Mängel."}),
        ("get_legal_provision_interpretation", {"statute": "OR", "article": 1}),
        ("analyze_precedent_success_rate", {"legalArea": "Mietrecht", "claimType": "Kündigung"}),
    ],
)
def test_trouble_with_the_source_is_no_empty_answer(courts, name, arguments):
    courts.trouble = "shards"
    assert call(name, **arguments)["error"]["code"] == "incomplete"
