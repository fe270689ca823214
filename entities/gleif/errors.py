"""What can go wrong with the LEI register. Only ``GleifNotFound`` says anything about an LEI."""


class GleifError(Exception):
    """Any trouble with the register; the message is one sentence for a person."""


class GleifUnavailable(GleifError):
    """The register cannot be asked now: no connection, time-out, 5xx, or an answer that is not its JSON."""


class GleifBadAnswer(GleifUnavailable):
    """The register answered with something that is not its document (HTML, cut JSON, a wrong shape)."""


class GleifRateLimited(GleifError):
    """Still 429 after the retries; ``retry_after`` are the seconds it asked for, if it did."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class GleifNotFound(GleifError):
    """404: the register has no such record, or reports no such relation of it."""


class GleifBadRequest(GleifError):
    """The register refused the question itself (400 or another 4xx)."""
