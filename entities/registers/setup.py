"""Which registers this installation can ask, and the one client a process has of each."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.conf import settings

from common.outside.client import TRAFFIC, Traffic
from entities.gleif.register import open_register
from entities.registers import companies_house, edgar, fca, finma, lindas, zefix
from entities.registers.base import RegisterSource
from entities.registers.errors import RegisterNotConfigured
from entities.registers.gleif import Gleif
from entities.registers.http import RegisterHttp


@dataclass(frozen=True, slots=True)
class Kind:
    """A register that Dossier knows: what it is, what it needs, how it is opened.

    One that needs nothing is asked only if ``DOSSIER_REGISTERS`` names it; one that needs keys as soon as they are set.
    """

    source: type[RegisterSource]
    needs: tuple[str, ...]
    open: Callable[[Traffic], RegisterSource]


def _text(name: str) -> str:
    return str(getattr(settings, name, "") or "")


def _companies_house(traffic: Traffic) -> RegisterSource:
    key = _text("COMPANIES_HOUSE_API_KEY")
    http = RegisterHttp(
        "Companies House",
        _text("COMPANIES_HOUSE_BASE_URL"),
        auth=(key, ""),
        limit=600,
        window=300.0,
        traffic=traffic,
    )
    return companies_house.CompaniesHouse(http)


def _edgar(traffic: Traffic) -> RegisterSource:
    """Data and files are two hosts under one limit of ten a second; half of it is left to each."""
    headers = {"User-Agent": _text("SEC_EDGAR_USER_AGENT")}
    data, files = (
        RegisterHttp("SEC EDGAR", _text(name), headers=headers, limit=5, window=1.0, traffic=traffic)
        for name in ("SEC_EDGAR_BASE_URL", "SEC_EDGAR_FILES_URL")
    )
    return edgar.Edgar(data, files)


def _fca(traffic: Traffic) -> RegisterSource:
    headers = {"X-Auth-Email": _text("FCA_API_EMAIL"), "X-Auth-Key": _text("FCA_API_KEY")}
    return fca.Fca(
        RegisterHttp(
            "FCA register", _text("FCA_BASE_URL"), headers=headers, limit=10, window=10.0, traffic=traffic
        )
    )


def _finma(traffic: Traffic) -> RegisterSource:
    return finma.Finma(RegisterHttp("FINMA", _text("FINMA_BASE_URL"), limit=10, traffic=traffic))


def _zefix(traffic: Traffic) -> RegisterSource:
    auth = (_text("ZEFIX_USER"), _text("ZEFIX_PASSWORD"))
    return zefix.Zefix(RegisterHttp("Zefix", _text("ZEFIX_BASE_URL"), auth=auth, limit=30, traffic=traffic))


def _lindas(traffic: Traffic) -> RegisterSource:
    headers = {"Accept": "application/sparql-results+json"}
    return lindas.Lindas(
        RegisterHttp(
            "Zefix (linked data)", _text("LINDAS_BASE_URL"), headers=headers, limit=30, traffic=traffic
        )
    )


KINDS: Mapping[str, Kind] = {
    "companies_house": Kind(companies_house.CompaniesHouse, ("COMPANIES_HOUSE_API_KEY",), _companies_house),
    "edgar": Kind(edgar.Edgar, ("SEC_EDGAR_USER_AGENT",), _edgar),
    "fca": Kind(fca.Fca, ("FCA_API_EMAIL", "FCA_API_KEY"), _fca),
    "finma": Kind(finma.Finma, (), _finma),
    "zefix": Kind(zefix.Zefix, ("ZEFIX_USER", "ZEFIX_PASSWORD"), _zefix),
    "lindas": Kind(lindas.Lindas, (), _lindas),
}
NAMES = ("gleif", *KINDS)

_lock = threading.Lock()
_opened: dict[tuple[str, ...], RegisterSource] = {}


def configured() -> tuple[str, ...]:
    """The national registers that can be asked, in the order of ``DOSSIER_REGISTERS`` or else that of KINDS."""
    named = [name for name in settings.DOSSIER_REGISTERS if name in KINDS]
    wanted = named or [name for name, kind in KINDS.items() if kind.needs]
    return tuple(name for name in dict.fromkeys(wanted) if not missing(name))


def missing(name: str) -> tuple[str, ...]:
    """The settings that a register needs and that are not set."""
    return tuple(setting for setting in KINDS[name].needs if not _text(setting))


def open_source(name: str) -> RegisterSource:
    """The register called ``name``; "gleif" is the LEI register in use. Raises RegisterNotConfigured."""
    if name == "gleif":
        return Gleif(open_register())
    if name not in KINDS:
        raise RegisterNotConfigured(
            f"There is no register called “{name[:40]}”; there are {', '.join(NAMES)}."
        )
    if name not in configured():
        raise RegisterNotConfigured(_why_not(name))
    kind = KINDS[name]
    key = (name, *(_text(setting) for setting in kind.needs), *_addresses(name))
    with _lock:
        if key not in _opened:
            _opened[key] = kind.open(TRAFFIC)
        return _opened[key]


def _why_not(name: str) -> str:
    lacking = missing(name)
    how = f"set {' and '.join(lacking)}" if lacking else f"name {name} in DOSSIER_REGISTERS"
    return f"{KINDS[name].source.label} is not set up here ({how})."


def _addresses(name: str) -> tuple[str, ...]:
    prefix = {"edgar": "SEC_EDGAR"}.get(name, name.upper())
    return tuple(_text(f"{prefix}_{ending}") for ending in ("BASE_URL", "FILES_URL"))
