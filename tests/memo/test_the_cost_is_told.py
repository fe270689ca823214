"""What the research cost stands in the memo; what nobody knows is not zero."""

from decimal import Decimal

import pytest

from research.models import Run, Step

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("spent", "unknown", "told"),
    [
        ("0", 0, "0.0000 USD"),
        ("0.5", 0, "0.5000 USD"),
        ("0", 2, "2 calls of unknown cost"),
        ("0.5", 1, "0.5000 USD + 1 call of unknown cost"),
    ],
)
def test_known_and_unknown_cost_are_told_apart(make_result, compose, spent, unknown, told):
    result = make_result()
    Run.objects.filter(pk=result.run_id).update(spent_usd=Decimal(spent))
    for seq in range(1, unknown + 1):
        usage = {"cost": "unknown"}
        Step.objects.create(run=result.run, seq=seq, kind="model", name="m", answer={}, usage=usage, fence=1)
    page = compose(result, format="html")
    assert f"<dd><bdi>{told}</bdi></dd>" in page
