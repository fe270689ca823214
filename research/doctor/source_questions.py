"""Asking a source one harmless question through our own client, and holding the answer against what we read of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any

from common.bounded_json import load_json
from common.outside.exchange import Reply, witnessed
from common.outside.shape import misfits
from common.text import storable_text
from research.doctor.findings import Examination, Finding, State

SHOWN = 3  # misfits in a sentence
ATTEMPT = 8.0  # seconds
REPORT = "The source has changed, or never was as documented: report it with this line."
NETWORK = "See whether the network, or a proxy in it, lets this machine through to it."

# What the faults of our clients mean, by their ``kind``, ``code`` or class.
_DENIED, _BUSY, _AWAY, _REFUSED, _ABSENT, _UNREADABLE = (
    "denied",
    "busy",
    "away",
    "refused",
    "absent",
    "unreadable",
)
_MEANINGS = {
    "denied": _DENIED,
    "register_denied": _DENIED,
    "quota": _DENIED,
    "rate_limited": _BUSY,
    "left_alone": _BUSY,
    "timeout": _AWAY,
    "network": _AWAY,
    "server_error": _AWAY,
    "register_unavailable": _AWAY,
    "incomplete": _AWAY,
    "GleifBadAnswer": _UNREADABLE,  # before what it is a kind of
    "RegisterBadAnswer": _UNREADABLE,
    "GleifUnavailable": _AWAY,
    "GleifRateLimited": _BUSY,
    "GleifBadRequest": _REFUSED,
    "GleifNotFound": _ABSENT,
    "bad_request": _REFUSED,
    "refused": _REFUSED,
    "not_found": _ABSENT,
}
_STATES: dict[str, State] = {_DENIED: "broken", _BUSY: "warning", _REFUSED: "broken", _ABSENT: "warning"}
_TODO = {
    _DENIED: "Look at {needs} and the account behind it.",
    _BUSY: "Ask again in a while; runs wait by themselves.",
    _AWAY: NETWORK,
    _REFUSED: REPORT,
    _ABSENT: "It should have what it was asked for; report it with this line if it stays so.",
}


@dataclass(frozen=True)
class Question:
    """What a source is asked: ``ask`` goes through our client and its parser and returns what to object to its value.

    ``shapes`` are those of the answers in their order, "" for one that is no JSON. ``needs`` are the settings that set
    the source up; one that has been set up by them is broken when it cannot be reached, any other only missed.
    """

    group: str
    name: str
    ask: Callable[[], str]
    shapes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    off: str = ""  # why it is not asked, though nothing is missing


def examination(question: Question, dates: list[float]) -> Examination:
    """The examination of a source; what its answer says of the time is added to ``dates``."""
    if question.missing or question.off:
        how = question.off or f"Set {' and '.join(question.missing)}."
        return Examination(question.group, question.name, partial(Finding, "skipped", "Not set up.", how))
    return Examination(question.group, question.name, partial(_asked, question, dates), outside=True)


def _asked(question: Question, dates: list[float]) -> Finding:
    with witnessed() as replies:
        error: Exception | None = None
        doubt = ""
        try:
            doubt = question.ask()
        except Exception as raised:  # noqa: BLE001 - each client has faults of its own, and a parser may fail in any way
            error = raised
    dates += [skew for skew in map(_skew, replies) if skew is not None]
    meaning = _meaning(error) if error else ""
    if error and meaning not in (_UNREADABLE, _ABSENT):
        return _refused(question, error, meaning)
    pairs = zip(replies, question.shapes, strict=False)
    problems = [each for reply, shape in pairs for each in _problems(reply, shape)]
    if error and not problems and meaning == _ABSENT:
        return _refused(question, error, meaning)
    if not problems and (error or doubt):
        problems = [_told(error).rstrip(".") if error else doubt]
    if problems:
        more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        return Finding("broken", f"{question.name}: {'; '.join(problems[:SHOWN])}{more}.", REPORT)
    return Finding("ok", "It answers as our parser expects.")


def _refused(question: Question, error: Exception, meaning: str) -> Finding:
    needs = " and ".join(question.needs) or "the address from which this machine asks"
    state = _STATES.get(meaning, "broken" if question.needs else "warning")
    return Finding(state, _told(error), _TODO[meaning].format(needs=needs))


def _meaning(error: Exception) -> str:
    names = [each.__name__ for each in type(error).__mro__]
    words = (*names, getattr(error, "kind", ""), getattr(error, "code", ""))
    return next((_MEANINGS[word] for word in words if word in _MEANINGS), _UNREADABLE)


def _told(error: Exception) -> str:
    """The sentence of a fault of our clients; of any other exception only its kind, which quotes nothing."""
    known = type(error).__module__.split(".")[0] in ("entities", "citations", "research", "common")
    return str(error) if known else f"its answer cannot be read ({type(error).__name__})"


def _problems(reply: Reply, shape: str) -> list[str]:
    if not shape or reply.status != 200:
        return []
    try:
        document: Any = load_json(reply.body)
    except ValueError:
        begins = " ".join(storable_text(reply.body[:200].decode("utf-8", "replace")).split())[:60]
        return [f"the answer is not JSON; it begins with {begins!r}"]
    return misfits(document, shape)


def _skew(reply: Reply) -> float | None:
    """How much later than here it is there, in seconds, by the header of its answer."""
    try:
        return parsedate_to_datetime(reply.headers["Date"]).timestamp() - time.time()
    except (LookupError, TypeError, ValueError):
        return None
