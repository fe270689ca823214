"""What every check returns."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from research.jsontext import JsonObject

SEVERITY = {"pass": 0, "warn": 1, "unknown": 2, "fail": 3}
MAX_MESSAGE = 500


@dataclass(frozen=True)
class Verdict:
    """One verdict about one claim: ``pointer`` is where it stands (RFC 6901), ``verdict`` pass, warn, fail or unknown."""

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


def worst(verdicts: Iterable[Verdict]) -> str:
    """The gravest verdict; "pass" when there is none."""
    return max((verdict.verdict for verdict in verdicts), key=SEVERITY.__getitem__, default="pass")


def bounded(text: str, limit: int = MAX_MESSAGE) -> str:
    """A message that quotes data, cut to a length a page can bear."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
