"""What can go wrong with a register. Only ``RegisterNotFound`` says anything about a company."""


class RegisterError(Exception):
    """Any trouble with a register; the message is one sentence for a person."""

    code = "register_error"
    retryable = False


class RegisterUnavailable(RegisterError):
    """The register cannot be asked now: no connection, time-out, 5xx, or an answer that is not its own."""

    code = "register_unavailable"
    retryable = True


class RegisterBadAnswer(RegisterUnavailable):
    """The register answered with something that is not its document (HTML, cut JSON, a wrong shape)."""


class RegisterRateLimited(RegisterError):
    """Too many questions, even after waiting; ``retry_after`` are the seconds it asked for, if it did."""

    code = "rate_limited"
    retryable = True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class RegisterDenied(RegisterError):
    """The register does not know us (401, 403): the key is missing, wrong or blocked."""

    code = "register_denied"


class RegisterNotConfigured(RegisterError):
    """The register needs a setting that is not there."""

    code = "not_configured"


class NotOffered(RegisterError):
    """The register holds nothing of the kind that was asked for."""

    code = "not_offered"


class BadNumber(RegisterError):
    """What was given is not a number of this register; it was not asked."""

    code = "bad_number"


class RegisterBadRequest(RegisterError):
    """The register refused the question itself."""

    code = "bad_request"


class RegisterNotFound(RegisterError):
    """The register says that it has no such record."""

    code = "not_found"
