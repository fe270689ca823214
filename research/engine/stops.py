"""Exceptions that stop work before there is a result."""

from decimal import Decimal

from research.jsontext import JsonObject


class Ended(Exception):
    """The run fails. ``error`` has a sentence for people and a code for machines."""

    def __init__(self, code: str, message: str, **detail: object) -> None:
        self.error: JsonObject = {**detail, "code": code, "message": message}
        super().__init__(message)


class OutOfTime(Ended):
    """The deadline has passed. A conversation with something to report may still report it."""

    def __init__(self) -> None:
        super().__init__("deadline", "The deadline of the run has passed.", retryable=True)


class OverBudget(Exception):
    """A call was not made because its maximum cost exceeds the rest of the budget in US dollars."""

    def __init__(self, amount: Decimal) -> None:
        self.amount = amount
        super().__init__(f"${amount:.4f} more do not fit into the budget")


class Cancelled(Exception):
    """A person wants the run to stop. Raised between two steps."""


class HandedOver(Exception):
    """This process ends: another worker goes on with the run. Raised between two steps."""


class Parked(Exception):
    """The run waits for a person, for its children or for a time. Its state is stored; no worker holds it."""
