"""Check every LEI in the data against the register.

Two ways to state one: in a field made for it (``lei``, ``owner_lei``, ``leis``), where anything else is a fault; and in
running text, where a token counts when it is well formed or the text calls it an LEI. Whoever fills the field says that
this is the LEI to use; running text may well tell of one that has ended, so there that is only worth a look.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import TypeAlias

from entities import lei as iso17442
from entities.gleif.policy import Policy
from entities.gleif.verification import Claim, LeiReport, Records, verify
from research.checks.verdict import Verdict, clipped, pointer
from research.jsontext import Json, JsonObject

MAX_CLAIMS = 1_000
ENDED = ("registration_status", "entity_status", "successor")
_FIELD = re.compile(r"(?:(?P<prefix>.+)[_-])?leis?", re.IGNORECASE)

_Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """An LEI in the data and its place. ``prose``: found in running text."""

    pointer: str
    claim: Claim
    prose: bool = False


def check_leis(data: Json, register: Records, *, today: date, policy: Policy | None = None) -> list[Verdict]:
    """Verdicts for every LEI in the data, each at its own place; the register is asked once for all of them.

    At most MAX_CLAIMS are checked; one ``unknown`` says so when there are more. Never raises for a register in trouble.
    """
    found = list(islice(find_claims(data), MAX_CLAIMS + 1))
    checked = found[:MAX_CLAIMS]
    reports = verify([item.claim for item in checked], register, today=today, policy=policy)
    verdicts = [
        each for item, report in zip(checked, reports, strict=True) for each in _verdicts(item, report)
    ]
    if len(found) > len(checked):
        text = f"There are more than {MAX_CLAIMS} LEIs; the rest was not checked."
        verdicts.append(Verdict("lei", "existence", "", "", "unknown", text))
    return verdicts


def find_claims(data: Json) -> Iterator[Found]:
    """All LEIs in the order of the document, with the name and jurisdiction stated beside them.

    Beside ``lei`` that is ``name`` and ``jurisdiction``; beside ``owner_lei`` it is ``owner_name`` (or ``owner``, where
    that is a text) and ``owner_jurisdiction``. An empty value states nothing.
    """
    stack: list[tuple[Json, _Path, Claim | None]] = [(data, (), None)]
    while stack:
        value, path, claim = stack.pop()
        if claim is not None:
            yield Found(pointer(path), claim)
        elif isinstance(value, dict):
            stack.extend(
                reversed([(child, (*path, key), _stated(value, key)) for key, child in value.items()])
            )
            yield from (found for key in value for found in _mentions(key, (*path, key)))
        elif isinstance(value, list):
            stack.extend(_entries(value, path))
        elif isinstance(value, str):
            yield from _mentions(value, path)


def _entries(values: list[Json], path: _Path) -> Iterator[tuple[Json, _Path, Claim | None]]:
    """The entries of a list, last first. In a list of LEIs each text is one."""
    is_field = bool(path) and _FIELD.fullmatch(str(path[-1])) is not None
    for index in reversed(range(len(values))):
        text = _text(values[index]) if is_field else ""
        yield values[index], (*path, index), Claim(text) if text else None


def _stated(parent: JsonObject, key: str) -> Claim | None:
    """The LEI that a field states. None for other fields, empty values and nested values."""
    field, text = _FIELD.fullmatch(key), _text(parent[key])
    if field is None or not text:
        return None
    prefix = field["prefix"]
    if prefix is not None and not isinstance(parent[key], str):
        return None  # a count, such as entities_with_lei
    if prefix is None:
        return Claim(text, _beside(parent, "name"), _beside(parent, "jurisdiction"))
    name = _beside(parent, f"{prefix}_name") or _beside(parent, prefix)
    return Claim(text, name, _beside(parent, f"{prefix}_jurisdiction"))


def _beside(parent: JsonObject, key: str) -> str | None:
    value = parent.get(key)
    return value.strip() or None if isinstance(value, str) else None


def _text(value: Json) -> str:
    """A stated LEI as text. A number is an LEI without quotes, and is checked too."""
    if isinstance(value, str):
        return value.strip() and value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _mentions(text: str, path: _Path) -> Iterator[Found]:
    tokens = {
        token: None
        for start, _, token in iso17442.find_candidates(text)
        if iso17442.is_valid(token) or iso17442.is_called_lei(text, start)
    }
    return (Found(pointer(path), Claim(token), prose=True) for token in tokens)


def _verdicts(found: Found, report: LeiReport) -> Iterator[Verdict]:
    for check in report.checks:
        yield Verdict(
            kind="lei",
            code=check.code,
            pointer=found.pointer,
            subject=clipped(report.lei, 100),
            verdict="warn"
            if found.prose and check.code in ENDED and check.verdict == "fail"
            else check.verdict,
            message=clipped(check.message, 500),
            evidence=check.evidence,
            as_of=report.as_of,
        )
