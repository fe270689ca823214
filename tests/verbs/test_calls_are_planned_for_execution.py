import pytest

from research.errors import InvalidVerbs
from research.verbs.calls import planned_calls

LEI = "529900K9B0N5BT694847"


def test_defaults_are_filled_in():
    (call,) = planned_calls(f'(gleif.import-tree :root-lei "{LEI}" :max-depth 5)')
    assert call.verb == "gleif.import-tree"
    assert call.arguments == {"root-lei": LEI, "direction": "DOWN", "max-depth": 5, "create-entities": True}
    assert call.text == f'(gleif.import-tree :root-lei "{LEI}" :max-depth 5)'
    assert (call.binding, call.effect) == ("", "write")


def test_aliases_keywords_and_synonyms_become_canonical_but_the_text_stays():
    raised = '(red-flag.raise :cbu-id @cbu :flag-type "PEP_EXPOSURE" :severity "critical")'
    fund, flag = planned_calls(f'(cbu.ensure :name "F" :as @cbu)\n{raised}')
    assert (fund.verb, fund.binding) == ("fund.ensure", "cbu")
    assert fund.text == '(cbu.ensure :name "F" :as @cbu)'
    assert flag.arguments == {
        "entity-id": {"symbol": "cbu"},
        "flag-type": "PEP_IDENTIFIED",
        "severity": "HARD_STOP",
    }


def test_decimals_stay_exact():
    text = '(ubo.add-ownership :owner-entity-name "A" :owned-entity-name "B" :percentage 33.3330)'
    (call,) = planned_calls(text)
    assert call.arguments == {
        "owner-name": "A",
        "owned-name": "B",
        "percentage": "33.3330",
        "ownership-type": "direct_ownership",
    }


def test_a_nested_call_is_planned_before_the_call_that_uses_it():
    text = f'(gleif.refresh :as @call_1)\n(fund.ensure :name "F" :manager (gleif.enrich :lei "{LEI}"))'
    refresh, enrich, fund = planned_calls(text)
    assert refresh.binding == "call_1"
    assert (enrich.verb, enrich.binding) == ("gleif.enrich", "call_2")
    assert enrich.text == f'(gleif.enrich :lei "{LEI}" :as @call_2)'
    assert fund.arguments == {"name": "F", "manager": {"symbol": "call_2"}}


def test_a_nested_call_keeps_its_own_symbol():
    text = f'(fund.ensure :name "F" :manager (gleif.enrich :lei "{LEI}" :as @m) :umbrella @m)'
    enrich, fund = planned_calls(text)
    assert enrich.binding == "m"
    assert fund.arguments["manager"] == fund.arguments["umbrella"] == {"symbol": "m"}


def test_reading_calls_are_marked():
    effects = [
        call.effect for call in planned_calls(f'(gleif.search :name "A")\n(gleif.enrich :lei "{LEI}")')
    ]
    assert effects == ["read", "write"]


@pytest.mark.parametrize("text", ["(gleif.enrich :lei foo)", "(gleif.enrich)", "(no.verb)"])
def test_unsound_verbs_are_never_planned(text):
    with pytest.raises(InvalidVerbs) as caught:
        planned_calls(text)
    assert caught.value.errors[0]["line"] == 1


def test_no_verbs_are_no_calls():
    assert planned_calls(";; nothing to do\n") == []
