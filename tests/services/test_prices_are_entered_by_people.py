"""What a model costs is entered by a person, with a day, and nobody guesses it."""

from datetime import date
from decimal import Decimal

import pytest

from research.errors import InvalidParameters, NotPermitted
from research.models import AuditEvent, ModelPrice
from research.services.prices import (
    import_prices,
    model_id,
    models_without_price,
    read_price,
    remove_price,
    set_price,
)
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
RIGHTS = ["add_modelprice", "change_modelprice", "delete_modelprice"]
DAY = date(2026, 11, 1)


@pytest.fixture
def keeper():
    return UserFactory(rights=RIGHTS)


def test_it_ships_no_price():
    assert not ModelPrice.objects.exists()


def test_it_enters_a_price_and_records_who_did(keeper):
    price = read_price({"input": "3", "output": "15.00", "cached": "0.3", "search": 10})
    row = set_price(model="anthropic:some-model", price=price, actor=keeper, valid_from=DAY)
    stored = ModelPrice.objects.values_list(
        "model", "valid_from", "input_usd", "output_usd", "cached_usd", "cache_write_usd", "search_usd"
    )
    assert stored.get() == ("some-model", DAY, 3, 15, Decimal("0.3"), 3, 10)
    event = AuditEvent.objects.get(action="price.set")
    assert (event.actor, event.object_id, event.detail["output"]) == (keeper, str(row.pk), "15.00")


def test_it_replaces_the_price_of_the_same_day_and_keeps_the_others(keeper):
    for day, amount in ((DAY, 1), (date(2026, 12, 1), 2), (DAY, 3)):
        set_price(model="m", price=read_price({"input": amount, "output": 1}), actor=keeper, valid_from=day)
    assert list(ModelPrice.objects.values_list("valid_from", "input_usd")) == [
        (date(2026, 12, 1), 2),
        (DAY, 3),
    ]


def test_a_price_of_zero_is_a_price(keeper, settings):
    settings.DOSSIER_MODEL = "openai-chat:llama3:8b"
    assert models_without_price(DAY) == ["openai-chat:llama3:8b"]
    set_price(model="llama3:8b", price=read_price({"input": 0, "output": 0}), actor=keeper, valid_from=DAY)
    assert models_without_price(DAY) == []


@pytest.mark.parametrize(
    ("amounts", "name"),
    [
        ({}, "input"),
        ({"input": 1}, "output"),
        ({"input": "x", "output": 1}, "input"),
        ({"input": -1, "output": 1}, "input"),
        ({"input": "NaN", "output": 1}, "input"),
        ({"input": True, "output": 1}, "input"),
        ({"input": "1e9", "output": 1}, "input"),
        ({"input": "0.00001", "output": 1}, "input"),
        ({"input": 1, "output": 1, "inputs": 1}, "inputs"),
    ],
)
def test_it_refuses_what_is_no_price_and_names_the_amount(amounts, name):
    with pytest.raises(InvalidParameters) as refusal:
        read_price(amounts)
    assert name in [error.name for error in refusal.value.errors]


@pytest.mark.parametrize("missing", RIGHTS[:2])
def test_it_asks_who_enters_it(missing):
    person = UserFactory(rights=[right for right in RIGHTS if right != missing])
    with pytest.raises(NotPermitted):
        set_price(model="m", price=read_price({"input": 1, "output": 1}), actor=person)
    assert not ModelPrice.objects.exists()


def test_it_takes_a_price_back(keeper):
    row = set_price(model="m", price=read_price({"input": 1, "output": 1}), actor=keeper)
    with pytest.raises(NotPermitted):
        remove_price(price=row, actor=UserFactory(rights=RIGHTS[:2]))
    remove_price(price=row, actor=keeper)
    assert not ModelPrice.objects.exists()
    assert AuditEvent.objects.filter(action="price.removed", actor=keeper).exists()


def test_it_reads_a_file_of_prices(keeper):
    text = """
prices:
  - {model: one, from: 2026-11-01, input: 3.0, output: 15, cached: 0.30, cache_write: 3.75, search: 10}
  - {model: "openai:two", from: "2026-11-02", input: 0, output: 0}
"""
    assert [str(row) for row in import_prices(text=text, actor=keeper)] == [
        "one from 2026-11-01",
        "two from 2026-11-02",
    ]
    assert ModelPrice.objects.get(model="one").cache_write_usd == Decimal("3.75")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("prices: [", "file"),
        ("- 1", "prices"),
        ("prices: []", "prices"),
        ("prices: [1]", "prices.1.entry"),
        ("prices: [{model: a, input: 1, output: 1}, {input: 1, output: 1}]", "prices.2.model"),
        ("prices: [{model: a, input: 1, output: 1, from: soon}]", "prices.1.from"),
        ("prices: [{model: a, input: 1}]", "prices.1.output"),
    ],
)
def test_a_file_with_a_fault_changes_nothing(keeper, text, name):
    with pytest.raises(InvalidParameters) as refusal:
        import_prices(text=text, actor=keeper)
    assert name in [error.name for error in refusal.value.errors]
    assert not ModelPrice.objects.exists()


@pytest.mark.parametrize(
    ("name", "stored"),
    [("anthropic:a", "a"), (" a ", "a"), ("openai-chat:llama3:8b", "llama3:8b"), ("llama3:8b", "llama3:8b")],
)
def test_a_model_is_priced_under_the_name_that_its_provider_uses(name, stored):
    assert model_id(name) == stored
