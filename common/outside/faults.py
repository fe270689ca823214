"""What can go wrong with a source outside, and what follows from it.

Only ``not_found`` says anything about what the source holds, and only a source's own adapter raises it.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

FaultCode: TypeAlias = Literal[
    "not_set_up",  # no address or key is configured
    "left_alone",  # it failed repeatedly, and nobody asks it for a while
    "rate_limited",
    "quota",  # what the key may ask is used up
    "server_error",
    "timeout",
    "network",
    "denied",  # the key or our address is refused
    "refused",  # the question is refused, or cannot be sent
    "not_found",
    "unreadable",  # an answer that is not the source's own
    "incomplete",  # part of the source did not answer: what it did not say may be there
]


class _Rule(NamedTuple):
    """Whether asking later may help, whether the fault counts against the source's breaker, and its sentence."""

    retryable: bool
    trips: bool
    sentence: str


RULES: Mapping[FaultCode, _Rule] = {
    "not_set_up": _Rule(False, False, "is not set up"),
    "left_alone": _Rule(True, False, "failed repeatedly and is left alone for now"),
    "rate_limited": _Rule(True, False, "asks for fewer questions"),
    "quota": _Rule(False, False, "says that the quota of this key is used up"),
    "server_error": _Rule(True, True, "is in trouble"),
    "timeout": _Rule(True, True, "did not answer in time"),
    "network": _Rule(True, True, "cannot be reached"),
    "denied": _Rule(False, False, "does not accept the key or our address"),
    "refused": _Rule(False, False, "refused the question"),
    "not_found": _Rule(False, False, "does not have it"),
    "unreadable": _Rule(False, True, "gave an answer that cannot be read"),
    "incomplete": _Rule(True, False, "answered only in part"),
}


class SourceFault(Exception):
    """A source gave no answer that can be relied on.

    ``message`` is a fixed sentence of ours, ``{source} {said}.``: nothing that the source or a library said is in it,
    because either may repeat a key. ``retry_after`` are the seconds the source asked for, if it did;
    ``status`` is of HTTP, 0 without an answer.
    """

    def __init__(
        self,
        source: str,
        code: FaultCode,
        said: str = "",
        *,
        retry_after: float | None = None,
        status: int = 0,
    ) -> None:
        self.source, self.code, self.retry_after, self.status = source, code, retry_after, status
        told = f" (HTTP {status})" if status and not said else ""
        self.message = f"{source} {said or RULES[code].sentence}{told}."
        super().__init__(self.message)

    @property
    def retryable(self) -> bool:
        """Whether the same question may be answered later. A quota comes back only when the source says when."""
        return RULES[self.code].retryable or (self.code == "quota" and self.retry_after is not None)


def code_of(status: int) -> FaultCode:
    """The code of an HTTP status that is not 200. A 404 is only ``refused``: an address may be wrong, too."""
    named: Mapping[int, FaultCode] = {
        401: "denied",
        402: "quota",
        403: "denied",
        407: "denied",
        408: "timeout",
        429: "rate_limited",
        504: "timeout",
    }
    if status in named:
        return named[status]
    return "server_error" if status >= 500 else "refused" if status >= 400 else "unreadable"
