"""How work on a run stops before its result is there."""

from decimal import Decimal

from research.jsontext import JsonObject


class Ended(Exception):
    """The run fails; ``error`` says why, in words for a person and a code for machines."""

    def __init__(self, code: str, message: str, **detail: object) -> None:
        self.error: JsonObject = {**detail, "code": code, "message": message}
        super().__init__(message)


class OutOfTime(Ended):
    """The deadline has passed; a conversation that has something to report may still report it."""

    def __init__(self) -> None:
        super().__init__("deadline", "The deadline of the run has passed.", retryable=True)


class OverBudget(Exception):
    """A call was not begun because its worst case does not fit into what is left of the budget in US dollars."""

    def __init__(self, amount: Decimal) -> None:
        self.amount = amount
        super().__init__(f"${amount:.4f} more do not fit into the budget")


class Cancelled(Exception):
    """A person wants the run to stop; raised between two steps."""


class Parked(Exception):
    """The run waits for a person, for its children or for a time; its state is stored and no worker holds it."""
