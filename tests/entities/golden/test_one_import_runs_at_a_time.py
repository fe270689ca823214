"""The database itself knows that only one file is imported at a time."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from entities.models import GoldenCopyImport

pytestmark = pytest.mark.django_db


def running(**fields):
    return GoldenCopyImport.objects.create(
        kind="lei2", scope="full", source="a.csv", publish_date=timezone.now(), **fields
    )


def test_it_refuses_a_second_running_import():
    running()
    with pytest.raises(IntegrityError), transaction.atomic():
        running()


def test_it_knows_the_states():
    with pytest.raises(IntegrityError), transaction.atomic():
        running(state="resting")


def test_finished_imports_are_many():
    for _ in range(2):
        running(state="live")
        running(state="failed")
    assert GoldenCopyImport.objects.count() == 4
