"""A run with a budget in USD is refused before it starts when nobody can say what its model costs."""

from decimal import Decimal

import pytest

from research.errors import InvalidParameters
from research.models import AuditEvent, Run
from research.services.prices import Price, set_price
from research.services.runs import start_run
from tests.factories import MacroFactory, UserFactory

pytestmark = pytest.mark.django_db
FIRST, SECOND = "anthropic:claude-first", "openai:second"


@pytest.fixture(autouse=True)
def _models(settings):
    settings.DOSSIER_MODEL = f"{FIRST},{SECOND}"
    settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = "k"


@pytest.fixture
def start():
    macro = MacroFactory()

    def begin(budget_usd, macro=macro):
        params = {"client_name": "Allianz SE"}
        return start_run(macro=macro, params=params, trigger="cli", budget_usd=budget_usd, enqueue=False)

    return begin


def priced(model):
    amounts = dict.fromkeys(("input", "output", "cached", "cache_write"), Decimal(1))
    set_price(model=model, price=Price(**amounts), actor=UserFactory(is_superuser=True))


def test_it_says_what_to_do_and_stores_nothing(start):
    before = AuditEvent.objects.count()
    with pytest.raises(InvalidParameters) as refused:
        start(Decimal(1))
    (error,) = refused.value.errors
    assert error.name == "budget_usd"
    assert "'claude-first'" in error.message
    assert "Model prices" in error.message
    assert "research prices --set" in error.message
    assert (Run.objects.count(), AuditEvent.objects.count()) == (0, before)


def test_without_a_budget_it_starts(start):
    assert start(None).budget_usd is None


def test_every_model_of_the_order_may_be_asked_and_needs_its_price(start):
    priced(FIRST)
    with pytest.raises(InvalidParameters) as refused:
        start(Decimal(1))
    assert "'second'" in refused.value.errors[0].message
    priced(SECOND)
    assert start(Decimal(1)).budget_usd == 1


def test_a_price_of_another_model_of_the_order_does_not_help(start):
    priced(SECOND)
    with pytest.raises(InvalidParameters):
        start(Decimal(1))


@pytest.mark.parametrize(("budget", "starts"), [("1.2", False), ("1.3", True)])
def test_a_budget_that_one_search_of_the_provider_may_exceed_is_refused(start, settings, budget, starts):
    """At a dollar a million, six readings of 200,000 tokens and an answer; nothing of it when it is switched off."""
    settings.DOSSIER_SERVER_SEARCH, settings.DOSSIER_MODEL = True, FIRST
    priced(FIRST)
    macro = MacroFactory()
    macro.text = macro.text.replace("lei_search", "web_search", 1)
    if starts:
        assert start(Decimal(budget), macro).budget_usd == Decimal(budget)
    else:
        with pytest.raises(InvalidParameters) as refused:
            start(Decimal(budget), macro)
        assert "DOSSIER_SERVER_SEARCH" in refused.value.errors[0].message
    settings.DOSSIER_SERVER_SEARCH = False
    assert start(Decimal("0.1"), macro).budget_usd == Decimal("0.1")


def test_the_rule_based_researcher_is_free(start, settings):
    settings.DOSSIER_MODEL = "register"
    assert start(Decimal(1)).budget_usd == 1
