"""Journals and gazettes: ``JdT 1995 I 123``, ``SJZ 106/2010 S. 123``, ``BBl 2006 7221``, ``SVR 2010 IV Nr. 5
S. 13``.

The canonical form keeps code, volume, year, part, number and first page: ``SJ 2009 I 55``, ``SVR 2010 IV Nr.
5 13``. What has a title in each language has one name: ``FF`` is ``BBl``, ``PJA`` is ``AJP``. Before 2021 the pages of
BBl and FF differ: ``data["written"]`` says by which of the two a page is named, and that name is written.
"""

import re

from citations.grammar.scan import Scan
from citations.mention import Mention
from citations.pinpoints import read_bare_page, read_pinpoints

GAZETTES = frozenset(("BBl", "FF", "AS", "RO", "RU"))
JOURNALS = frozenset(
    "JdT JT SJ SJZ RSJ RtiD RDAT RDAF ZBJV RJB AJP PJA ZBl ASA StE RSPC SZZP Pra ZR BVR JAB LGVE AGVE GVP BJM RFJ FZR RVJ ZWR RJN RJJ SZS"  # noqa: SIM905
    " RSAS ZStrR RPS BlSchK PKG URP DEP SVR RAMA RAMI RKUV AHI VPB JAAC GAAC EVGE ATFA ARV DTA DLA JAR SZW RSDA GesKR REPRAX ZKE RMA"
    " ZVW RDT CaS SOG RBOG EGVSZ TVR TREX StR SteuerRevue ZGRG BR DC IPRax ZSR RDS RDA SIC NJW EuGRZ GRUR ZAK VSI ZBGR RNRF BEZ FamPra ZZZ"
    " HAVE REAS ZSIS Jusletter forumpoenale CREC EGV-SZ BLVGE BLKGE VGE-SZ KGE-BL SOG BVGE-alt MRA SZIER".split()
)
LONGEST = 600
"""Pages of the longest message of the Federal Council: ``BBl 2006 7221, 7355``."""
SAME = {
    "JT": "JdT", "FF": "BBl", "RO": "AS", "RU": "AS", "RSJ": "SJZ", "PJA": "AJP", "RJB": "ZBJV", "RDS": "ZSR", "RPS": "ZStrR",
    "JAB": "BVR", "RFJ": "FZR", "RVJ": "ZWR", "RSAS": "SZS", "DEP": "URP", "RAMA": "RKUV", "RAMI": "RKUV", "JAAC": "VPB",
    "GAAC": "VPB", "ATFA": "EVGE", "DTA": "ARV", "DLA": "ARV", "RSDA": "SZW", "RMA": "ZKE", "RDT": "ZVW", "DC": "BR",
    "RNRF": "ZBGR", "REAS": "HAVE", "RSPC": "SZZP", "VSI": "AHI",
}  # fmt: skip
"""The title in another language or of former years, and the one that names it."""
SMALL = (
    "recht",
    "sic!",
    "digma",
    "plädoyer",
    "plaidoyer",
    "medialex",
    "successio",
    "sui generis",
    "iusNet",
    "mp",
    "ex/ante",
    "Anwaltsrevue",
    "ContraLegem",
    "ExpertFocus",
    "LeGes",
)
"""Journals with a word for a title: they need a year, and a page with its word or behind a comma."""
_SMALL = re.compile(
    rf"(?<![\wäöü-])(?P<name>{'|'.join(map(re.escape, SMALL))})\s++(?:(?P<volume>\d{{1,2}})\s?/\s?)?(?P<year>(?:19|20)\d\d)"
    r"(?:\s?/\s?(?P<issue>\d{1,2})(?=[\s,]))?,?\s++(?:S\.|pp?\.|pagg?\.|Nr\.\s?\d{1,2}\s++S\.|(?<=,\s))\s*+(?P<page>\d{1,4})(?![\d/_]|\.\d)"
)
_REFERENCE = re.compile(
    r"(?:\.ch)?\s++(?:(?P<volume>\d{1,3})\s?(?:/\s?|\s\(?|\())?(?P<year>(?:1[89]|20)\d\d)\)?"
    r"(?:\s?/\s?(?P<issue>\d{1,2})(?=[\s,]))?"
    r"(?:\s?[-/]?\s?(?P<part>I{1,3}|IV|V|VI|(?:AHV|ALV|BVG|EL|EO|FZ|IV|KV|MV|UV)(?=\sNr\.))(?![A-Za-z]))?(?:\s?,)?"
    r"(?:\s(?:Nrn?\.|n[°o.]{1,2}|N\.|no\.)\s?(?P<number>(?:[A-Z]{1,3}\s?)?\d{1,4}[a-z]?(?![\d/])))?"
    r"(?:(?:\s?,)?\s(?:S\.|pp?\.|pagg?\.|f°)?\s?(?P<page>\d{1,5})(?![\d/_]|\.\d|\s?(?:[IVX]{1,4}[ab]?\s\d)))?"
)
_PART_FIRST = re.compile(
    r"\s++(?P<part>I{1,2})[-/\s](?P<year>(?:19|20)\d\d)(?:\s?,)?(?:\s(?:n\.|Nr\.|N\.)\s?(?P<number>\d{1,3}[a-z]?))?(?:\s?,)?"
    r"(?:\s(?:S\.|pp?\.|pagg?\.)?\s?(?P<page>\d{1,4}))?"
)
_STE = re.compile(
    r"\s++(?P<year>(?:19|20)\d\d)\s++(?P<section>[AB]\s\d{1,3}(?:\.\d{1,2}){0,2})\s++Nr\.\s?(?P<number>\d{1,3})"
)
_VPB = re.compile(r"\s++(?P<volume>\d{2})(?:\.|/)(?P<number>\d{1,3})(?![\d/])")
_FOLLOWING = re.compile(r"\s?(?:ff?\.|ss?\.(?!\s?\d)|ss\b|segg?\.)")


