"""How a playbook asks: it yields calls, receives their answers, and records which stayed unanswered.

A playbook is a generator, so that it reads as the procedure it is. The model behind it holds no state: for every turn
the generator runs again over the answers that the conversation already holds.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from research.jsontext import Json, JsonObject
from research.llm.interface import ToolAnswer

T = TypeVar("T")

MAX_QUOTED = 200  # maximum length of external text in a sentence


@dataclass(frozen=True)
class Ask:
    """A tool call that a playbook wants. It gets its id when it enters the conversation."""

    tool: str
    arguments: JsonObject


Steps: TypeAlias = Generator[list[Ask], Sequence[ToolAnswer], T]


class Refusal(Exception):
    """The playbook ends without a document. ``message`` gives the reason, ``detail`` the code and possible remedies."""

    def __init__(self, code: str, message: str, *, retryable: bool = False, **detail: Json) -> None:
        self.message = message
        self.detail: JsonObject = {**detail, "code": code, "retryable": retryable}
        super().__init__(message)


@dataclass
class Notes:
    """Remarks of the playbook besides its data, and how many of its calls were answered."""

    findings: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    verifications: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    consulted: list[str] = field(default_factory=list)  # registers besides the LEI register
    calls: int = 0
    failed: int = 0
    register: str = ""
    as_of: str = ""

    @property
    def search_quality(self) -> Literal["HIGH", "MEDIUM", "LOW"]:
        """HIGH if every call was answered, LOW if most were not."""
        if not self.failed:
            return "HIGH"
        return "MEDIUM" if self.failed * 2 <= self.calls else "LOW"

    @property
    def data_quality(self) -> Literal["good", "fair", "poor"]:
        """Quality in the words of the schema. Never "excellent", because only registers were asked."""
        quality: dict[str, Literal["good", "fair", "poor"]] = {
            "HIGH": "good",
            "MEDIUM": "fair",
            "LOW": "poor",
        }
        return quality[self.search_quality]

    @property
    def register_label(self) -> str:
        name = (
            "the demo register shipped with Dossier"
            if self.register == "demo"
            else "the LEI register of GLEIF"
        )
        return f"{name}, as of {self.as_of[:10]}" if self.as_of else name

    def take(self, asked: Ask, answer: ToolAnswer) -> JsonObject | None:
        """The data of an answer. For a failure, add a gap with tool and reason, and return None."""
        self.calls += 1
        error = error_of(answer)
        if error is None:
            data: JsonObject = answer.content.get("data") or {}
            if asked.tool.startswith("lei_"):
                self.register = str(data.get("register") or self.register)
                self.as_of = max(self.as_of, str(data.get("as_of") or ""))
            return data
        self.failed += 1
        keys = ("lei", "name", "number")
        subject = next((quoted(asked.arguments[key]) for key in keys if asked.arguments.get(key)), "it")
        self.gaps.append(f"{asked.tool} for {subject} gave no answer: {error['message']} ({error['code']})")
        return None


def ask_all(notes: Notes, asks: Sequence[Ask]) -> Steps[list[JsonObject | None]]:
    """Make several calls in one turn. None for each without an answer."""
    if not asks:
        return []
    answers = yield list(asks)
    return [notes.take(asked, answer) for asked, answer in zip(asks, answers, strict=True)]


def ask(notes: Notes, tool: str, **arguments: Json) -> Steps[JsonObject | None]:
    """Make one call; None without an answer."""
    [data] = yield from ask_all(notes, [Ask(tool, arguments)])
    return data


def must_ask(notes: Notes, tool: str, **arguments: Json) -> Steps[JsonObject]:
    """Ask what the whole document rests on.

    Raises:
        Refusal: with the tool's error; ``register_unavailable`` when asking again later may help.
    """
    asked = Ask(tool, {key: value for key, value in arguments.items() if value is not None})
    [answer] = yield [asked]
    data = notes.take(asked, answer)
    if data is None:
        raise _refusal(tool, error_of(answer) or {})
    return data


def error_of(answer: ToolAnswer) -> JsonObject | None:
    """The error of an answer, always with code and message. None if the tool succeeded."""
    content = answer.content
    if content.get("success"):
        return None
    error = content.get("error")
    known: JsonObject = error if isinstance(error, dict) else {}
    return {
        **known,
        "code": str(known.get("code") or "unknown"),
        "message": str(known.get("message") or "no reason"),
    }


def quoted(text: object) -> str:
    """External text for use in a sentence: one line, bounded."""
    line = " ".join(str(text).split())
    return line if len(line) <= MAX_QUOTED else line[: MAX_QUOTED - 1] + "…"


def tally(words: Sequence[str], most: int = 6) -> str:
    """ "DE 12, FR 3, 2 others", most frequent first, ties by name."""
    counts = sorted(Counter(words).items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{word or 'unknown'} {count}" for word, count in counts[:most]]
    rest = sum(count for _, count in counts[most:])
    return ", ".join(shown + ([f"{rest} others"] if rest else []))


def _refusal(tool: str, error: JsonObject) -> Refusal:
    code, message = error["code"], f"{tool} gave no answer: {error['message']}"
    rest = {key: value for key, value in error.items() if key not in ("code", "message", "retryable")}
    if code == "not_found":
        return Refusal("not_found", error["message"], nearest=[])
    if code == "bad_arguments":
        return Refusal("invalid_input", error["message"], **rest)
    return Refusal(
        "register_unavailable", message, retryable=bool(error.get("retryable")), reason=code, **rest
    )
