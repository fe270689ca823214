"""Cantonal dockets of all 26 cantons: which court they name, or which ones they could name.

A docket that only one court writes speaks for itself. Where several write the same form, the words in front
decide; without them the mention carries all candidates and says ``ambiguous``. Three bare numbers need such
words to count at all.
"""

import re

from citations.courts.leads import JUDGMENT, WINDOW, Lead, read_lead
from citations.courts.table import Court, courts_of
from citations.grammar.dates import IN_BETWEEN
from citations.grammar.docket_context import is_of_something_else
from citations.grammar.federal import decision, is_criminal, is_page_header
from citations.grammar.scan import Scan
from citations.pinpoints import read_pinpoints

_PREFIX_BEFORE_DOT = re.compile(r"(?<![\w.])(?P<prefix>[A-ZÄ]{1,6}|\d{1,3})$")
_DOTTED = re.compile(
    r"\.(?P<year>(?:19|20)\d\d)\.(?P<number>\d{1,6})(?!\d)(?!\.\d)(?P<tail>/[A-Z]{1,3}(?![A-Za-z]))?"
)
_POLICE = re.compile(r"[A-Z]{2}\d\d\.\d{6}(?!\d)")
_ZURICH = re.compile(
    r"(?P<prefix>[A-Z]{2})(?P<number>\d{6})(?P<tail>-[A-Z](?:/[A-Z0-9]{1,3}){0,3})?(?![\dA-Za-z])"
)
_SPACED = re.compile(
    r"(?P<prefix>\d?[A-Z]{1,5}\d?[A-Z]?(?:\s(?:BI|[ZVS])(?=\s\d\d\s))?|\d{3})\s(?P<year>(?:19|20)\d\d|\d\d)(?P<mark>[ /])(?P<number>\d{1,6})(?!\d)(?![./]\d)"
)
_INNERRHODEN = re.compile(r"(?P<prefix>[A-Z]{1,2}) \d{1,3}-20\d\d(?!\d)")
_GENEVA_BEFORE = re.compile(r"(?<![\w/.-])(?P<prefix>[A-Z]{1,6})(?:\s?/\s?(?P<number>\d{1,6}))?\s?$")
_GENEVA = re.compile(
    r"(?P<prefix>[A-Z]{1,6})\s?/\s?(?P<number>\d{1,6})\s?/\s?(?P<year>(?:19|20)\d\d)(?:\s?-\s?(?P<office>[A-Z]{2,6})(?![a-z]))?(?![\d/])"
)
_SCHAFFHAUSEN = re.compile(
    r"(?<![\d./])(?P<prefix>\d\d)/(?P<year>20\d\d)/(?P<number>\d{1,3})(?:/[A-Z])?(?![\d/])"
)
_VAUD_DATED = re.compile(
    r"(?<![A-Za-z])(?P<chamber>CREP|CACI|CAPE|CMPF|CREC(?:\sI{1,2})?|CPF|CCUR|CCIV|CPAR|CASSO)(?:\sVD)?\s++(?P<date>\d{1,2}(?:er)?\s++[a-zéû]{3,9}\s++\d{4})$"
)
_VAUD_SPACED = re.compile(
    r"(?<![A-Za-z])(?P<head>Arrêt|Décision|Jug|HC|ML|PE|FA|AI|AA|ACH|AVS|PC|LPP|AM|AF|D\d{0,3})\s?$"
)
_VAUD_INSURANCE = re.compile(r"(?<![A-Za-z])(?:AI|AA|ACH|AVS|PC|PP|AM|AF|APG|LAVAM)\s\d{1,4}$")
_VAUD_INSURANCE_TAIL = re.compile(r"/(?P<year>\d\d)\s[-–]\s(?P<number>\d{1,4}/20\d\d)(?!\d)")
_VAUD_TAIL = re.compile(r"\s?/\s?(?P<year>20\d\d)\s?/\s?(?P<number>\d{1,4})(?!\d)")
_JURA = re.compile(r"(?<![A-Za-z])(?P<prefix>CC|ADM|CPR?|CPP|AS|CA)\s(?P<number>\d{1,4})\s?$")
_COURT_AND_YEAR = re.compile(
    r"(?<!\w)(?:[A-Z]{2} [OVKH]?[A-Za-z]{0,4}(?:Ger|Gr)|[OVKH]?[A-Za-z]{0,4}(?:Ger|Gr) [A-Z]{2})\s(?P<year>(?:19|20)\d\d)$"
)
_OTHER_TAIL = re.compile(r"/(?P<number>(?!(?:19|20)\d\d)\d{1,4})(?![\d/]|\.\d)")
_COURT_BEHIND = re.compile(r"\s?\((?:I{1,3}\s)?(?:CEF|CCA|CCC|CARP|CRP|CDP|CDT|TCA|TRAM)\b")
_BRGE = re.compile(r"\s(?P<section>I{1,3}V?)\s(?:Nrn?\.\s?)?(?P<number>\d{1,4}(?:-\d{1,4})?/20\d\d)")
_PLAIN = re.compile(r"\s(?:[^.;\n]{0,40}?\s)??(?P<number>\d{5})(?![\d.,'’/])")
_NIDWALDEN = re.compile(r"Nidwaldens?|NW")
_NAMES_A_COURT = re.compile(r"ericht|Ger\b|ribunal|[OK]G |VGr|Cour |Camera")


