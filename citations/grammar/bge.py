"""BGE = ATF = DTF: the official collection of the Federal Supreme Court, and the bare loci that continue a
list of them.

A bare ``VOL DIV PAGE`` counts only as the continuation of a list that began with the name of the collection:
journals (``JdT 1995 I 123``) and dates (``31 III 2004``) look the same.
"""

import re

from citations.grammar.headers import BREAK as _BREAK
from citations.grammar.in_front import pins_before
from citations.grammar.scan import Scan
from citations.mention import Mention
from citations.pinpoints import read_bare_page, read_pinpoints

NAMES = ("BGE", "ATF", "DTF", "DFT", "SFT")
_PLAIN = re.compile(r"\s++(\d{1,3})\s++(I[ab]?|II|III|IV|V)\s++(\d{1,4})(?![\d/_])")
_DIVISION = r"(?:(?=1*[Il|])[Il|1]{2,3}(?![\w|])|[l|](?=\s)|[l1|]V(?=\s)|[IVX]{1,5}|[ivx]{1,5})"
"""A scanner reads ``III`` as ``lll`` or ``Ill``, and ``145`` as ``l45``."""
_DAMAGED = re.compile(
    rf"(?:\s*+\([a-z]\))?{_BREAK}(?P<vol>(?:\d|l(?=[\dO]))(?:\s?[\dlO]){{0,2}}){_BREAK}[/.-]?{_BREAK}"
    rf"(?P<div>{_DIVISION})(?:\s?(?P<half>[abAB])(?=[\s/.-]))?{_BREAK}[/.-]?{_BREAK}(?P<page>\d{{1,4}})(?![\d_])"
)
_DIGITS, _FIGURES = str.maketrans("lO", "10"), str.maketrans("l1|", "III")
_ROMAN = re.compile(r"\s++(?P<vol>[IVXL]{1,7})\s++(?P<page>\d{1,4})(?![\d/_])")
_BARE = re.compile(
    rf"(?P<vol>\d\s\d\d|\d\d\s\d|\d{{1,3}}){_BREAK}(?P<div>III|II|IV|I|V|(?=1*[Il|])[Il|1]{{2,3}}(?=\s))(?:\s?(?P<half>[ab])(?=\s))?{_BREAK}(?P<page>\d{{1,3}})"
    rf"(?![\d/_.]\d)"
)
_SAME_DIVISION = re.compile(r"(\d{1,3})(?=\s*+(?:E\.|Erw\.|[Cc]onsid|[Cc]ons\.|c\.\s?\d))")
_REMARK = (
    r"mit\s++(?:weiteren\s++)?Hinweisen?(?:\s++auf)?|m\.\s?(?:w\.\s?)?H\.|je\s++m\.\s?H\."
    r"|et\s++(?:les?\s++|la\s++|l['’])?(?:arrêts?|références?|réf\.|jurisprudence)(?:\s++(?:y\s++)?citée?s?)?"
    r"|(?:con|e)\s++(?:i\s++)?(?:rinvi[io]|riferiment[io]|rif\.|richiami)(?:\s++(?:ivi\s++)?citat[io])?|in\s++fine|i\.f\."
    r"|ff?\.|ss\.?(?![a-z])|s\.|segg?\."
)
_LEADING = r"vgl\.|dagegen|demgegenüber|anders|contra|auch|ferner|siehe|s\.|cf\.|voir|vedi|v\.|aussi|anche|zuletzt|etwa|je|insb\.|u\.a\.|ebenso|sowie|et|und|e|aber|précité"
_GAP = re.compile(
    rf"{_BREAK}(?:(?:[,;]\s*+)?(?:je\s++)?(?:{_REMARK})\s*+)?(?:\([^()]{{0,120}}\)\s*+)?(?:[,;]|(?<=\s)(?:und|u\.|et|e|ed|and|sowie|oder|ou|o|bzw\.|resp\.)\s|[=]){_BREAK}"
    rf"(?:(?:{_LEADING})\s++){{0,4}}"
)
_FOLLOWING = re.compile(r"\s?(?:ff?\.|ss?\.(?!\s?\d)|ss\b|segg?\.)")
_UNPUBLISHED = re.compile(
    r"(?:nicht\s++(?:in\s++)?(?:amtl(?:ich|\.)\s++)?(?:publ\w*\.?|veröffentl\w*\.?)|non\s++publié\w*|non\s++pubbl\w*\.?|unpublished)\W"
    r".{0,25}$",
    re.DOTALL,
)


def read_bge(scan: Scan, start: int, after: int) -> None:
    """Read what follows ``BGE``, ``ATF`` or ``DTF`` at ``start``, and the list it begins."""
    text = scan.text
    found = _PLAIN.match(text, after)
    if found:
        volume, division, page = found.groups()
    else:
        found = _DAMAGED.match(text, after)
        if not found:
            _read_roman(scan, start, after)
            return
        volume, division, page = _parts(found)
    _add(scan, start, found.end(), (volume, division, page))
    continue_list(scan)


def continue_list(scan: Scan) -> None:
    """Read the bare loci that go on with the list behind the last mention."""
    while scan.series:
        gap = _GAP.match(scan.text, scan.end)
        if not gap or not _continuation(scan, gap.end()):
            return


def _continuation(scan: Scan, pos: int) -> bool:
    if found := _BARE.match(scan.text, pos):
        _add(scan, pos, found.end(), _parts(found))
        return True
    if (found := _SAME_DIVISION.match(scan.text, pos)) and scan.series:
        _add(scan, pos, found.end(), (*scan.series, found[1]))
        return True
    return False


def _parts(found: re.Match[str]) -> tuple[str, str, str]:
    half = (found["half"] or "").lower()
    division = found["div"] if set(found["div"]) <= set("IVX") else _division(found["div"])
    return "".join(found["vol"].split()).translate(_DIGITS), division + half, found["page"]


def _division(written: str) -> str:
    """``iv`` in small letters, or ``lll`` and ``I1I`` as a scanner reads them."""
    return written.upper() if set(written) <= set("ivx") else written.translate(_FIGURES)


def _read_roman(scan: Scan, start: int, after: int) -> None:
    """``BGE XX 289``: before 1898 the volume was written in Roman figures and had no division."""
    if found := _ROMAN.match(scan.text, after):
        pins, end = read_pinpoints(scan.text, found.end())
        scan.add("bge", start, end, f"BGE {found['vol']} {found['page']}", pins)


def _add(scan: Scan, start: int, end: int, locus: tuple[str, str, str]) -> Mention:
    volume, division, page = locus[0].lstrip("0") or "0", locus[1], locus[2].lstrip("0") or "0"
    pins, after = read_pinpoints(scan.text, end)
    if not pins and (following := _FOLLOWING.match(scan.text, end)):
        pins, after = read_pinpoints(scan.text, following.end())
    if not pins:
        pins, after = read_bare_page(scan.text, end, int(page))
    before = scan.before(start, 60)
    reason = "unpublished_part" if "ub" in before and _UNPUBLISHED.search(before) else None
    earlier = pins_before(scan, start)
    mention = scan.add(
        "bge",
        start,
        after if pins else end,
        f"BGE {volume} {division} {page}",
        [*earlier, *pins],
        reason=reason,
        name_end=end,
    )
    scan.series = (volume, division)
    return mention
