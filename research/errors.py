"""What Dossier refuses, and why. Each face (admin, REST, command line) maps these classes in one place of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.jsontext import JsonObject


class DossierError(Exception):
    """A refusal with a sentence for the person and a stable code for programs."""

    code = "error"

    def __init__(self, message: str, **detail: object) -> None:
        self.message = message
        self.detail: JsonObject = dict(detail)
        super().__init__(message)


@dataclass(frozen=True)
class ParamError:
    """One refused parameter: its name, what is wrong, and what would be allowed."""

    name: str
    message: str
    allowed: Sequence[str] = field(default_factory=tuple)

    def as_json(self) -> JsonObject:
        return {
            "name": self.name,
            "message": self.message,
            "allowed": list(self.allowed),
        }


class UnknownMacro(DossierError):
    """No active macro has this name."""

    code = "unknown-macro"


class LockedOut(DossierError):
    """There were too many failed attempts; the sentence says until when."""

    code = "locked-out"


class WrongCode(DossierError):
    """A code or a security key that does not open anything."""

    code = "wrong-code"


class InvalidParameters(DossierError):
    """Parameters are missing, unknown, mistyped or outside their enum."""

    code = "invalid-parameters"

    def __init__(self, errors: Sequence[ParamError]) -> None:
        self.errors = list(errors)
        text = "; ".join(f"{error.name}: {error.message}" for error in self.errors)
        super().__init__(text, errors=[error.as_json() for error in self.errors])


@dataclass(frozen=True)
class Fault:
    """One fault of a macro file: where it is and what is wrong."""

    file: str
    line: int
    message: str
    level: str = "error"

    def __str__(self) -> str:
        return f"{self.file or 'macro'}:{self.line}: {self.level}: {self.message}"

    def as_json(self) -> JsonObject:
        return {
            "file": self.file,
            "line": self.line,
            "message": self.message,
            "level": self.level,
        }


class InvalidMacro(DossierError):
    """A macro text has faults; none of it was stored."""

    code = "invalid-macro"

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = list(faults)
        super().__init__(
            "\n".join(map(str, self.faults)),
            faults=[fault.as_json() for fault in self.faults],
        )


class InvalidTransition(DossierError):
    """The object is not in a state from which this is allowed: someone else was first, or it is over."""

    code = "invalid-transition"


class StaleDigest(DossierError):
    """The decision was made on other data than what is stored now."""

    code = "stale-digest"


class ResultExpired(DossierError):
    """The result is out of date: what it says has to be looked up again before anybody signs for it."""

    code = "result-expired"


class DraftNotKept(DossierError):
    """What was typed could not be kept; ``revision`` is that of another draft, where one stands in the way."""

    code = "draft-not-kept"


class InvalidEdit(DossierError):
    """Edits do not apply, or break the schema; ``errors`` maps JSON Pointers to sentences, and is told as a list."""

    code = "invalid-edit"

    def __init__(self, errors: dict[str, str], message: str = "") -> None:
        self.errors = errors
        text = message or "; ".join(f"{pointer or '(document)'}: {why}" for pointer, why in errors.items())
        listed = [{"name": pointer, "message": why, "allowed": []} for pointer, why in errors.items()]
        super().__init__(text, errors=listed)


class ReasonRequired(DossierError):
    """This decision needs a reason in words."""

    code = "reason-required"


class NotPermitted(DossierError):
    """The person lacks the permission for this, or the four-eyes rule forbids it."""

    code = "not-permitted"


class FormatUnavailable(DossierError):
    """A memo cannot be written in this format; the sentence says why, and what to take instead."""

    code = "format-unavailable"


class SessionBusy(DossierError):
    """The session already has an active run or a result that waits for review."""

    code = "session-busy"


class NotFound(DossierError):
    """There is no such object."""

    code = "not-found"


class InvalidVerbs(DossierError):
    """The verbs do not parse or do not fit the catalogue; ``errors`` have line, column and message."""

    code = "invalid-verbs"

    def __init__(self, message: str, errors: Sequence[JsonObject] = ()) -> None:
        self.errors = list(errors)
        super().__init__(message, errors=self.errors)


class KeyReused(DossierError):
    """This Idempotency-Key was used for another request."""

    code = "idempotency-key-reused"


class KeyInUse(DossierError):
    """A request with this Idempotency-Key is being worked on."""

    code = "idempotency-key-in-use"


class WalkRefused(DossierError):
    """A step of a walk that was not made; ``code`` says which rule or fault, ``detail`` what to do next.

    Of a stale view ``given`` and ``current`` are the tokens.
    """

    def __init__(self, code: str, message: str, *, retryable: bool = False, **detail: object) -> None:
        super().__init__(message, **detail)
        self.code, self.retryable = code, retryable