def read_dotted(scan: Scan, at: int) -> None:
    """``VB.2021.00456``, ``SK.2019.50``, ``14.2022.11``, ``PE22.004321``: the dot before the year stands at ``at``."""
    text = scan.text
    begin = max(scan.end, at - 7)
    found = _PREFIX_BEFORE_DOT.search(text[begin:at])
    docket = _DOTTED.match(text, at)
    if found and docket:
        _dotted(scan, begin + found.start(), found["prefix"], docket)
    elif (
        at - 4 >= scan.end and (police := _POLICE.match(text, at - 4)) and not text[at - 5 : at - 4].isalnum()
    ):
        _report(scan, police.start(), police.end(), police[0], (Court("VD", "TC", needs_lead=False),))


def _dotted(scan: Scan, start: int, prefix: str, docket: re.Match[str]) -> None:
    number, written = docket["number"], scan.text[start : docket.end()]
    if prefix.isdigit() and re.match(r"(?:0?[1-9]|[12]\d|3[01])$", prefix) and len(number) > 4:
        return
    form = (
        {5: "dot5", 4: "dot4"}.get(len(number), "dot")
        if number.startswith("0") or len(number) == 5
        else "dot"
    )
    courts = (
        courts_of(form, prefix)
        or courts_of("dot", prefix)
        or (courts_of("dot4", prefix) if len(number) == 4 else ())
    )
    if is_of_something_else(scan, start, docket.end()):
        return
    lead = _lead(scan, start)
    if prefix.isdigit() and not lead and not _is_a_decision(scan, start, docket.end()):
        return  # a version, an invoice
    if prefix == "SB" and form == "dot":
        courts = (*courts, Court("ZH", "VGer", needs_lead=False))
    if (
        is_criminal(prefix, number)
        and not (lead.canton or lead.court)
        and not (courts and prefix not in ("SK", "RR"))
    ):
        if not is_page_header(scan, start, docket.end()):
            decision(scan, "bstger", start, docket.end(), f"BStGer {prefix}.{docket['year']}.{number}")
        return
    if is_criminal(prefix, number) and not lead.canton and courts == ():
        decision(scan, "bstger", start, docket.end(), f"BStGer {prefix}.{docket['year']}.{number}")
        return
    _report(scan, start, docket.end(), written, courts, lead)


