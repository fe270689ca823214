"""What registers say, as values of one normal form. The register's own words are kept beside ours.

Texts are "" and dates None where a register is silent. Nothing is derived that a register does not state: a band of
25 to 50 % stays a band.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from common.text import storable
from entities.gleif.records import PREVIOUS_NAME
from entities.names.matching import LEGAL_NAME, NameVariant

T = TypeVar("T")
Standing: TypeAlias = Literal["live", "ended", "unknown"]
Licence: TypeAlias = Literal["authorised", "formerly", "warned", "not_listed", "unknown"]
OwnerKind: TypeAlias = Literal["natural_person", "legal_entity", "government", "unknown"]

MAX_TEXT = 500


class Capability(StrEnum):
    """What a register can be asked for."""

    SEARCH = "search"
    RECORD = "record"
    OFFICERS = "officers"
    OWNERS = "owners"
    AUTHORISATION = "authorisation"


class Control(StrEnum):
    """How somebody controls a company."""

    SHARES = "ownership_of_shares"
    VOTES = "voting_rights"
    APPOINTS = "appointment_of_directors"
    SURPLUS = "share_of_surplus_assets"
    INFLUENCE = "significant_influence"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which register said it, at which address a person can see it, and as of when (ISO)."""

    register: str
    url: str
    as_of: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of a search: enough to compare and to ask on."""

    register: str
    number: str
    names: tuple[NameVariant, ...]
    jurisdiction: str = ""
    standing: Standing = "unknown"
    status: str = ""
    url: str = ""

    @property
    def name(self) -> str:
        return self.names[0].name


@dataclass(frozen=True, slots=True)
class Company:
    """The record of one company; ``details`` are further facts in the register's own words."""

    number: str
    names: tuple[NameVariant, ...]
    provenance: Provenance
    jurisdiction: str = ""
    standing: Standing = "unknown"
    status: str = ""
    legal_form: str = ""
    founded: date | None = None
    ended: date | None = None
    address: str = ""
    lei: str = ""
    successor: str = ""
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.names[0].name

    def as_hit(self) -> Hit:
        """The record as a line of a search."""
        said = self.provenance
        return Hit(
            said.register, self.number, self.names, self.jurisdiction, self.standing, self.status, said.url
        )


@dataclass(frozen=True, slots=True)
class Officer:
    """A person or company with an office; ``ended`` when it has been given up."""

    name: str
    role: str
    natural_person: bool | None = None
    since: date | None = None
    ended: date | None = None
    nationality: str = ""
    country: str = ""
    status: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class NatureOfControl:
    """``low`` and ``high`` bound a share in percent as the register states it: "more than low, up to high".

    Both are None for control that is no share; ``high`` alone is None for "more than low". ``through`` is "trust" or
    "firm" when the control is held through one. ``stated`` is the register's own word.
    """

    kind: Control
    stated: str
    low: Decimal | None = None
    high: Decimal | None = None
    through: str = ""

    @property
    def band(self) -> str:
        """ "25–50 %", "more than 25 %", "" for control that is no share."""
        if self.low is None:
            return ""
        return f"more than {self.low:f} %" if self.high is None else f"{self.low:f}–{self.high:f} %"


@dataclass(frozen=True, slots=True)
class Owner:
    """Somebody with significant control; ``ended`` when it has ceased, ``withheld`` when the name is protected."""

    name: str
    kind: OwnerKind
    control: tuple[NatureOfControl, ...] = ()
    since: date | None = None
    ended: date | None = None
    nationality: str = ""
    country: str = ""
    number: str = ""
    registered_at: str = ""
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class Owners:
    """Who controls a company, and what the register says instead of names; silence proves nothing."""

    number: str
    owners: tuple[Owner, ...]
    statements: tuple[str, ...]
    provenance: Provenance
    truncated: bool = False

    @property
    def current(self) -> tuple[Owner, ...]:
        return tuple(owner for owner in self.owners if owner.ended is None)


@dataclass(frozen=True, slots=True)
class Officers:
    """Who runs a company."""

    number: str
    officers: tuple[Officer, ...]
    provenance: Provenance
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Measure:
    """A disciplinary measure or warning, in the register's own words."""

    kind: str
    text: str
    on: date | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Authorisation:
    """What a supervisor says. ``not_listed`` is no judgement: the list may not be the one that counts."""

    number: str
    name: str
    licence: Licence
    status: str
    provenance: Provenance
    since: date | None = None
    types: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Lines of a list; ``total`` as the register counts them, ``truncated`` when there are more."""

    items: tuple[T, ...]
    total: int
    truncated: bool
    provenance: Provenance


def names_of(
    legal: str, *, previous: tuple[str, ...] = (), others: tuple[str, ...] = ()
) -> tuple[NameVariant, ...]:
    """The legal name first, then former ones, then others; without blanks and repetitions."""
    typed = [
        (legal, LEGAL_NAME),
        *((name, PREVIOUS_NAME) for name in previous),
        *((name, "TRADING_OR_OPERATING_NAME") for name in others),
    ]
    unique: dict[str, NameVariant] = {}
    for name, kind in typed:
        if name:
            unique.setdefault(name.casefold(), NameVariant(name, kind))
    return tuple(unique.values()) or (NameVariant("(no name stated)"),)


def text(value: object, most: int = MAX_TEXT) -> str:
    """A register's value as one bounded line; "" for what is no text or number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    line = " ".join(str(storable(str(value))).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def day(value: object) -> date | None:
    """A date as registers write it (2024-05-17, 17/05/2024, 2024-05-17T00:00:00); None for anything else."""
    written = text(value, 40)
    for form, length in (("%Y-%m-%d", 10), ("%d/%m/%Y", 10), ("%d.%m.%Y", 10)):
        try:
            return datetime.strptime(written[:length], form).date()  # noqa: DTZ007 - a day has no time zone
        except ValueError:
            continue
    return None


def as_json(value: Any) -> Any:
    """A normal form as plain JSON: dates ISO, decimals as text, empty parts left out."""
    return _plain(asdict(value)) if hasattr(value, "__dataclass_fields__") else _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if item not in ("", None, [], {}, ())}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, date | Decimal):
        return str(value)
    return value