_SMALL_NAME = re.compile(rf"(?<![\wäöü-])(?:{'|'.join(map(re.escape, SMALL))})\s(?:\d{{1,2}}\s?/\s?)?$")


def read_journal(scan: Scan, start: int, after: int, name: str) -> None:
    """Read what follows the abbreviation ``name``; a year and a page or a number must follow."""
    text, written, name = scan.text, name, SAME.get(name, name)
    if name == "StE" and (filed := _STE.match(text, after)):
        _add(scan, start, filed.end(), name, f"StE {filed['year']} {filed['section']} Nr. {filed['number']}")
        return
    found = _REFERENCE.match(text, after) or (
        _PART_FIRST.match(text, after) if name in ("RtiD", "RDAT") else None
    )
    if not found and name == "VPB" and (old := _VPB.match(text, after)):
        _add(scan, start, old.end(), name, f"{name} {old['volume']}.{old['number']}")
        return
    if not found or not (found["page"] or found["number"]):
        return
    parts = found.groupdict()
    if parts.get("page") and name in ("ZK", "BK"):
        return
    mention = _add(scan, start, found.end(), name, " ".join([name, *_written(parts)]), parts)
    if name != written and name in GAZETTES:
        mention.data["written"] = written


def read_small(scan: Scan, at: int) -> bool:
    """``recht 2016 S. 45``, ``sic! 2019, 345``: the year stands at ``at``; True when it was reported."""
    named = _SMALL_NAME.search(scan.before(at, 20))
    start = at - len(named[0]) if named else at
    found = _SMALL.match(scan.text, start) if named else None
    if found:
        parts = {"part": None, "number": None, **found.groupdict()}
        name = parts.pop("name")
        _add(scan, start, found.end(), str(name), " ".join([str(name), *_written(parts)]), parts)
    return found is not None


def _written(parts: dict[str, str | None]) -> list[str]:
    volume = parts.get("volume")
    year = f"{volume}/{parts['year']}" if volume else str(parts["year"])
    number = parts["number"] and f"Nr. {' '.join(parts['number'].split())}"
    return [part for part in (year, parts["part"], number, parts["page"]) if part]


def _add(
    scan: Scan, start: int, end: int, name: str, normalized: str, parts: dict[str, str | None] | None = None
) -> Mention:
    pins, after = read_pinpoints(scan.text, end)
    if not pins and (following := _FOLLOWING.match(scan.text, end)):
        pins, after = read_pinpoints(scan.text, following.end())
    if not pins and parts and parts.get("page"):
        pins, after = read_bare_page(scan.text, after, int(parts["page"] or 0), LONGEST)
    data = {"code": name, **{key: value for key, value in (parts or {}).items() if value}}
    kind = "gazette" if name in GAZETTES else "journal"
    scan.series = None
    return scan.add(kind, start, after if pins else end, normalized, pins, data=data)