def _is_a_decision(scan: Scan, start: int, end: int) -> bool:
    """Do the words around a number that is nothing but figures say that a court gave it?"""
    if (
        IN_BETWEEN.match(scan.text, end)
        or _COURT_BEHIND.match(scan.text, end)
        or read_pinpoints(scan.text, end)[0]
    ):
        return True
    listed = bool(scan.mentions) and scan.mentions[-1].kind == "cantonal" and start - scan.end < 8
    return listed or bool(JUDGMENT.search(scan.before(start, 30)))


def read_zurich(scan: Scan, at: int) -> bool:
    """``LB230045-O/U``: two letters, two digits of the year, four of the number."""
    found = _ZURICH.match(scan.text, at)
    if not found or scan.text[at - 1 : at].isalnum() or not "05" <= found["number"][:2] <= "35":
        return False
    return _report(scan, at, found.end(), found["prefix"] + found["number"], courts_of("zh", found["prefix"]))


def read_spaced(scan: Scan, at: int) -> bool:
    """``ZK 14 123``, ``100 2021 99``, ``UV 2022/11``, ``OG Z 20 5``; False when there is no such docket."""
    text = scan.text
    start = at
    while start > scan.end and at - start < 3 and text[start - 1].isalnum():
        start -= 1
    if text[start - 3 : start] == "OG " and start - 3 >= scan.end:
        start -= 3
    found = _SPACED.match(text, start)
    if not found:
        inner = _INNERRHODEN.match(text, start)
        return inner is not None and _report(
            scan, start, inner.end(), inner[0], courts_of("ai", inner["prefix"])
        )
    mark, year = found["mark"], found["year"]
    form = {" ": "sp", "/": "slash"}[mark] + (
        {2: "2", 4: "4"}[len(year)] if mark == " " else ("2" if len(year) == 2 else "")
    )
    return _report(scan, start, found.end(), found[0], courts_of(form, found["prefix"]))


def read_slashed(scan: Scan, at: int) -> bool:
    """``ATA/123/2010``, ``60/2025/5``, ``CREP 3 juin 2024/123``, ``HC / 2023 / 321``, ``CC 12/2020``."""
    begin = max(scan.end, at - 34)
    before = scan.text[begin:at]
    return (
        _read_geneva(scan, begin, before)
        or _read_schaffhausen(scan, at)
        or _read_vaud(scan, begin, before, at)
        or _read_jura(scan, begin, before, at)
        or _read_other(scan, begin, before, at)
    )


def _read_geneva(scan: Scan, begin: int, before: str) -> bool:
    found = _GENEVA_BEFORE.search(before)
    docket = _GENEVA.match(scan.text, begin + found.start()) if found else None
    if not docket:
        return False
    written = f"{docket['prefix']}/{int(docket['number'])}/{docket['year']}"
    return _report(scan, docket.start(), docket.end(), written, courts_of("ge", docket["prefix"]))


def _read_schaffhausen(scan: Scan, at: int) -> bool:
    docket = _SCHAFFHAUSEN.match(scan.text, at - 2) if at - 2 >= scan.end else None
    if docket is None:
        return False
    return _report(scan, docket.start(), docket.end(), docket[0], courts_of("sh", docket["prefix"]))


def _read_vaud(scan: Scan, begin: int, before: str, at: int) -> bool:
    tail = re.compile(r"\s?/\s?(\d{1,4})(?![\d/])").match(scan.text, at)
    if tail and (found := _VAUD_DATED.search(before)):
        written = f"{found['chamber']} VD {' '.join(found['date'].split())}/{tail[1]}"
        decision(scan, "cantonal", begin + found.start(), tail.end(), written)
        return True
    tail = _VAUD_INSURANCE_TAIL.match(scan.text, at)
    if tail and (found := _VAUD_INSURANCE.search(before)):
        written = f"{found[0]}/{tail['year']} - {tail['number']}"
        return _report(
            scan, begin + found.start(), tail.end(), written, (Court("VD", "CASSO", needs_lead=False),)
        )
    if (spaced := _VAUD_TAIL.match(scan.text, at)) and (head := _VAUD_SPACED.search(before)):
        written = f"{head['head']} / {spaced['year']} / {spaced['number']}"
        return _report(
            scan, begin + head.start(), spaced.end(), written, (Court("VD", "TC", needs_lead=False),)
        )
    return False


