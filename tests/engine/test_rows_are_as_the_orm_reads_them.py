"""Statements that are put together once read the same rows as the ORM does."""

from decimal import Decimal

import pytest
from django.utils import timezone

from research.models import ModelPrice, Run
from research.models.states import RunState
from research.store import rows
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


def values(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_it_reads_a_row_as_the_orm_does():
    run = RunFactory(
        params={"name": "Zürich", "n": [1, None]},
        budget_usd=Decimal("1.5"),
        deadline=timezone.now(),
        error={"code": "x"},
    )
    (read,) = rows.read(Run, "WHERE state = %s", [RunState.QUEUED])
    assert values(read) == values(Run.objects.get(pk=run.pk))
    assert values(rows.read(type(run.macro), "")[0]) == values(run.macro)
    read.phase = "later"
    read.save()
    assert Run.objects.get().phase == "later"


def test_it_reads_days_and_amounts():
    today = timezone.localdate()
    ModelPrice.objects.create(
        model="m", valid_from=today, input_usd="1.25", cached_usd=0, cache_write_usd=0, output_usd="10.0001"
    )
    (read,) = rows.read(ModelPrice, "WHERE valid_from <= %s", [today])
    assert (read.output_usd, read.valid_from) == (Decimal("10.0001"), today)
