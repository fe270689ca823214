"""A memo begins with what was asked: who heads the group, who owns it, what the register says of it."""

import pytest

from research.engine.runner import perform_run
from research.memo.answer import read_answer
from research.memo.labels import LANGUAGES, labels_for
from research.models import ResearchResult
from research.services.macros import sync_macros
from research.services.runs import start_run
from tests.cases import cases

pytestmark = pytest.mark.django_db
ALLIANZ = "529900K9B0N5BT694847"
HEADS = {
    "en": "Head of the group",
    "de": "Konzernspitze",
    "fr": "Tête du groupe",
    "it": "Capogruppo",
}


@pytest.fixture
def researched():
    """The result of one of the three macros of the house, found in the demo register."""

    def research(macro, **params):
        sync_macros()
        run = start_run(macro=macro, params=params, trigger="cli")
        perform_run(run.pk)
        return ResearchResult.objects.get(run=run)

    return research


def summary_of(text):
    return text.partition("## ")[2].partition("## ")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_client_discovery_names_the_head_of_the_group(researched, compose, language):
    result = researched("client-discovery", client_name="Allianz Global Investors GmbH", max_entities=5)
    summary = summary_of(compose(result, language=language))
    assert f"- **{HEADS[language]}:** Allianz SE (LEI {ALLIANZ}, DE)" in summary
    assert f"- **{labels_for(language)('answer_group')}:** 1 " in summary
    assert summary.index("Allianz SE") < summary.index(labels_for(language)("tally_pass").format("").strip())


def test_ubo_investigation_says_whether_owners_are_known_and_who(researched, compose):
    summary = summary_of(
        compose(researched("ubo-investigation", entity_name="Allianz Global Investors GmbH"))
    )
    assert "- **Beneficial owners determined:** no, the information does not suffice" in summary
    assert "- **Possible beneficial owners:** none found in the sources that were read" in summary
    assert "Allianz SE above" in summary


def test_regulatory_check_says_status_risk_and_recommendation(researched, compose):
    summary = summary_of(compose(researched("regulatory-check", entity_name="Allianz SE")))
    assert f"- **Entity:** Allianz SE (LEI {ALLIANZ}, DE)" in summary
    assert "- **Recommendation:** more information is needed" in summary
    assert "- **Risk:**" in summary
    assert "- **Registrations:**" in summary


def test_any_other_document_is_told_by_its_names_and_choices(make_result, compose):
    assert f"- **Head of the group:** Allianz SE (LEI {ALLIANZ}, DE)" in summary_of(compose(make_result()))


def test_required_choices_are_part_of_the_answer():
    choice = {"enum": ["good", "very_bad"], "title": "Rating"}
    schema = {
        "type": "object",
        "required": ["rating", "grade"],
        "properties": {"rating": choice, "grade": choice, "mood": choice, "text": {"type": "string"}},
    }
    data = {"rating": "very_bad", "mood": "good", "text": "long", "grade": 7}
    assert read_answer("x", data, schema, labels_for("en")) == [("Rating", "Very bad")]


def test_the_edited_data_is_the_answer(decided, compose):
    edits = [{"op": "replace", "path": "/apex/name", "value": "Allianz SE, Munich"}]
    assert "**Head of the group:** Allianz SE, Munich (" in compose(decided("approved", edits=edits))


def test_html_and_json_have_the_same_answer(make_result, compose):
    page = compose(make_result(), format="html")
    assert (
        '<dl class="answer"><dt><bdi>Head of the group</bdi></dt>'
        f"<dd><bdi>Allianz SE (LEI {ALLIANZ}, DE)</bdi></dd></dl>" in page
    )
    assert f'"Allianz SE (LEI {ALLIANZ}, DE)"' in compose(make_result(), style="json")


NAMES = ("client-discovery-result", "ubo-investigation-result", "regulatory-check-result", "other")


@cases("name", NAMES)
@cases(
    "data",
    [
        None,
        [],
        "text",
        {},
        {
            "apex_entity": [],
            "entity": 3,
            "potential_ubos": {"name": 1},
            "ownership_chain": [1, None, {"owner_name": 2}],
        },
        {"investigation_summary": {"ubo_determination_status": ["x"]}, "overall_risk_assessment": "low"},
        {"apex_entity": {"name": "x" * 5_000}, "entity": {"name": "<b>" * 5_000}},
        {str(number): {"name": "n"} for number in range(500)},
    ],
)
def test_it_takes_any_document_and_stays_short(name, data):
    lines = read_answer(name, data, {}, labels_for("en"))
    assert len(lines) <= 8
    assert all(len(text) < 2_000 for _, text in lines)


def test_many_owners_are_counted():
    owners = [{"name": f"Person {n}", "ownership_percentage": 10.5} for n in range(8)]
    lines = dict(read_answer("ubo-investigation-result", {"potential_ubos": owners}, {}, labels_for("en")))
    told = lines["Possible beneficial owners"]
    assert told.startswith("Person 0 (10.5 %); Person 1")
    assert told.endswith("and 3 more")
