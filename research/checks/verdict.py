"""The verdict that every check returns."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Protocol

from research.jsontext import Json, JsonObject

SEVERITY = {"pass": 0, "warn": 1, "unknown": 2, "fail": 3}
# Sort "unknown" before "warn": an unknown check may still turn out to be a failure.
WORST_FIRST = tuple(sorted(SEVERITY, key=SEVERITY.__getitem__, reverse=True))
MAX_MESSAGE = 500
MAX_QUOTE = 120


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict about one claim: ``pointer`` is where it stands (RFC 6901), ``verdict`` pass, warn, fail or unknown.

    ``message`` is one sentence for the reviewer, ``evidence`` what it rests on, ``as_of`` the date of the source.
    """

    kind: str
    code: str
    pointer: str
    subject: str
    verdict: str
    message: str
    evidence: JsonObject = field(default_factory=dict)
    as_of: str = ""

    def as_json(self) -> JsonObject:
        return asdict(self)


class CheckLike(Protocol):
    """A new Verdict or a stored Check."""

    @property
    def kind(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def pointer(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def evidence(self) -> JsonObject: ...


def count_distinct(verdicts: Iterable[CheckLike]) -> int:
    """Number of distinct subjects: one LEI in many places counts once."""
    return len({(verdict.code, verdict.subject, verdict.message) for verdict in verdicts})


def needs_reason(check: CheckLike) -> bool:
    """Whether signing requires a reason: a check failed, or a number or a date has no source."""
    unfound = check.verdict == "warn" and check.code in ("not-found", "apart")
    return check.verdict == "fail" or (unfound and check.evidence.get("kind") in ("number", "date"))


def worst(verdicts: Iterable[Verdict]) -> str:
    """The worst verdict; "pass" if there are none."""
    return max((verdict.verdict for verdict in verdicts), key=SEVERITY.__getitem__, default="pass")


def pointer(parts: Iterable[str | int]) -> str:
    """The JSON Pointer for a path of keys and indices."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def bounded(text: str, limit: int = MAX_MESSAGE) -> str:
    """Truncate a message that quotes data."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def clipped(value: Json, limit: int = MAX_QUOTE) -> str:
    """A value as short text on one line for a message."""
    text = value if isinstance(value, str) else _shown(value)
    return bounded(" ".join(text[: limit * 4].split()), limit)


def _shown(value: Json) -> str:
    """A small value as JSON. For a large one only its kind, because it may have megabytes."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else str(value)
