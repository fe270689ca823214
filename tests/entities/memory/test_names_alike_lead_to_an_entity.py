"""Where no entity has a name, names are compared as those of the LEI register are."""

import pytest

from entities.memory import entities_alike, resolve
from entities.models import Entity
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def allianz():
    previous = {"name": "Riunione Adriatica AG", "type": "PREVIOUS_LEGAL_NAME", "language": "de"}
    return EntityFactory(name="Allianz SE", slug="allianz-se", aliases=[previous])


@cases(
    "text",
    [
        "ALLIANZ S.E.",
        "allianz, se",
        "Allianz",
        "Allianz Societas Europaea",
        "Riunione Adriatica Aktiengesellschaft",
    ],
)
def test_a_name_that_is_only_spelled_otherwise_decides(allianz, text):
    found = resolve(text)
    assert (found.entity, found.how) == (allianz, "name, spelled otherwise")
    assert found.alike[0].score >= 95


@cases(
    ("text", "why"),
    [
        ("Alianz SE", "spelled otherwise"),
        ("Allianz Aktiengesellschaft", "another legal form"),
        ("Allianz Holding SE", "one side only"),
        ("Riunione Adriatca", "spelled otherwise"),
        ("Аллианц SE", "spelled otherwise"),
    ],
)
def test_a_name_that_is_only_alike_is_a_candidate_with_its_score_and_the_reason(allianz, text, why):
    found = resolve(text)
    assert (found.entity, found.candidates, found.how) == (None, (allianz,), "names that are alike")
    [likeness] = found.alike
    assert likeness.entity == allianz
    assert 75 <= likeness.score < 95
    assert why in likeness.explanation


def test_two_that_are_as_like_are_a_question(allianz):
    other = EntityFactory(name="Allianz AG")
    found = resolve("Allianz")
    assert (found.entity, set(found.candidates)) == (None, {allianz, other})


def test_the_very_name_wins_over_names_alike(allianz):
    alliance = EntityFactory(name="Alianz SE")
    assert resolve("Alianz SE").entity == alliance
    assert resolve("Allianz SE").alike == ()


def test_one_that_is_kept_apart_is_no_answer(allianz):
    Entity.objects.filter(pk=allianz.pk).update(pending_verification=True)
    found = resolve("ALLIANZ S.E.")
    assert (found.entity, found.candidates) == (None, (allianz,))


def test_letters_of_another_alphabet_decide_nothing():
    fake = EntityFactory(name="Аllianz SЕ")  # the first and the last letter are Cyrillic
    found = resolve("Allianz S.E.")
    assert (found.entity, found.candidates) == (None, (fake,))


def test_a_merged_entity_is_not_found_by_its_likeness(allianz):
    gone = EntityFactory(name="Ergo Versicherung AG", merged_into=allianz)
    assert gone.pk not in {each.entity.pk for each in entities_alike("Ergo Versicherungs AG")}


def test_an_abbreviation_that_a_name_states_is_a_name():
    entity = EntityFactory(name='ADRIATICA SOCIETA\' PER AZIONI IN FORMA ABBREVIATA "ADRIA S.P.A."')
    assert resolve("ADRIA S.P.A.").entity == entity
    assert resolve("Adriatica SpA").entity == entity


def test_a_name_is_found_among_a_thousand_that_share_its_words():
    Entity.objects.bulk_create(
        Entity(name=f"Allianz Fonds {number} GmbH", slug=f"f-{number}", type="fund") for number in range(300)
    )
    for entity in Entity.objects.all():
        entity.save()
    wanted = EntityFactory(name="Allianz Fonds SE")
    found = entities_alike("Alianz Fonds S.E.")
    assert found[0].entity == wanted
