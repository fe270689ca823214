"""What a project takes for a pass, a warning or a failure, where reasonable people differ. Values only, no database.

A policy is written as a flat table of names and values, ``{"LAPSED": "fail", "name_passes": "90"}``: that is how the
setting ``DOSSIER_LEI_POLICY`` and the form in the admin state what differs from the defaults.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

Verdict: TypeAlias = Literal["pass", "warn", "fail", "unknown"]
VERDICTS: tuple[str, ...] = get_args(Verdict)

REGISTRATION: Mapping[str, Verdict] = MappingProxyType(
    {
        "ISSUED": "pass",
        "LAPSED": "warn",
        "PENDING_TRANSFER": "warn",
        "PENDING_ARCHIVAL": "warn",
        "TRANSFERRED": "warn",
        "RETIRED": "fail",
        "DUPLICATE": "fail",
        "ANNULLED": "fail",
        "MERGED": "fail",
        "CANCELLED": "fail",
    }
)


class BadPolicy(ValueError):
    """A value that a policy cannot have; the message is one sentence for a person."""


@dataclass(frozen=True)
class Policy:
    """Registration status by status, name scores (0 to 100), days, and the verdicts of what is open to judgement."""

    registration: Mapping[str, Verdict] = field(default_factory=lambda: REGISTRATION)
    name_passes: float = 95.0
    name_fails_below: float = 80.0
    renewal_grace_days: int = 0
    data_max_age_days: int = 365
    recent_change_days: int = 365
    absence_max_age_days: int = 7  # an older copy of the register cannot say that there is no such LEI
    other_name: Verdict = "warn"  # the name claimed is a previous, trading or transliterated one
    partly_corroborated: Verdict = "warn"
    not_conforming: Verdict = "warn"
    ambiguous: Verdict = "warn"  # another LEI in force has the name as well
    parent_exception: Verdict = (
        "warn"  # a parent is claimed where the register has a reason for reporting none
    )

    def with_values(self, values: Mapping[str, str]) -> "Policy":
        """This policy with other values; a name in capitals is a registration status. Raises BadPolicy."""
        statuses = {name: _verdict(name, value) for name, value in values.items() if name.isupper()}
        others = {name: _value(name, value) for name, value in values.items() if not name.isupper()}
        changed = replace(self, registration={**self.registration, **statuses}, **others)
        if changed.name_fails_below > changed.name_passes:
            raise BadPolicy("name_fails_below is above name_passes, so that no name could ever be a warning.")
        return changed

    def as_values(self) -> dict[str, str]:
        """Everything in the flat form; ``Policy().with_values(policy.as_values()) == policy``."""
        plain = {name: f"{getattr(self, name):g}" for name in NUMBERS}
        judged = {name: str(getattr(self, name)) for name in JUDGED}
        return {**dict(self.registration), **plain, **judged}


_TYPES = {each.name: each.type for each in fields(Policy) if each.name != "registration"}
NUMBERS = tuple(name for name, type in _TYPES.items() if type in (int, float))
JUDGED = tuple(name for name in _TYPES if name not in NUMBERS)
_BOUNDS = {float: 100.0, int: 10_000.0}


def _value(name: str, value: str) -> Any:
    if name in JUDGED:
        return _verdict(name, value)
    if name not in NUMBERS:
        known = ", ".join((*NUMBERS, *JUDGED))
        raise BadPolicy(
            f"A policy has no “{name[:60]}”; it has registration statuses in capitals and {known}."
        )
    kind = _TYPES[name]
    try:
        number = kind(value)  # type: ignore[operator]
    except ValueError:
        raise BadPolicy(f"{name} is a number, not “{value[:60]}”.") from None
    if not 0 <= number <= _BOUNDS[kind]:  # type: ignore[index]
        raise BadPolicy(f"{name} lies between 0 and {_BOUNDS[kind]:g}, not at {value[:60]}.")  # type: ignore[index]
    return number


def _verdict(name: str, value: str) -> Verdict:
    if value not in VERDICTS:
        raise BadPolicy(f"{name[:60]} is one of {', '.join(VERDICTS)}, not “{value[:60]}”.")
    return value  # type: ignore[return-value]


def read_policy(words: list[str], base: Policy | None = None) -> Policy:
    """A policy from words such as ``LAPSED=fail``. Raises BadPolicy."""
    pairs = [word.partition("=") for word in words]
    for name, equals, _ in pairs:
        if not equals:
            raise BadPolicy(f"“{name[:60]}” does not say NAME=VALUE.")
    return (base or Policy()).with_values({name.strip(): value.strip() for name, _, value in pairs})
