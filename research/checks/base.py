"""What every check answers with."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Protocol

from research.jsontext import Json, JsonObject

SEVERITY = {"pass": 0, "warn": 1, "unknown": 2, "fail": 3}
# "unknown" before "warn" in every list: a warning is an answer, what is unknown may yet turn out to be a failure.
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
    """A fresh Verdict, or a stored Check."""

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
    """How many different things are said: one LEI that stands in many places is one matter to sign for."""
    return len({(verdict.code, verdict.subject, verdict.message) for verdict in verdicts})


def needs_reason(check: CheckLike) -> bool:
    """Whether a person who signs has to say why all the same: something failed, or a number or a date has no source."""
    unfound = check.verdict == "warn" and check.code in ("not-found", "apart")
    return check.verdict == "fail" or (unfound and check.evidence.get("kind") in ("number", "date"))


def worst(verdicts: Iterable[Verdict]) -> str:
    """The gravest verdict; "pass" when there is none."""
    return max((verdict.verdict for verdict in verdicts), key=SEVERITY.__getitem__, default="pass")


def pointer(parts: Iterable[str | int]) -> str:
    """The JSON Pointer of a path of keys and indices."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def bounded(text: str, limit: int = MAX_MESSAGE) -> str:
    """A message that quotes data, cut to a length a page can bear."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def clipped(value: Json, limit: int = MAX_QUOTE) -> str:
    """A value as short text on one line, to be quoted in a message."""
    text = value if isinstance(value, str) else _shown(value)
    return bounded(" ".join(text[: limit * 4].split()), limit)


def _shown(value: Json) -> str:
    """How JSON writes a small value; of a large one only its kind, for it may hold megabytes."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else str(value)
