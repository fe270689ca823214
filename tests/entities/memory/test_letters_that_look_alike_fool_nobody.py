"""``Ѕeeker`` with a Cyrillic letter looks like ``Seeker``: it is kept apart, and its name is a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.memory import create_entity, resolve
from entities.memory.confusable import latin_reading
from tests.cases import cases

FAKES = {
    "Ѕeeker": "Seeker",
    "АЅТЕR": "ASTER",
    "Αllianz": "Allianz",
    "Ｓeekеr": "Seeker",
    "РауРаl": "PayPal",
}


@cases(("fake", "looks"), FAKES.items())
def test_it_reads_what_a_person_would_read(fake: str, looks: str):
    assert latin_reading(fake) == looks


@cases("name", ["Allianz", "Газпром", "Ελλάδα", "株式会社", "Müller Æther", "", "123"])
def test_a_name_in_its_own_alphabet_looks_like_nothing(name: str):
    assert latin_reading(name) == ""


@given(st.text(max_size=60))
def test_a_reading_has_no_further_reading(name: str):
    assert latin_reading(latin_reading(name)) == ""


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "symbol"), [("Ѕeeker", ""), ("Another", "ЅКR")])
def test_it_is_kept_apart(name: str, symbol: str):
    create_entity(name="Seeker", type="crypto-token", symbol="SKR")
    assert create_entity(name=name, type="crypto-token", symbol=symbol).pending_verification


@pytest.mark.django_db
def test_its_name_is_a_question_and_no_answer():
    real = create_entity(name="Seeker", type="crypto-token", symbol="SKR")
    found = resolve("Ѕeeker")
    assert found.entity is None
    assert found.candidates == (real,)
    assert "alphabet" in found.message


@pytest.mark.django_db
def test_one_that_has_such_a_name_itself_is_found_by_it():
    named = create_entity(name="РауРаl", type="concept")
    assert resolve("РауРаl").entity == named
