"""Synthetic LEI records, and a register that holds them and counts what it is asked."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import pytest

from entities.gleif.errors import GleifError
from entities.gleif.records import Record
from entities.lei import complete
from entities.names.matching import NameVariant


class StubRegister:
    """Answers from memory; raises ``trouble`` from the ``trouble_from``-th question on."""

    as_of = "2026-01-02T00:00:00Z"

    def __init__(self, *records: Record, trouble: GleifError | None = None, trouble_from: int = 1) -> None:
        self.held = {record.lei: record for record in records}
        self.asked: list[list[str]] = []
        self.trouble, self.trouble_from = trouble, trouble_from

    def records(self, leis: Iterable[str]) -> dict[str, Record]:
        self.asked.append(list(leis))
        if self.trouble and len(self.asked) >= self.trouble_from:
            raise self.trouble
        return {lei: self.held[lei] for lei in self.asked[-1] if lei in self.held}


def synthetic_lei(number: int) -> str:
    return complete(f"SYNTHETIC{number:09d}")


def synthetic_record(number: int = 1, **changes: Any) -> Record:
    """A record in good order, but for the ``changes``; ``names`` takes (name, type) pairs beside the legal name."""
    name = changes.pop("legal_name", "Muster SE")
    others = [NameVariant(text, kind, "de") for text, kind in changes.pop("names", ())]
    facts: dict[str, Any] = {
        "jurisdiction": "DE",
        "legal_country": "DE",
        "hq_country": "DE",
        "entity_status": "ACTIVE",
        "registration_status": "ISSUED",
        "next_renewal": date(2027, 1, 1),
    }
    return Record(
        synthetic_lei(number), name, (NameVariant(name, language="de"), *others), **(facts | changes)
    )


@pytest.fixture
def lei() -> Callable[[int], str]:
    return synthetic_lei


@pytest.fixture
def record() -> Callable[..., Record]:
    return synthetic_record


@pytest.fixture
def register_of() -> Callable[..., StubRegister]:
    return StubRegister
