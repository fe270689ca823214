"""Journals and gazettes: ``JdT 1995 I 123``, ``SJZ 106/2010 S. 123``, ``BBl 2006 7221``, ``SVR 2010 IV Nr. 5
S. 13``.

The canonical form keeps code, volume, year, part, number and first page: ``SJ 2009 I 55``, ``SVR 2010 IV Nr.
5 13``. What has a title in each language has one name: ``FF`` is ``BBl``, ``PJA`` is ``AJP``. Before 2021 the pages of
BBl and FF differ: ``data["written"]`` says by which of the two a page is named, and that name is written.
"""

import re

from citations.grammar.dates import DATE, iso, written
from citations.grammar.scan import Scan
from citations.mention import Mention
from citations.pinpoints import read_bare_page, read_pinpoints

GAZETTES = frozenset(("BBl", "FF", "AS", "RO", "RU"))
JOURNALS = frozenset(
    "JdT JT SJ SJZ RSJ RtiD RDAT RDAF ZBJV RJB AJP PJA ZBl ASA StE RSPC SZZP Pra ZR BVR JAB LGVE AGVE GVP BJM RFJ FZR RVJ ZWR RJN RJJ SZS"  # noqa: SIM905
    " RSAS ZStrR RPS BlSchK PKG URP DEP SVR RAMA RAMI RKUV AHI VPB JAAC GAAC EVGE ATFA ARV DTA DLA JAR SZW RSDA GesKR REPRAX ZKE RMA"
    " ZVW RDT CaS SOG RBOG EGVSZ TVR TREX StR SteuerRevue ZGRG BR DC IPRax ZSR RDS RDA SIC NJW EuGRZ GRUR ZAK VSI ZBGR RNRF BEZ FamPra ZZZ"
    " HAVE REAS ZSIS EGV-SZ BLVGE BLKGE VGE-SZ KGE-BL MRA SZIER RSDIE RSDI CdB CAN RPW DPC BStPra NStP EMARK JICRA GICRA PVG SGGVP ZGGVP"
    " GVP-SG GVP-ZG SpuRt TREX SAG RCC SemJud SZK RSC SZG StPS ThVGP NGVP AbR OGVE UVP VGEB RBUR KSGE Archives BN DB EF ST RF Rep Asyl ASYL"
    " SJK FJS NRCP ZStP SIWR".split()
)
STRICT = frozenset("BN DB EF ST RF Rep CAN BR DC RDT Asyl ASYL Archives SAG SIC UVP RB BEZ RSC".split())  # noqa: SIM905 - a table
"""Abbreviations that mean much else: their page needs its word, or their volume a stroke."""
LONGEST = 600
"""Pages of the longest message of the Federal Council: ``BBl 2006 7221, 7355``."""
SAME = {
    "JT": "JdT", "FF": "BBl", "RO": "AS", "RU": "AS", "RSJ": "SJZ", "PJA": "AJP", "RJB": "ZBJV", "RDS": "ZSR", "RPS": "ZStrR",
    "JAB": "BVR", "RFJ": "FZR", "RVJ": "ZWR", "RSAS": "SZS", "DEP": "URP", "RAMA": "RKUV", "RAMI": "RKUV", "JAAC": "VPB",
    "GAAC": "VPB", "ATFA": "EVGE", "DTA": "ARV", "DLA": "ARV", "RSDA": "SZW", "RMA": "ZKE", "RDT": "ZVW", "DC": "BR",
    "RNRF": "ZBGR", "REAS": "HAVE", "RSPC": "SZZP", "VSI": "AHI", "RCC": "ZAK", "DPC": "RPW", "JICRA": "EMARK", "GICRA": "EMARK",
    "Archives": "ASA", "SemJud": "SJ", "RSDIE": "SZIER", "RSDI": "SZIER", "FJS": "SJK", "ASYL": "Asyl", "RSC": "SZK",
    "Plädoyer": "plädoyer", "Plaidoyer": "plaidoyer", "sui-generis": "sui generis", "Revue de l'avocat": "Anwaltsrevue",
    "Forumpoenale": "forumpoenale", "Medialex": "medialex", "Digma": "digma", "ex ante": "ex/ante",
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
    "forumpoenale",
    "Forumpoenale",
    "Plädoyer",
    "Plaidoyer",
    "Medialex",
    "Digma",
    "sui-generis",
    "ex ante",
    "Revue de l'avocat",
    "Kriminalistik",
    "Pflegerecht",
    "SchiedsVZ",
    "Not@lex",
    "PBG aktuell",
    "Raum & Umwelt",
    "ius.full",
)
"""Journals with a word for a title: they need a year, and a page with its word or behind a comma."""
_ENDS = r"\s*+(?:$|[;)])"
"""Behind a page that has no word in front."""
_SMALL = re.compile(
    rf"(?<![\wäöü-])(?P<name>{'|'.join(map(re.escape, SMALL))})\s++(?:(?P<volume>\d{{1,2}})\s?/\s?)?(?P<year>(?:19|20)\d\d)"
    r"(?:\s?/\s?(?P<issue>\d{1,2})(?=[\s,]))?,?\s++(?:S\.|pp?\.|pagg?\.|Nr\.\s?\d{1,2}\s++S\.|(?<=,\s)"
    rf"|(?=\d{{1,4}}{_ENDS}))\s*+(?P<page>\d{{1,4}})(?![\d/_]|\.\d)"
)
_TWIN = r"(?:\.ch|\sonline|\sBull(?:etin|\.)|/(?!I{1,3}\b)[A-Z][A-Za-z]{1,6}(?=\s))?"
"""``AJP/PJA``: both titles of one journal; ``FamPra.ch``."""
_SERIES = r"(?:Bd\.|NF|N\.F\.|n\.s\.|vol\.|Band)"
_BRANCH = "AHV|ALV|BVG|EL|EO|FZ|IV|KV|MV|UV|AVS|AI|AA|AC|LPP|AM|PC|APG|LAMal|LAA"
_REFERENCE = re.compile(
    rf"{_TWIN}\s++(?:{_SERIES}\s++)?(?:(?P<volume>\d{{1,3}})\s?(?:/\s?|\s\(?|\())?(?P<year>(?:1[89]|20)\d\d)(?:[/-](?:19|20)?\d\d(?=\)))?\)?"
    r"(?:\s?/\s?(?P<issue>\d{1,2})(?=[\s,]))?"
    rf"(?:,?\s?[-/]?\s?(?P<part>I{{1,3}}|IV|V|VI|(?:{_BRANCH})(?=,?\s(?:Nr\.|n[°o.]|no\.|N\.)))(?![A-Za-z]))?(?:\s?,)?"
    r"(?:\s(?:Nrn?\.|n[°ºo.]{1,2}|N\.|no\.)\s?(?P<number>(?:[A-Z]{1,3}\s?)?\d{1,4}[a-z]?(?![\d/])))?"
    r"(?:(?:\s?,)?\s(?P<word>S\.|pp?\.|pagg?\.|f°)?\s?(?P<page>\d{1,5})(?![\d/_]|\.\d|\s?(?:[IVX]{1,4}[ab]?\s\d)))?"
)
_VOLUME = re.compile(
    rf"{_TWIN}\s++(?:{_SERIES}\s++)?(?P<volume>\d{{1,3}})(?:\s(?P<part>I{{1,3}})(?![A-Za-z]))?"
    r"(?:,?\s(?:Nr\.|n[°ºo.]{1,2}|N\.)\s?(?P<number>\d{1,4}[a-z]?))?"
    r"(?:,?\s(?P<word>S\.|pp?\.|pagg?\.)\s?|,\s(?=\d{1,4}(?:\sff?\.|\sss\b|[;.)]|$))|\s(?=\d{1,4}"
    rf"{_ENDS}))?(?P<page>(?<=\s|\.)\d{{1,4}})?(?![\d/_]|\.\d)"
)
"""``ASA 80 S. 45``: the volume stands for the year."""
_ONLINE = re.compile(
    rf",?\s++(?:vom\s|du\s|del\s|of\s)?(?P<date>{DATE})(?P<margin>,?\s(?:n\.|n°|no|N\.?|ch\.)\s?(?P<number>\d{{1,3}})(?![\d.]\d))?"
)
_PART_FIRST = re.compile(
    r"\s++(?P<part>I{1,2})[-/\s](?P<year>(?:19|20)\d\d)(?:\s?,)?(?:\s(?:n\.|Nr\.|N\.)\s?(?P<number>\d{1,3}[a-z]?))?(?:\s?,)?"
    r"(?:\s(?:S\.|pp?\.|pagg?\.)?\s?(?P<page>\d{1,4}))?"
)
_STE = re.compile(
    r"\s++(?P<year>(?:19|20)\d\d),?\s++(?P<section>[AB]\s\d{1,3}(?:\.\d{1,2}){0,2}),?\s++(?:Nr\.|n[°o])\s?(?P<number>\d{1,3})"
)
_VPB = re.compile(r"\s++(?P<volume>\d{2})(?:\.|/)(?P<number>\d{1,3})(?![\d/])")
_BY_YEAR = frozenset("EMARK TPF BVGE StE SVR Jusletter RtiD RDAT SJ JdT".split())  # noqa: SIM905 - a table
"""Their volumes are years."""
_END = re.compile(_ENDS)
_FOLLOWING = re.compile(r"\s?(?:ff?\.|ss?\.(?!\s?\d)|ss\b|segg?\.)")


