"""Thresholds of registers, as people set them."""

from entities.models import RegisterThreshold
from entities.registers.matching import DEFAULTS, Thresholds


def thresholds_of(register: str) -> Thresholds:
    """Those of the register, else those for all others, else the ones built in."""
    rows = {row.register: row for row in RegisterThreshold.objects.filter(register__in=[register, ""])}
    row = rows.get(register) or rows.get("")
    if row is None:
        return DEFAULTS.get(register, DEFAULTS[""])
    return Thresholds(row.auto, row.ambiguous, row.reject, row.always_human)


def set_thresholds(*, row: RegisterThreshold) -> RegisterThreshold:
    """Store what a person entered for a register; the database refuses thresholds out of order."""
    values = {key: getattr(row, key) for key in ("register", "auto", "ambiguous", "reject", "always_human")}
    stored, _ = RegisterThreshold.objects.update_or_create(pk=row.pk, defaults=values)
    return stored


def remove_thresholds(*, row: RegisterThreshold) -> None:
    """From now on the register follows those for all others."""
    RegisterThreshold.objects.filter(pk=row.pk).delete()
