"""Dockets of the federal courts: ``4A_123/2020``, ``4C.114/2006``, ``I 402/02``, ``A-199/2018``,
``SK.2019.50``, ``O2022_002``.

Also their collections besides BGE (``BVGE 2011/52``, ``TPF 2010 50``, ``MKGE 16 Nr. 15``) and the European
courts' numbers. The Federal Supreme Court writes an underscore since 2007; hyphen, space, dot and doubled
slash are met and put right.
"""

import re

from citations.grammar.bge import continue_list
from citations.grammar.dates import DATE_BEFORE, IN_BETWEEN, iso
from citations.grammar.docket_context import (
    chamber,
    is_introduced,
    is_of_something_else,
    is_said_to_be_a_decision,
)
from citations.grammar.in_front import pins_before
from citations.grammar.scan import Scan
from citations.mention import Mention
from citations.pinpoints import read_pinpoints

_UNDERSCORE = re.compile(
    r"(?P<prefix>\d{1,2}[A-IPSTXYZ])\s?_\s?(?P<numbers>\d{1,5}"
    r"(?:(?:\s?[,/+&–-]\s?|\s(?:und|et|e|ed|and)\s)(?:\d{1,2}[A-IPSTXYZ]\s?_\s?)?\d{1,5}(?!\d)){0,12}?)"
    r"(?P<slash>\s?/{1,2}\s?)(?P<year>(?:19|20)\d\d)(?!\d)"
)
_FURTHER = re.compile(r"(?:\s?,\s?|\s(?:und|et|e|ed|and)\s)(\d{1,4})/(20\d\d)(?!\d)(?!\s?\))")
_PATENT = re.compile(r"[OS]\d{4}_\d{1,3}(?!\d)")
_BEFORE_SLASH = re.compile(
    r"(?:(?<![\w.])(?P<bger>\d{1,2}[A-IPSTXYZ])(?P<sep>[ .\-‐‑–])\s?(?P<number>\d{1,5})"
    r"|(?<![\w.-])(?P<bvger>[A-F])\s?[-‐‑–_]\s?(?P<count>\d{1,5})"
    r"|(?<![\w.-])(?P<evg>[IUKHCBPM])\s(?P<nr>\d{1,4})"
    r"|(?<![\w.-])(?P<cjeu>[CTF])[-‐‑–](?P<case>\d{1,4})"
    r"|(?<![\w./-])(?P<echr>\d{3,6}))\s?$"
)
_YEAR = re.compile(r"/{1,2}\s?(?P<year>(?:19|20)\d\d|\d\d)(?!\d)(?!-[A-Za-z]{3}|[.-]\d)(?![A-Z](?![.a-z]))")
_PAGE_HEADER = re.compile(r"\s++(?:Seite|Page|Pagina|page|pagina)\s++\d")
_CASE = re.compile(
    r"(?:[^;:/.()\[\]\n]|\b(?:c|v|vs|gg|Rs|Nr)\.|\.(?=\s?[\d,])|\([^():\n]{0,60}\)|\[GC\]|(?<=[A-Z])\.){1,110}?"
    r"(?=[,\s]\s?(?:(?:Rn|Rz|Rdn|§§?|par|paras?|pts?)\.?\s?|(?:points?|punt[oi]|paragraph[es]{0,2})\s)\d)"
)
"""The name of a case or the date of its judgment between its number and a paragraph: ``C-311/18, Schrems II, Rn. 80``."""
_HEADER_BEFORE = re.compile(r"[-–]\s*+\d{1,4}\s*+/\s*+\d{1,4}\s*+[-–]\s*+$")
_STRASBOURG = re.compile(
    r"EGMR|EMRK|CourEDH|Cour\s?EDH|CorteEDU|Corte\s?EDU|CEDH|CEDU|ECHR|ECtHR|HUDOC|gegen|[Rr]equêtes?|Beschwerden?|ricors[oi]|[Aa]pplications?"
    r"|\bc\.|\bv\.|\bvs?\b|\bc/|Strasbourg|Strassburg|Suisse|Schweiz|Svizzera|Switzerland",
)
_STRASBOURG_NUMBER = re.compile(
    r"(?:Nrn?\.|[nN][°ºo]s?\.?|[nN]um(?:éro|ero)s?|n\.|no\.|Nos?\.|[Rr]equête|Beschwerde|§)\s*+$"
)
_AFTER_STRASBOURG = re.compile(r"(?:\s*+,)?\s*+(?:\[GC\]|§)")
_INSURANCE = re.compile(
    r"EVG|TFA|Urteil|Entscheid|arrêt|Arrêt|sentenza|Sentenza|Versicherungsgericht|assurances|assicurazioni|[Cc]ause|causa|Sachen"
    r"|i\.S\.|[vV]erfahren|cf\.|vgl\.|STFA|[\d]{2}\b.{0,12}(?:und|et|e|,)\s*+$",
)
_COLLECTION = re.compile(
    r"\s++(?P<year>(?:19|20)\d\d)(?:\s++(?P<part>[IVX]{1,4}))?\s?/\s?(?P<number>\d{1,3})(?![\d/])"
)
_COLLECTION_NEXT = re.compile(
    r"\s*+(?:[,;]|und|et|e|sowie)\s*+(?P<locus>(?P<year>20\d\d)(?:\s++(?P<part>[IVX]{1,4}))?/(?P<number>\d{1,3}))(?![\d/])"
)
_TPF = re.compile(r"\s++(?P<year>20\d\d)\s++(?P<page>\d{1,3})(?![\d/.])")
_MKGE = re.compile(r"\s++(?P<volume>\d{1,2})\s*+,?\s*+(?:Nr|n[o°]?)\.?\s*+(?P<number>\d{1,3})")
MILITARY, ADMINISTRATIVE = ("MKGE", "ATMC", "STMC"), ("BVGE", "ATAF", "DTAF")
CRIMINAL_PREFIXES = frozenset(
    "SK SN BB BE BG BH BK BP BV BA CA CN CR RR RP RH RS TPF SS AK FV BS RK".split()  # noqa: SIM905 - a table
)


