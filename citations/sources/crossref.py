"""Crossref, a registry of DOIs: ``GET /works/{doi}``, 404 for one that it has not.

Shape from its public documentation; not verified live. Other agencies register DOIs too: its 404 proves nothing.
"""

from typing import Any
from urllib.parse import quote

from citations.sources.client import open_client
from citations.sources.works import Work, line
from common.outside.client import TRAFFIC, Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Rate

NAME = "crossref"
RATE = Rate(5, 1)


class Crossref:
    """``mailto`` is the operator's address, which Crossref asks for and answers faster to."""

    def __init__(
        self, base_url: str, mailto: str = "", *, traffic: Traffic = TRAFFIC, rate: Rate = RATE
    ) -> None:
        self._client = open_client(NAME, base_url, rate, traffic)
        self._mailto = mailto

    def work(self, doi: str) -> Work | None:
        """The work with this DOI; None when Crossref has it not. Raises SourceFault."""
        params = {"mailto": self._mailto} if self._mailto else {}
        try:
            answer = self._client.object(f"works/{quote(doi, safe='/')}", params=params)
        except SourceFault as fault:
            if fault.status == 404:
                return None
            raise
        message = answer.get("message")
        if not isinstance(message, dict) or line(message.get("DOI")).lower() != doi.lower():
            raise SourceFault(NAME, "unreadable", "answered about something else", status=200)
        return Work(
            _first(message.get("title")), f"https://doi.org/{quote(doi, safe='/():;.')}", _year(message)
        )


def _first(value: Any) -> str:
    return line(value[0]) if isinstance(value, list) and value else ""


def _year(message: dict[str, Any]) -> str:
    """``{"issued": {"date-parts": [[2019, 3]]}}``."""
    issued = message.get("issued")
    parts = issued.get("date-parts") if isinstance(issued, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    year = first[0] if isinstance(first, list) and first else None
    return str(year) if isinstance(year, int) and 1000 <= year <= 9999 else ""
