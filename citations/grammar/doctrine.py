"""Commentaries: ``BSK StPO-MUSTER/MEIER, Art. 358 N 21 ff.``, ``MUSTER, in: Basler Kommentar, ..., N. 7 zu
Art. 28 ZGB``.

The canonical form is series, act or volume, authors, edition, year and article; the margin number is the
pinpoint. Without year or edition the work is not identified; nothing offline can verify it.
"""

import re

from citations.grammar.scan import Scan
from citations.statutes.acts import built_in
from citations.statutes.words import NOT_CODES

SERIES = frozenset("BSK BK ZK CR KUKO SHK OFK OK PC CHK SK DIKE CPra HK SGK DIKE-Komm Dike-Komm".split())  # noqa: SIM905 - a table
SAME = {"DIKE-Komm": "DIKE", "Dike-Komm": "DIKE"}
_NAME = r"[A-ZÄÖÜÉ][\wÄÖÜäöüéèàç.'’-]+(?:\s(?:von|de|van|di|Di|De|Von)\s[A-ZÄÖÜ][\w'’-]+)?"
_AUTHORS = rf"{_NAME}(?:\s?/\s?{_NAME}){{0,5}}"
_EDITION = r"(?P<edition>\d{1,2}(?:\.\s?Aufl(?:\.|age)|(?:e|ème)\s?éd\.|a\s?ed\.))"
_YEAR = r"(?P<year>(?:\d{1,2}\.\d{1,2}\.)?(?:19|20)\d\d)"
_ARTICLE = r"(?P<article>(?:Vor(?:bem\.?)?\.?\s(?:zu\s)?|Intro\.?\s|Einl\.\s)?(?:[Aa]rtt?\.\s?|(?:StGB|StPO|ZGB|OR|ZPO|SchKG|BV|BGG|CC|CO|CP|CPC|CPP|LP)\s)\d{1,4}[a-z]{0,2}(?:bis|ter|quater)?(?:\s?[-–]\s?\d{1,4}[a-z]?)?)"
_ACT = r"(?P<act>\s(?!N\b|N\.|Rz|Nr)[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{1,8}\.?)?"
_MARGIN = r"(?:N(?:rn?|os?)?|n(?:os?|°)?|Rz|Rn|ch|Note|note)\.?\s?(?P<margin>\d{1,4}[a-z]?(?:\s?[-–]\s?\d{1,4}|\s?(?:ff?\.|ss?\.|segg?\.|ss\b))?)"
_MORE = re.compile(
    r"(?:,\s|\s(?:und|et|e)\s)(\d{1,4}(?:\s?[-–]\s?\d{1,4}|\s?(?:ff?\.|ss?\.))?)(?=\s?(?:[,;.)]|$|\szu\b|\sad\b|und|et))"
)
_PLACE = rf"(?:{_ARTICLE}{_ACT}[,;]?\s++{_MARGIN}|{_MARGIN.replace('margin', 'margin2')}(?P<second>\s?(?:,|und|et|e)\s?\d+)?\s++(?:zu|ad)\s++(?=[Aa]rt))"
_TITLE = r"(?:,\s(?!Art\b)[A-ZÄÖÜ][^,;()\n]{2,60}(?=,\s\d{1,2}(?:\.\s?Aufl|(?:e|ème)\s?éd|a\s?ed)))?"
_SHORT = re.compile(
    rf"\.?(?:(?:\s++|-\s*+)(?P<code>[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{{1,7}}(?:\s(?:I{{1,3}}|IV|V|\d)(?![A-Za-z]))?)(?=[-–,\s]))?"
    rf"(?:\s?[-–]\s*+(?P<authors>{_AUTHORS}))?(?:\s\((?:Fn|note|n)\.?\s?\d+\))?{_TITLE}"
    rf"(?:,?\s{_EDITION})?(?:,?\s{_YEAR})?[,;:]?\s++{_PLACE}"
)
_NO_NAME = r"(?!(?:Vgl|Siehe|Cf|Voir|Vedi|Dazu|So|Gemäss|Nach|Selon|Secondo|See|Ebenso|Ferner|Anders|Auch|Contra|Statt|Für|Laut|Zum|Zur|Mit|Bei|Hierzu|Eingehend|Ainsi|Dans|Pour|Per|Gl\.\s?M|A\.\s?M|Gleicher|Anderer|M\.w\.H|Z\.B|S\.a|Id|Idem|Zit|Même|In|Auf|Art|Kritisch|Zustimmend|Ablehnend)\b)"
_FULL_NAME = rf"{_NO_NAME}{_NAME}(?:\s{_NAME})?"
_AUTHORS_BEFORE = re.compile(
    rf"(?<![\w.-])(?P<authors>{_FULL_NAME}(?:\s?/\s?{_FULL_NAME}){{0,5}}),\s(?:in:?\s)?"
    rf"(?:{_FULL_NAME}(?:\s?[/,]\s?{_FULL_NAME}){{0,5}}(?:\set\sal\.|\su\.\s?a\.)?\s\((?:Hrsg|éds?|eds?|a cura di)\.?\),\s)?$"
)
_LONG = re.compile(
    rf"(?:\s(?P<code>[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{{1,7}}(?:\s(?:I{{1,3}}|IV|V))?)(?=[,\s]))?(?P<middle>[^;()]{{0,140}}?)(?:,\s{_EDITION})?(?:,?\s{_YEAR})?,\s++{_PLACE}"
)
LONG_NAMES = {
    "Basler Kommentar": "BSK", "Berner Kommentar": "BK", "Zürcher Kommentar": "ZK", "Commentaire romand": "CR",
    "Commentaire bâlois": "BSK", "Commentaire bernois": "BK", "Kurzkommentar": "KUKO", "Petit commentaire": "PC",
    "Stämpflis Handkommentar": "SHK", "Onlinekommentar": "OK", "Orell Füssli Kommentar": "OFK", "Handkommentar": "HK",
    "Dike-Kommentar": "DIKE", "DIKE-Kommentar": "DIKE", "Dike Kommentar": "DIKE", "Commentaire Stämpfli": "CS", "Commentaire": "Comm.",
    "Commentario": "Comm.", "Commentario basilese": "BSK", "Commentario bernese": "BK", "Kommentar": "Komm.",
    "Praxiskommentar": "PraKomm", "St. Galler Kommentar": "SGK",
}  # fmt: skip
GENERIC = frozenset(("Kommentar", "Commentaire", "Commentario", "Handkommentar"))
"""Names that any book may have: only with its authors is it a certain one."""
_LONG_NAME = re.compile("|".join(map(re.escape, sorted(LONG_NAMES, key=len, reverse=True))))

