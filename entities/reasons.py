"""Why a statement is believed: the chain from the statement to what stands behind it.

Entities know where a statement is from by name and number only. Whoever knows more (the verb call, the decision, the
checks, the archived page) adds a source of reasons when the program starts.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeAlias

from entities.memory.wording import period_of, property_of, source_of, value_of
from entities.models import Statement

May: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True)
class Reason:
    """One link of the chain: ``kind`` is statement, source, call, decision, check, quote or page.

    ``path`` is a page of Dossier, ``address`` one of the web; ``verdict`` is that of a check.
    """

    kind: str
    text: str
    at: datetime | None = None
    who: str = ""
    path: str = ""
    address: str = ""
    quote: str = ""
    verdict: str = ""

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "at": self.at.isoformat() if self.at else None}


Reasons: TypeAlias = Callable[[Statement, May], list[Reason]]
_SOURCES: dict[str, Reasons] = {}


def add_reasons(name: str, source: Reasons) -> None:
    """Ask this source as well from now on; one of the same name is replaced."""
    _SOURCES[name] = source


def reasons_for(statement: Statement, may: May) -> list[Reason]:
    """From the value to its statement, its source, and what else is known; ``may`` asks for permissions."""
    said = f"{statement.subject}: {property_of(statement)} {value_of(statement)}, {period_of(statement)}"
    chain = [
        Reason("statement", said[:2_000], statement.recorded_from, statement.signed_by),
        Reason("source", source_of(statement), address=_address(statement.document)),
    ]
    return [*chain, *(reason for source in _SOURCES.values() for reason in source(statement, may))]


def _address(document: str) -> str:
    return document if document.startswith(("https://", "http://")) else ""
