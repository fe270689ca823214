"""A memo of entity research tells at its head what was found of whom, and reads like a page and not like a record."""

import pytest

from research.memo.answer import read_answer
from research.memo.labels import labels_for
from tests.factories import ResultFactory

pytestmark = pytest.mark.django_db
DATA = {
    "entities": [
        {
            "identifier": "529900K9B0N5BT694847",
            "status": "researched",
            "at": "2026-11-21T18:29:24+00:00",
            "findings": {
                "summary": "Allianz SE is in force.",
                "confidence": 80,
                "risks": [],
                "metadata": {"name": "Allianz SE"},
            },
        },
        {"identifier": "Nobody AG", "status": "not_found"},
        {"status": "failed"},
    ]
}


@pytest.fixture
def text(compose):
    params = {
        "identifiers": ["529900K9B0N5BT694847", "Nobody AG"],
        "summaries": [],
        "question": "Who are they?",
    }
    fields = {"run__macro__schema_name": "entity-research-result", "run__params": params}
    return compose(ResultFactory(data=DATA, **fields), language="de")


def test_each_is_told_by_its_name_and_what_became_of_it(text):
    head = text.partition("## Zusammenfassung")[2].partition("\n## ")[0]
    assert "- **Allianz SE:** Allianz SE is in force." in head
    assert "- **Nobody AG:** nicht gefunden" in head


@pytest.mark.parametrize("data", [{"entities": "x"}, {"entities": [7, {}, {"findings": "y"}]}])
def test_hostile_data_have_no_answer(data):
    assert read_answer("entity-research-result", data, {}, labels_for("en")) == []


def test_what_is_not_there_takes_no_room_on_a_line(text):
    assert "Risiken" not in text.partition("## Feststellungen")[2].partition("\n## ")[0]


def test_a_moment_is_written_for_people(text):
    assert "Am: 2026-11-21 18:29 UTC" in text
    assert "T18:29" not in text


def test_what_was_asked_is_the_question_and_lists_are_lists(text):
    assert "- **Frage:** Who are they?" in text
    assert "- **Parameter:** Kennungen: 529900K9B0N5BT694847, Nobody AG\n" in text