_SMALL_NAME = re.compile(rf"(?<![\wäöü-])(?:{'|'.join(map(re.escape, SMALL))})\s(?:\d{{1,2}}\s?/\s?)?$")


def read_journal(scan: Scan, start: int, after: int, name: str) -> None:
    """Read what follows the abbreviation ``name``; a year and a page or a number must follow."""
    text, title, name = scan.text, name, SAME.get(name, name)
    if name == "ASA" and text.startswith((" Bull.", " Bulletin"), after):
        name = "ASA Bull."  # of the association for arbitration; ASA is the archive of tax law
    if name == "StE" and (filed := _STE.match(text, after)):
        _add(scan, start, filed.end(), name, f"StE {filed['year']} {filed['section']} Nr. {filed['number']}")
        return
    if name == "VPB" and (old := _VPB.match(text, after)):
        _add(scan, start, old.end(), name, f"{name} {old['volume']}.{old['number']}")
        return
    found = _REFERENCE.match(text, after)
    if not found and name in ("RtiD", "RDAT"):
        found = _PART_FIRST.match(text, after)
    if not found and name not in GAZETTES and name not in _BY_YEAR:
        found = _VOLUME.match(text, after)
    parts = dict(found.groupdict()) if found else {}
    if name == "EMARK" and not parts.get("number"):
        parts["number"] = parts.pop("issue", None)  # JICRA 2006/1
    labelled = parts.pop("word", None) or parts.get("number") or parts.get("issue")
    if not found or not (parts.get("page") or parts.get("number")):
        return
    if name in STRICT and not labelled and "/" not in found[0] and not _END.match(text, found.end()):
        return
    mention = _add(scan, start, found.end(), name, " ".join([name, *_written(parts)]), parts)
    if name != title and name in GAZETTES:
        mention.data["written"] = title


