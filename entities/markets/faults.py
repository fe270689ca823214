"""What can go wrong with a market source. Only ``not_listed`` says anything about a token."""

from typing import Literal, NamedTuple, TypeAlias

FaultKind: TypeAlias = Literal[
    "rate_limit",
    "quota",
    "server_error",
    "timeout",
    "network",
    "auth",
    "bad_request",
    "not_listed",
    "unreadable",
    "not_set_up",
]


class Rule(NamedTuple):
    """Whether asking again later may help, and whether the fault counts against the source's breaker."""

    retryable: bool
    trips: bool


RULES: dict[FaultKind, Rule] = {
    "rate_limit": Rule(retryable=True, trips=False),
    "quota": Rule(retryable=False, trips=False),
    "server_error": Rule(retryable=True, trips=True),
    "timeout": Rule(retryable=True, trips=True),
    "network": Rule(retryable=True, trips=True),
    "auth": Rule(retryable=False, trips=False),
    "bad_request": Rule(retryable=False, trips=False),
    "not_listed": Rule(retryable=False, trips=False),
    "unreadable": Rule(retryable=False, trips=True),
    "not_set_up": Rule(retryable=False, trips=False),
}


class MarketFault(Exception):
    """A source gave no answer. ``message`` is one fixed sentence: nothing the source or a library said is in it,
    because either may repeat a key. ``retry_after`` are the seconds it asked for; ``status`` is of HTTP, 0 without."""

    def __init__(
        self, kind: FaultKind, message: str, *, retry_after: float | None = None, status: int = 0
    ) -> None:
        self.kind, self.message = kind, message
        self.retry_after, self.status = retry_after, status
        super().__init__(message)

    @property
    def retryable(self) -> bool:
        return RULES[self.kind].retryable

    @property
    def trips(self) -> bool:
        return RULES[self.kind].trips