def decision(scan: Scan, kind: str, start: int, end: int, normalized: str) -> Mention:
    """Report a docket with the date and the pinpoints behind it; a BGE list may go on behind them."""
    text = scan.text
    date, after = None, end
    if between := IN_BETWEEN.match(text, end):
        date, after = iso(between["date"]), between.end()
    if text[after : after + 1] == ")" and text[start - 1 : start] == "(":
        after += 1  # Urteil vom 3. Mai 2021 (4A_12/2020) E. 3.2
    pins, stop = read_pinpoints(text, after)
    if not pins and kind in ("cjeu", "echr") and (case := _CASE.match(text, after)):
        pins, stop = read_pinpoints(text, case.end())
    earlier, stated = pins_before(scan, start), scan.before(start, 34)
    name_end, end = end, stop if pins else after if date else end
    open_list = scan.series if scan.mentions and _is_near(scan, start) else None
    mention = scan.add(kind, start, end, normalized, [*earlier, *pins], date=date, name_end=name_end)
    if not date and (before := DATE_BEFORE.search(stated)):
        mention.data["date_before"] = iso(before["date"])
    scan.series = open_list
    continue_list(scan)
    return mention


def _is_near(scan: Scan, start: int) -> bool:
    gap = scan.text[scan.end : start]
    return len(gap) <= 70 and "(" not in gap and ")" not in gap


def is_page_header(scan: Scan, start: int, end: int) -> bool:
    """The court's own docket at the head of a page is no citation."""
    if _PAGE_HEADER.match(scan.text, end):
        return True
    return bool(_HEADER_BEFORE.search(scan.text, max(0, start - 20), start))


def read_underscore(scan: Scan, at: int) -> None:
    """A digit follows the underscore at ``at``: the Federal Supreme Court or the Federal Patent Court."""
    text = scan.text
    for back in (2, 3):
        found = _UNDERSCORE.match(text, at - back) if at - back >= scan.end else None
        if found and not text[at - back - 1 : at - back].isdigit():
            _read_supreme(scan, found)
            return
    if at - 5 >= scan.end and (found := _PATENT.match(text, at - 5)):
        decision(scan, "bpatger", found.start(), found.end(), f"BPatGer {found[0]}")


def _read_supreme(scan: Scan, found: re.Match[str]) -> None:
    """One docket or several that share their year: ``6B_101 und 6B_102/2020``."""
    if is_page_header(scan, found.start(), found.end()):
        return
    prefix, year = found["prefix"], found["year"]
    pieces = list(re.finditer(r"(?:(\d{1,2}[A-Z])\s?_\s?)?(\d{1,5})", found["numbers"]))
    offset = found.start("numbers")
    for index, piece in enumerate(pieces):
        own = piece[1] or prefix
        start = found.start() if index == 0 else offset + piece.start()
        end = found.end() if index == len(pieces) - 1 else offset + piece.end()
        _report_supreme(scan, start, end, own, piece[2], year, alone=end == found.end())
    _read_further(scan, prefix)


def _read_further(scan: Scan, prefix: str) -> None:
    """``6B_101/2020 und 105/2020``: the prefix is written once."""
    while found := _FURTHER.match(scan.text, scan.end):
        _report_supreme(scan, found.start(1), found.end(), prefix, found[1], found[2])


def _report_supreme(
    scan: Scan, start: int, end: int, prefix: str, number: str, year: str, *, alone: bool = True
) -> None:
    """In the court's own spelling; a chamber that it does not have makes no docket of it, unless the text says that it is one."""
    if len(year) == 2:
        year = ("20" if int(year) < 20 else "19") + year
    mark = chamber(prefix, int(year))
    kind, name, reason = "bger", f"BGer {prefix}{mark}{int(number)}/{year}", None
    if mark is None:
        if not is_said_to_be_a_decision(scan, start):
            return
        kind, name, reason = "docket", f"{prefix}_{int(number)}/{year}", "unknown_chamber"
    if alone:
        decision(scan, kind, start, end, name).reason = reason
    else:
        scan.add(kind, start, end, name, reason=reason)


