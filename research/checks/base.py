"""What every check answers with."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

from research.jsontext import Json, JsonObject

Answer: TypeAlias = Literal["pass", "warn", "fail", "unknown"]
Kind: TypeAlias = Literal["schema", "lei", "citation", "quote", "source"]

MAX_QUOTE = 120


@dataclass(frozen=True, slots=True)
class Verdict:
    """One answer about one claim: ``pointer`` (RFC 6901) says where it stands, ``subject`` what it is about.

    ``message`` is one sentence for the reviewer; ``evidence`` what it rests on; ``as_of`` the date of the source.
    """

    kind: Kind
    code: str
    pointer: str
    subject: str
    verdict: Answer
    message: str
    evidence: JsonObject = field(default_factory=dict)
    as_of: str = ""

    def as_json(self) -> JsonObject:
        return asdict(self)


def pointer(parts: Iterable[str | int]) -> str:
    """The JSON Pointer of a path."""
    return "".join(f"/{escaped(part)}" for part in parts)


def escaped(part: str | int) -> str:
    """One reference token of a JSON Pointer."""
    return str(part).replace("~", "~0").replace("/", "~1")


def clipped(value: Json, limit: int = MAX_QUOTE) -> str:
    """A value as short text for a message: never longer than ``limit``, never over several lines."""
    text = value if isinstance(value, str) else _shown(value)
    text = " ".join(text[: limit * 4].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _shown(value: Json) -> str:
    """How JSON writes a small value; of a large one only its kind, for it may hold megabytes."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else str(value)
