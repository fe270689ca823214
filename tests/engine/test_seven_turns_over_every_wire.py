"""A whole run of seven turns over each wire protocol, streamed and not: each call once, and the bill is the ledger."""

import json
from decimal import Decimal

import pytest

from research.engine.runner import perform_run
from research.models import ModelPrice, ResearchResult, Step
from tests.engine.conftest import FINAL, SIX
from tests.factories import RunFactory
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, point_at

pytestmark = pytest.mark.django_db

LOOK_UPS = [{"calls": [{"name": "lei_record", "arguments": {"lei": lei}}]} for lei in SIX]
SCRIPT = [*LOOK_UPS, {"text": json.dumps(FINAL)}]


@pytest.mark.parametrize("stream", ["on", "off"])
@pytest.mark.parametrize("name", MODELS)
def test_it_calls_tools_six_times_and_answers(settings, name, stream):
    ModelPrice.objects.create(
        model=name.split(":", 1)[1],
        valid_from="2020-01-01",
        input_usd=3,
        cached_usd=Decimal("0.3"),
        cache_write_usd=Decimal("3.75"),
        output_usd=15,
    )
    run = RunFactory(model=name, budget_usd=Decimal(10))
    with Double(SCRIPT) as double:
        point_at(settings, double, stream)
        perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == ("succeeded", None)
    assert ResearchResult.objects.get(run=run).data == FINAL
    bill = double.bill
    assert (bill.requests, bill.answered, bill.violations) == (7, 7, [])
    assert Step.objects.filter(run=run, kind="tool").count() == 6
    assert float(run.spent_usd) == pytest.approx(bill.usd) != 0
    assert (run.reserved_usd, run.lost_usd) == (0, 0)