_CAPITALS = r"[A-ZÄÖÜÉÈ][A-ZÄÖÜÉÈ'’-]{2,}(?:\s(?:VON|DE|VAN)\s[A-ZÄÖÜ'’-]+)?"
_PIN = r"(?:S\.|pp?\.|pagg?\.|Rz\.?|Rn\.?|N\.?|[nN]os?\.?|n\.|[nN]°|ch\.|cap\.)\s?"
_MARGINS = (
    r"(?P<margin>\d{1,4}(?:\.\d{1,3})?[a-z]?(?:\s?[-–]\s?\d{1,4}|\s?(?:ff?\.|ss?\.|segg?\.|ss\b))?)(?![\d/])"
)
_TITLED = re.compile(
    rf"(?<![\w.-])(?P<authors>{_FULL_NAME}(?:\s?[/,]\s?{_FULL_NAME}){{0,5}})(?:\s\((?:Hrsg|éds?|eds?|a cura di)\.?\))?,\s"
    r"(?P<title>[A-ZÄÖÜÉ][^;:\n§]{3,120}?),\s(?P<number>\d{1,2})(?:\.|e|ème|ᵉ|a|th|nd|rd)?\s(?:[a-zéüö.]+\s)?$"
)
_EDITED = re.compile(
    rf"(?P<word>Aufl(?:\.|age)|[ée]d\.)(?:\s[a-z]+\.?)?,?\s(?:(?:[A-ZÉ][\w.-]+(?:\s?[/,]\s?[A-Z][\w.-]+){{0,4}},?\s(?:u\.a\.\s)?)?(?P<year>(?:19|20)\d\d),?\s)?"
    rf"(?:§§?\s\d{{1,3}},?\s)?(?P<mark>{_PIN}){_MARGINS}"
)
_IN_CAPITALS = re.compile(
    rf"(?<![\w./-])(?P<authors>{_CAPITALS}(?:\s?/\s?{_CAPITALS}){{0,5}})(?:\s\((?:Fn|FN|Anm|note|n|nota)\.?\s?\d+\))?"
    r"(?:,\s(?P<title>(?!in:)[A-ZÄÖÜÉ][^,;.\d\n()]{2,70}))?(?:,\s(?:[A-Z][a-zéüö]+\s)?(?P<year>(?:19|20)\d\d))?,?\s$"
)
_RZ = re.compile(rf"(?P<mark>(?:Rz|Rn|N)\.?\s?){_MARGINS}")


def read_edition(scan: Scan, at: int) -> bool:
    """``HUGUENIN, Obligationenrecht, 3. Aufl., Zürich 2019, Rz. 123``: the word for the edition stands at ``at``."""
    before = scan.before(at, 190)
    found, behind = _TITLED.search(before), _EDITED.match(scan.text, at)
    if not found or not behind:
        return False
    edition = "a ed." if behind["word"] == "ed." else "e éd." if behind["word"] == "éd." else ". Aufl."
    _report_book(
        scan, at - len(before) + found.start(), found, behind, found["number"] + edition, behind["year"]
    )
    return True


