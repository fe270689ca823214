"""The classes into which trouble with a source falls, and what follows from each for whoever asks."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple


class Rule(NamedTuple):
    """Whether asking again later may help, and whether the fault counts against the source's breaker."""

    retryable: bool
    trips: bool


TROUBLE: Mapping[str, Rule] = {  # that any source can be in
    "rate_limit": Rule(retryable=True, trips=False),
    "server_error": Rule(retryable=True, trips=True),
    "timeout": Rule(retryable=True, trips=True),
    "network": Rule(retryable=True, trips=True),
    "auth": Rule(retryable=False, trips=False),
}


class SourceFault(Exception):
    """A source gave no answer. ``message`` is one fixed sentence: nothing the source or a library said is in it,
    because either may repeat a key. ``retry_after`` are the seconds it asked for, if it did."""

    rules: ClassVar[Mapping[str, Rule]] = TROUBLE

    def __init__(self, kind: str, message: str, retry_after: float | None = None) -> None:
        self.message, self.retry_after = message, retry_after
        self.rule = self.rules[kind]
        super().__init__(message)

    @property
    def retryable(self) -> bool:
        return self.rule.retryable

    @property
    def trips(self) -> bool:
        return self.rule.trips
