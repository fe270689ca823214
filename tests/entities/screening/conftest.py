"""Lists of three entries are whole here; the real ones have thousands."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from entities.screening import importing, lists

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)


@pytest.fixture
def now():
    return NOW


@pytest.fixture(autouse=True)
def small_lists(monkeypatch):
    for name, kind in lists.KINDS.items():
        monkeypatch.setitem(lists.KINDS, name, replace(kind, bytes=10, entries=1))
    assert importing.KINDS is lists.KINDS