def _read_jura(scan: Scan, begin: int, before: str, at: int) -> bool:
    tail = re.compile(r"\s?/\s?(?P<year>20\d\d)(?![\d/])").match(scan.text, at)
    found = _JURA.search(before)
    if not tail or not found:
        return False
    written = f"{found['prefix']} {found['number']}/{tail['year']}"
    lead = _lead(scan, begin + found.start())
    if lead.canton != "JU":
        return False
    return _report(scan, begin + found.start(), tail.end(), written, courts_of("ju", found["prefix"]), lead)


def _read_other(scan: Scan, begin: int, before: str, at: int) -> bool:
    """``ZH OGer 2019/45``: court and canton are named, and the number is of no form that its courts are known to write."""
    found = _COURT_AND_YEAR.search(before)
    tail = _OTHER_TAIL.match(scan.text, at)
    if not found or not tail:
        return False
    lead = _lead(scan, begin + found.start("year"))
    if not (lead.court and lead.canton):
        return False
    written = f"{lead.court} {lead.canton} {found['year']}/{tail['number']}"
    mention = decision(scan, "cantonal", begin + found.start("year"), tail.end(), written)
    mention.lead, mention.reason = lead.start, "unknown_form"
    return True


def read_brge(scan: Scan, start: int, after: int, name: str) -> None:
    """``BRGE III Nr. 0076/2025``: the Baurekursgericht of Zürich."""
    if found := _BRGE.match(scan.text, after):
        decision(
            scan, "cantonal", start, found.end(), f"BRGer ZH BRGE {found['section']} Nr. {found['number']}"
        )


def read_nidwalden(scan: Scan, at: int) -> None:
    """Nidwalden numbers its decisions plainly: ``Obergericht Nidwalden 42526``."""
    name = _NIDWALDEN.match(scan.text, at)
    found = _PLAIN.match(scan.text, name.end()) if name else None
    if not name or not found:
        return
    lead = _lead(scan, name.end())
    if lead.court and lead.canton == "NW":
        decision(scan, "cantonal", found.start("number"), found.end(), f"{lead.court} NW {found['number']}")


def _lead(scan: Scan, start: int) -> Lead:
    before = scan.before(start, WINDOW)
    return read_lead(before, start - len(before))


def _report(
    scan: Scan, start: int, end: int, written: str, courts: tuple[Court, ...], lead: Lead | None = None
) -> bool:
    """Report the docket under its court; True when it was reported."""
    if is_page_header(scan, start, end) or is_of_something_else(scan, start, end):
        return True
    if lead is None:
        lead = _lead(scan, start) if courts or _NAMES_A_COURT.search(scan.before(start, 60)) else Lead()
    fitting = _fitting(courts, lead)
    if lead.court and lead.canton and not fitting:
        label = f"{lead.court} {lead.canton}"
    elif len(fitting) == 1 and (lead or not fitting[0].needs_lead):
        label = fitting[0].label
    elif len(fitting) > 1 and any(lead or not court.needs_lead for court in fitting):
        candidates = tuple(f"{court.label} {written}" for court in fitting)
        mention = decision(scan, "cantonal", start, end, written)
        mention.candidates, mention.reason = candidates, "ambiguous"
        return True
    else:
        return False
    mention = decision(scan, "cantonal", start, end, f"{label} {written}")
    if lead.start >= 0:
        mention.lead = lead.start
    return True


def _fitting(courts: tuple[Court, ...], lead: Lead) -> tuple[Court, ...]:
    """The courts that the words in front leave."""
    if lead.canton:
        courts = tuple(court for court in courts if court.canton == lead.canton)
    if lead.court and len(courts) > 1:
        courts = tuple(court for court in courts if court.name == lead.court) or courts
    return courts
