"""What can go wrong on the way to a source. It never says anything about what the source holds."""

from typing import Literal, TypeAlias

FaultCode: TypeAlias = Literal[
    "not_set_up",  # no address is configured
    "timeout",
    "network",
    "left_alone",  # it failed repeatedly, and nobody asks it for a while
    "rate_limited",
    "server_error",
    "refused",  # 4xx: it will not have this question
    "denied",  # 401, 403, or a page that keeps robots out, whatever its HTTP status
    "incomplete",  # some of its shards failed: what it did not say may be there
    "unreadable",
]
RETRYABLE: frozenset[FaultCode] = frozenset(
    ("timeout", "network", "rate_limited", "server_error", "incomplete")
)
TRIPPING: frozenset[FaultCode] = frozenset(("timeout", "network", "server_error", "denied"))


class SourceUnavailable(Exception):
    """A source could not be asked, or its answer cannot be relied on. ``retry_after`` is in seconds."""

    def __init__(
        self, source: str, code: FaultCode, message: str, retry_after: float | None = None, *, status: int = 0
    ) -> None:
        self.source, self.code, self.message = source, code, message
        self.retry_after, self.status = retry_after, status
        super().__init__(message)

    @property
    def retryable(self) -> bool:
        """Whether the same question may be answered later."""
        return self.code in RETRYABLE or self.code == "left_alone"