def read_online(scan: Scan, start: int, after: int, name: str) -> None:
    """``Jusletter vom 3. Mai 2021, Rz. 12``: a journal without pages is named by its day."""
    found = _ONLINE.match(scan.text, after)
    day = iso(found["date"]) if found else None
    if not found or not day:
        return
    pins, end = [f"Rz. {found['number']}"] if found["margin"] else [], found.end()
    if not pins:
        pins, end = read_pinpoints(scan.text, end)
    data = {"code": name, "year": day[:4]}
    scan.add("journal", start, end, f"{name} {written(day, 'de')}", pins, data=data)


def read_small(scan: Scan, at: int) -> bool:
    """``recht 2016 S. 45``, ``sic! 2019, 345``: the year stands at ``at``; True when it was reported."""
    named = _SMALL_NAME.search(scan.before(at, 20))
    start = at - len(named[0]) if named else at
    found = _SMALL.match(scan.text, start) if named else None
    if found:
        parts = {"part": None, "number": None, **found.groupdict()}
        title = str(parts.pop("name"))
        name = SAME.get(title, title)
        _add(scan, start, found.end(), name, " ".join([name, *_written(parts)]), parts)
    return found is not None


def _written(parts: dict[str, str | None]) -> list[str]:
    volume = parts.get("volume")
    year = "/".join(filter(None, (volume, parts.get("year"))))
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
