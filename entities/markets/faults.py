"""What can go wrong with a market source. Only ``not_listed`` says anything about a token."""

from typing import Literal, TypeAlias

from common.outside.faults import TROUBLE, Rule, SourceFault

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


class MarketFault(SourceFault):
    """A source gave no answer. A quota is spent for the day; ``status`` is of HTTP, 0 without."""

    rules = {
        **TROUBLE,
        "quota": Rule(retryable=False, trips=False),
        "bad_request": Rule(retryable=False, trips=False),
        "not_listed": Rule(retryable=False, trips=False),
        "unreadable": Rule(retryable=False, trips=True),
        "not_set_up": Rule(retryable=False, trips=False),
    }

    def __init__(
        self, kind: FaultKind, message: str, *, retry_after: float | None = None, status: int = 0
    ) -> None:
        self.kind, self.status = kind, status
        super().__init__(kind, message, retry_after)
