"""Every LEI anywhere in the data against the register."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from entities import lei as iso17442
from entities.gleif.register import Register
from entities.gleif.verification import Claim, LeiReport, verify
from research.checks.base import Verdict, clipped, pointer
from research.jsontext import Json, JsonObject

_LEI_KEY = re.compile(r"(?:(?P<prefix>.+)_)?lei", re.IGNORECASE)
_LEI_LIST = re.compile(r"(?:.+_)?leis", re.IGNORECASE)
MAX_CLAIMS = 1_000


@dataclass(frozen=True)
class Found:
    """An LEI as the data states it, and where."""

    pointer: str
    claim: Claim


def check_leis(data: Json, register: Register, *, today: date) -> list[Verdict]:
    """Verdicts for every LEI in the data, each at its own place; the register is asked once for all of them."""
    found = list(find_claims(data))
    dropped = len(found) - MAX_CLAIMS
    found = found[:MAX_CLAIMS]
    reports = verify([item.claim for item in found], register, today=today)
    verdicts = [
        verdict for item, report in zip(found, reports, strict=True) for verdict in _verdicts(item, report)
    ]
    if dropped > 0:
        text = f"{dropped} further LEIs were not checked: at most {MAX_CLAIMS} are."
        verdicts.append(Verdict("lei", "existence", "", "", "unknown", text))
    return verdicts


def find_claims(data: Json) -> Iterator[Found]:
    """Values of ``lei``, ``*_lei`` and ``leis`` whatever they look like, and LEIs within other texts.

    The name and jurisdiction claimed with it stand beside it: ``name`` for ``lei``, ``owner_name`` for ``owner_lei``.
    """
    stack: list[tuple[Json, tuple[str | int, ...]]] = [(data, ())]
    while stack:
        value, path = stack.pop()
        if isinstance(value, dict):
            yield from _claims_of(value, path)
            stack.extend(
                (value[key], (*path, key)) for key in reversed(value) if not _is_claim(key, value[key])
            )
        elif isinstance(value, list):
            stack.extend((value[index], (*path, index)) for index in reversed(range(len(value))))
        elif isinstance(value, str):
            yield from (Found(pointer(path), Claim(token)) for token in _tokens(value))


def _claims_of(parent: JsonObject, path: tuple[str | int, ...]) -> Iterator[Found]:
    for key, value in parent.items():
        if not _is_claim(key, value):
            continue
        if isinstance(value, list):
            yield from (Found(pointer((*path, key, n)), Claim(lei)) for n, lei in enumerate(value) if lei)
        elif value:
            name, jurisdiction = _beside(parent, key, "name"), _beside(parent, key, "jurisdiction")
            yield Found(pointer((*path, key)), Claim(value, name, jurisdiction))


def _is_claim(key: str, value: Json) -> bool:
    if isinstance(value, str):
        return _LEI_KEY.fullmatch(key) is not None
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return texts and _LEI_LIST.fullmatch(key) is not None


def _beside(parent: JsonObject, key: str, what: str) -> str | None:
    match = _LEI_KEY.fullmatch(key)
    prefix = match["prefix"] if match else None
    value = parent.get(f"{prefix}_{what}" if prefix else what)
    return value if isinstance(value, str) else None


def _tokens(text: str) -> list[str]:
    return list(
        dict.fromkeys(token for _, _, token in iso17442.find_candidates(text) if iso17442.is_valid(token))
    )


def _verdicts(found: Found, report: LeiReport) -> Iterator[Verdict]:
    for check in report.checks:
        yield Verdict(
            kind="lei",
            code=check.code,
            pointer=found.pointer,
            subject=clipped(report.lei, 100),
            verdict=check.verdict,
            message=clipped(check.message, 500),
            evidence=check.evidence,
            as_of=report.as_of,
        )
