"""A crash trial that is wrong must not pass for right: the judge is judged here."""

from decimal import Decimal

import pytest

from bench.crash.ledger import Outcome, cost
from bench.work import TURNS
from tests.factories import ResultFactory, RunFactory

pytestmark = pytest.mark.django_db

BILL = [(turn, 100 + 10 * turn) for turn in range(TURNS)]
ONCE = sum((cost(tokens) for _, tokens in BILL), Decimal(0))
RIGHT = {"entity": "Example AG", "status": "active", "sources": TURNS - 1}


@pytest.fixture
def judge():
    """Every broken promise of a run that ended as told."""

    def faults(bill=BILL, tools=TURNS - 1, in_flight=False, data=RIGHT, **fields):
        run = RunFactory(**{"state": "succeeded", "spent_usd": ONCE, **fields})
        ResultFactory(run=run, data=data)
        turns = [{"kind": "model", "answer": {"text": ""}}] * TURNS
        calls = [{"kind": "tool", "answer": {"success": True}}] * (TURNS - 1)
        for seq, step in enumerate([*turns, *calls], 1):
            run.steps.create(seq=seq, name="step", fence=1, **step)
        return list(Outcome(run, bill, tools).faults(in_flight=in_flight))

    return faults


def test_it_finds_nothing_in_an_exact_ledger(judge):
    assert judge() == []


def test_it_lets_a_call_in_flight_be_repeated_when_its_price_is_booked(judge):
    repeated = [*BILL, BILL[3]]
    assert judge(bill=repeated, in_flight=True, lost_usd=Decimal("0.5")) == []


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({"state": "failed", "error": {"code": "internal"}}, "the run is failed"),
        ({"data": {**RIGHT, "sources": 2}}, "results"),
        ({"bill": [*BILL, BILL[3]]}, "8 model calls"),
        ({"bill": [*BILL, BILL[3], BILL[3]], "in_flight": True, "lost_usd": Decimal(1)}, "9 model calls"),
        ({"bill": [*BILL, BILL[3]], "in_flight": True}, "less than the bill"),
        ({"spent_usd": ONCE * 2}, "one answer of each turn"),
        ({"lost_usd": Decimal("0.01")}, "no call was in flight"),
        ({"reserved_usd": Decimal("0.01")}, "still reserved"),
        ({"tools": TURNS + 1}, "tool calls"),
    ],
)
def test_it_names_a_broken_promise(judge, told, fault):
    assert any(fault in found for found in judge(**told))
