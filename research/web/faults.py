"""What can go wrong on the way to a page, as one typed exception that tools turn into a value."""

from typing import Literal, TypeAlias

FaultCode: TypeAlias = Literal[
    "blocked",  # the guard refuses the address
    "not_given",  # nobody gave it and nothing that was read leads there
    "robots",  # the site's robots.txt forbids the page, or cannot be read now
    "dns",
    "connection",
    "tls",
    "timeout",
    "busy",  # the site's turn is further away than we may wait
    "status",
    "redirect_loop",
    "too_large",
    "truncated",
    "encoding",
    "mime",
    "unreadable",  # damaged, encrypted, or without any text
]


class FetchFault(Exception):
    """One page that could not be had. ``retryable`` says whether asking again later may help.

    ``status`` is the HTTP status where there was one; ``retry_after`` is what the site asked for, in seconds.
    """

    def __init__(
        self,
        code: FaultCode,
        message: str,
        *,
        retryable: bool = False,
        status: int = 0,
        retry_after: float | None = None,
    ) -> None:
        self.code, self.message, self.retryable = code, message, retryable
        self.status, self.retry_after = status, retry_after
        super().__init__(message)

    def again(self) -> "FetchFault":
        """The same fault as a new exception: one that is raised twice would collect tracebacks."""
        return FetchFault(
            self.code,
            self.message,
            retryable=self.retryable,
            status=self.status,
            retry_after=self.retry_after,
        )
