"""A decision as entscheidsuche.ch publishes it, read from one hit of an answer, and what its references are."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

MAX_TEXT, MAX_LINE, MAX_REFERENCES = 120_000, 2_000, 20
LANGUAGES = ("de", "fr", "it")
CANTONS = frozenset(
    "AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH".split()  # noqa: SIM905
)
_COLLECTION = ("BGE ", "ATF ", "DTF ", "")  # one collection in three languages; its name may be left away
_LEADS = frozenset(("BGer", "EVG", "BVGer", "BStGer", "BPatGer"))
_TAG = re.compile(r"<[^<>]{0,500}>")
_BREAK = re.compile(r"[^0-9a-zäöüéèà]+")
_YEAR_ONLY = re.compile(r"_(\d{4})$")


@dataclass(frozen=True, slots=True)
class CourtDecision:
    """``court`` is the entry of the court tree below the canton (``CH_BGer``, ``ZH_VG``), ``canton`` the one above it
    (``CH`` for the Confederation). ``language`` is empty when nobody says. ``date`` is None when only the year is
    known, as of a BGE, which the source dates on 1 January. The source cuts ``text`` near 100,000 characters.
    """

    id: str
    court: str
    canton: str
    date: date | None
    language: str
    references: tuple[str, ...]
    title: str
    abstract: str
    text: str
    url: str

    @property
    def year(self) -> int | None:
        """From the date, or from the end of the identifier."""
        found = _YEAR_ONLY.search(self.id)
        return self.date.year if self.date else int(found[1]) if found else None


def read_decision(hit: Any) -> CourtDecision | None:
    """A hit as a decision; None when it is not one (no identifier, no source)."""
    source = hit.get("_source") if isinstance(hit, dict) else None
    identifier = hit.get("_id") if isinstance(hit, dict) else None
    if not isinstance(source, dict) or not isinstance(identifier, str) or not identifier:
        return None
    attachment = source.get("attachment")
    attachment = attachment if isinstance(attachment, dict) else {}
    places = [place for place in _list(source.get("hierarchy")) if isinstance(place, str)]
    language = _text(source.get("language") or attachment.get("language"), 2).lower()
    return CourtDecision(
        id=identifier[:200],
        court=_text(places[1] if len(places) > 1 else "", 60),
        canton=_text(places[0] if places else source.get("canton"), 2),
        date=_date(identifier, source.get("date")),
        language=language if language in LANGUAGES else "",
        references=_references(source.get("reference")),
        title=_plain(_spoken(source.get("title"), language), MAX_LINE),
        abstract=_plain(_spoken(source.get("abstract"), language), 4 * MAX_LINE),
        text=_text(attachment.get("content"), MAX_TEXT),
        url=_address(attachment.get("content_url")),
    )


def reference_key(reference: str) -> str:
    """What two spellings of a reference share: ``5A-123/2024``, `` 5A_123/2024`` and ``5A 123/2024`` are one."""
    return _BREAK.sub(" ", reference.casefold()).strip()


def docket_of(reference: str) -> tuple[str, str]:
    """What is looked for, and the canton that the canonical form names: ``VGer ZH VB.2022.00382`` is ``VB.2022.00382``
    in ``ZH``, ``BGer 4A_1/2020`` is ``4A_1/2020``; a BGE keeps its name."""
    words = reference.split()
    if len(words) > 1 and words[0] in _LEADS:
        return " ".join(words[1:]), ""
    if len(words) > 2 and words[1] in CANTONS:
        return " ".join(words[2:]), words[1]
    return " ".join(words), ""


def matches(decision: CourtDecision, reference: str) -> bool:
    """Whether the decision really bears the reference; a phrase is also found where it is merely cited."""
    docket, canton = docket_of(reference)
    if canton and decision.canton != canton:
        return False
    names = (
        [docket.replace("BGE ", name, 1) for name in _COLLECTION] if docket.startswith("BGE ") else [docket]
    )
    wanted = {reference_key(one) for one in (*names, reference)}
    return any(reference_key(one) in wanted for one in decision.references)


def _references(value: Any) -> tuple[str, ...]:
    given = [value] if isinstance(value, str) else _list(value)
    found = [one.strip()[:MAX_LINE] for one in given if isinstance(one, str) and one.strip()]
    return tuple(found[:MAX_REFERENCES])


def _date(identifier: str, value: Any) -> date | None:
    if _YEAR_ONLY.search(identifier):
        return None
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _spoken(value: Any, language: str) -> str:
    """Of a text in several languages the one of the decision, or the first there is."""
    if isinstance(value, str):
        return value
    texts: Mapping[str, Any] = value if isinstance(value, dict) else {}
    wanted = (language, *LANGUAGES)
    return next((text for one in wanted if isinstance(text := texts.get(one), str) and text.strip()), "")


def _plain(text: str, limit: int) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", text[: 2 * limit])).split())[:limit]


def _address(value: Any) -> str:
    return value[:MAX_LINE] if isinstance(value, str) and value.startswith(("https://", "http://")) else ""


def _text(value: Any, limit: int) -> str:
    return value[:limit] if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