def read_margin(scan: Scan, at: int) -> bool:
    """``HUGUENIN, Rz. 123``: an author in capitals, as small capitals are typed, in front of the margin number at ``at``."""
    before = scan.before(at, 150)
    found, behind = _IN_CAPITALS.search(before), _RZ.match(scan.text, at)
    if not found or not behind or found["authors"] in built_in() or found["authors"] in NOT_CODES:
        return False
    _report_book(scan, at - len(before) + found.start(), found, behind, "", found["year"])
    return True


def _report_book(
    scan: Scan, start: int, found: re.Match[str], behind: re.Match[str], edition: str, year: str | None
) -> None:
    authors, title = re.sub(r"\s?/\s?", "/", found["authors"]), " ".join((found["title"] or "").split())
    pages = behind["mark"].startswith(("S", "p"))
    pin = ("S. " if pages else "N ") + _margin(behind["margin"]).removeprefix("N ")
    known = {"authors": authors, "title": title, "edition": edition, "year": year}
    data = {"series": "", "code": "", **{name: value for name, value in known.items() if value}}
    name = ", ".join(value for value in known.values() if value)
    reason = None if edition or year else "no_edition"
    scan.add("doctrine", start, behind.end(), name, [pin], data=data, reason=reason)


def read_series(scan: Scan, start: int, after: int, name: str) -> None:
    """``BSK``, ``CR`` ...: an article with a margin number, or a margin number with its article, must follow."""
    found = _SHORT.match(scan.text, after)
    if not found or not (found["authors"] or found["code"] or found["article"]):
        return
    authors, begin, code = found["authors"] or "", start, found["code"] or ""
    if code and not authors and scan.text[after] == "-" and code.split(" ")[0] not in built_in():
        authors, code = code, ""  # BK-Muster: a name, and no act
    if not authors:
        authors, begin = _before(scan, start)
    if authors or code:
        _report(scan, begin, found, SAME.get(name, name), authors, code)


def read_long_name(scan: Scan, at: int) -> None:
    """``Basler Kommentar``, ``Commentaire romand`` with the authors in front and the margin number behind."""
    scanned = scan.text
    candidates = _LONG_NAME.finditer(scanned, max(scan.end, at - 18), min(len(scanned), at + 24))
    name = next((name for name in candidates if name.start() < at < name.end()), None)
    found = _LONG.match(scanned, name.end()) if name else None
    if not name or not found:
        return
    authors, start = _before(scan, name.start())
    if authors:
        _report(scan, start, found, LONG_NAMES[name[0]], authors, "")
    elif name[0] not in GENERIC and not scanned[name.start() - 1 : name.start()].isalpha():
        title = found["code"] or found["middle"].strip(" ,")
        names = title[1:] if title.startswith("-") else ""  # Onlinekommentar-Muster
        _report(scan, start, found, LONG_NAMES[name[0]], names, "" if names else title)


def _before(scan: Scan, start: int) -> tuple[str, int]:
    if scan.text[start - 1 : start] not in (" ", "\n") or scan.text[start - 2 : start - 1] not in (
        ",",
        "n",
        ":",
    ):
        return "", start  # neither a comma nor “in” stands in front
    before = scan.before(start, 150)
    found = _AUTHORS_BEFORE.search(before)
    return (found["authors"], start - len(before) + found.start()) if found else ("", start)


def _report(scan: Scan, begin: int, found: re.Match[str], series: str, authors: str, code: str) -> None:
    parts = found.groupdict()
    margin = parts.get("margin") or parts.get("margin2") or ""
    end = found.end("margin") if parts.get("margin") else found.end("margin2")
    pins = [_margin(margin)]
    if parts.get("second"):
        end = found.end("second")
        pins.append(_margin(parts["second"].lstrip(" ,undet")))
    elif parts.get("article"):
        while more := _MORE.match(scan.text, end):
            pins.append(_margin(more[1]))
            end = more.end()
    code = code or (parts.get("act") or "").strip()
    head = (
        f"{series} {code}-{authors}"
        if code and authors
        else f"{series}-{authors}"
        if authors
        else f"{series} {code}"
    )
    edition = parts.get("edition")
    pieces = [head, edition or "", parts.get("year") or "", " ".join((parts.get("article") or "").split())]
    data = {"series": series, "code": code, "authors": authors, **{k: v for k, v in parts.items() if v}}
    identified = None if edition or parts.get("year") else "no_edition"
    scan.add("doctrine", begin, end, ", ".join(filter(None, pieces)), pins, data=data, reason=identified)


def _margin(written: str) -> str:
    written = re.sub(r"\s?[-–]\s?", "-", written)
    return "N " + re.sub(
        r"\s?(ff?\.|ss?\.|ss|segg?\.)$",
        lambda f: " ff." if f[1] not in ("f.", "s.", "seg.") else " f.",
        written,
    )