def read_slash(scan: Scan, at: int) -> bool:
    """A number stands on both sides of the slash at ``at``; False when no federal court writes like that."""
    year = _YEAR.match(scan.text, at)
    if not year:
        return False
    begin = max(scan.end, at - 16)
    before = scan.text[begin:at]
    found = _BEFORE_SLASH.search(before)
    if not found:
        return False
    start = begin + next(
        found.start(name) for name in ("bger", "bvger", "evg", "cjeu", "echr") if found[name]
    )
    if is_page_header(scan, start, year.end()) or is_of_something_else(scan, start, year.end()):
        return True
    return _slashed(scan, found, start, year)


def _slashed(scan: Scan, found: re.Match[str], start: int, year: re.Match[str]) -> bool:
    written, end = year["year"], year.end()
    if len(written) == 2:
        return _short_year(scan, found, start, end, written)
    if found["bger"]:
        _report_supreme(scan, start, end, found["bger"], found["number"], written)
    elif found["bvger"] and is_introduced(scan, start, end):
        decision(scan, "bvger", start, end, f"BVGer {found['bvger']}-{int(found['count'])}/{written}")
    return bool(found["bger"]) or scan.end >= end


def _short_year(scan: Scan, found: re.Match[str], start: int, end: int, year: str) -> bool:
    """Two digits: the courts in Luxembourg and Strasbourg, the insurance court, the Federal Supreme Court long ago."""
    if found["bger"] and found["sep"] == ".":
        _report_supreme(scan, start, end, found["bger"], found["number"], year)
        return True
    letter, number = (found["bvger"], found["count"]) if found["bvger"] else (found["cjeu"], found["case"])
    if letter in ("C", "T", "F"):
        _read_luxembourg(scan, start, end, f"{letter}-{number}/{year}")
        return True
    if found["evg"]:
        return _read_insurance(scan, start, end, f"EVG {found['evg']} {int(found['nr'])}/{year}")
    return bool(found["echr"]) and _read_strasbourg(scan, start, end, f"{found['echr']}/{year}")


def _read_luxembourg(scan: Scan, start: int, end: int, number: str) -> None:
    suffix = re.compile(r"\s(P(?:PU|-R)?|R|AJ)\b").match(scan.text, end)
    if suffix:
        number, end = f"{number} {suffix[1]}", suffix.end()
    decision(scan, "cjeu", start, end, number)


def _read_insurance(scan: Scan, start: int, end: int, normalized: str) -> bool:
    """One letter and a number: a word of the court or a date must stand by it."""
    said = _INSURANCE.search(scan.text[max(0, start - 60) : start])
    followed = IN_BETWEEN.match(scan.text, end) or (scan.mentions and scan.mentions[-1].kind == "evg")
    if not said and not followed:
        return False
    decision(scan, "evg", start, end, normalized)
    return True


def _read_strasbourg(scan: Scan, start: int, end: int, number: str) -> bool:
    """An application number: named as a number, after the court or its parties."""
    before = scan.text[max(0, start - 160) : start]
    listed = scan.mentions and scan.mentions[-1].kind == "echr" and start - scan.end < 12
    called = _STRASBOURG_NUMBER.search(before) or _AFTER_STRASBOURG.match(scan.text, end)
    if (
        not listed
        and not (called and _STRASBOURG.search(before))
        and not re.search(r"EGMR|CourEDH|CorteEDU|ECtHR", before)
    ):
        return False
    decision(scan, "echr", start, end, f"EGMR {number}")
    return True


def is_criminal(prefix: str, number: str) -> bool:
    """Federal Criminal Court: a known prefix and a number without leading zeros."""
    return prefix in CRIMINAL_PREFIXES and not number.startswith("0") and len(number) <= 4


def read_collection(scan: Scan, start: int, after: int, name: str) -> None:
    """``BVGE 2011/52`` and the bare ones that follow."""
    found = _COLLECTION.match(scan.text, after)
    while found:
        part = f" {found['part']}" if found["part"] else ""
        decision(scan, "bvge", start, found.end(), f"BVGE {found['year']}{part}/{int(found['number'])}")
        found = _COLLECTION_NEXT.match(scan.text, scan.end)
        start = found.start("locus") if found else start


def read_tpf(scan: Scan, start: int, after: int, name: str) -> None:
    """``TPF 2010 50``: the collection of the Federal Criminal Court."""
    if found := _TPF.match(scan.text, after):
        decision(scan, "bstger", start, found.end(), f"TPF {found['year']} {found['page']}")


def read_mkge(scan: Scan, start: int, after: int, name: str) -> None:
    """``MKGE 16 Nr. 15``: the collection of the Military Court of Cassation."""
    if found := _MKGE.match(scan.text, after):
        decision(scan, "mkge", start, found.end(), f"MKGE {found['volume']} Nr. {found['number']}")
