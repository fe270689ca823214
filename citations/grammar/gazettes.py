"""What the state publishes besides decisions: the debates (``AB 2008 N 123``), acts by their number in the systematic
collection (``SR 220``), and acts of the European Union (``Verordnung (EU) 2016/679``).
"""

import re

from citations.grammar.scan import Scan
from citations.pinpoints import read_pinpoints
from citations.statutes import european
from citations.statutes.acts import built_in

BULLETINS = ("AB", "BO", "BU", "AmtlBull")
COLLECTIONS = ("SR", "RS")
_CHAMBERS = {
    **dict.fromkeys(("N", "NR", "CN", "N."), "N"),
    **dict.fromkeys(("S", "SR", "StR", "CE", "CS", "E"), "S"),
}
_CHAMBER = r"(?P<{0}>NR|CN|N|StR|SR|CE|CS|S|E)"
_BULLETIN = re.compile(
    rf"[ -]?(?:\s*+{_CHAMBER.format('before')}(?=\s))?\s++(?P<year>(?:19|20)\d\d)(?:\s++{_CHAMBER.format('behind')}(?=[\s,]))?,?"
    r"\s++(?:S\.|pp?\.|pagg?\.)?\s*+(?P<page>\d{1,4})(?![\d/_]|\.\d)"
)
_NAMED = re.compile(r"(?<!\w)(?:Amtl\.\s?Bull\.|Bull\.\s?(?:off\.|uff\.|stén\.)|Sten\.\s?Bull\.)")
_NUMBER = re.compile(
    r"(?:-?\s?Nr\.|\s?n[°ºo]\.?|\s?n\.)?\s++(?P<number>(?:0|\d{3})(?:\.\d{1,4})+|\d{3})(?![\d'’%/]|[.,]\d)"
)
_IN_APPOSITION = re.compile(r"\s?[,;(\[]?\s?[(\[]?")


def read_bulletin(scan: Scan, start: int, after: int, name: str) -> None:
    """``AB 2008 N 123``, ``BO 2014 CE 234``, ``AB NR 2011 S. 1234``: N is the Nationalrat, S the Ständerat."""
    found = _BULLETIN.match(scan.text, after)
    chamber = (found["before"] or found["behind"]) if found else None
    if not found or not chamber:
        return
    pins, end = read_pinpoints(scan.text, found.end())
    normalized = f"AB {found['year']} {_CHAMBERS[chamber]} {found['page']}"
    data = {"code": "AB", "year": found["year"], "part": _CHAMBERS[chamber], "page": found["page"]}
    scan.add("gazette", start, end if pins else found.end(), normalized, pins, data=data)


def read_named_bulletin(scan: Scan, at: int) -> None:
    """``Amtl. Bull. NR 2011, S. 1234``: ``Bull.`` stands at ``at``."""
    if found := _NAMED.search(scan.text, max(scan.end, at - 6), at + 12):
        read_bulletin(scan, found.start(), found.end(), "AB")


def read_number(scan: Scan, start: int, after: int, name: str) -> None:
    """``SR 220``, ``RS 0.142.112.681``; right behind an article of the act it only says which act that is."""
    found = _NUMBER.match(scan.text, after)
    if not found or ("." not in found["number"] and found["number"] not in built_in().numbers):
        return
    number, last = found["number"], scan.mentions[-1] if scan.mentions else None
    if last and last.data.get("sr") == number and _IN_APPOSITION.fullmatch(scan.text, scan.end, start):
        return
    scan.add("sr", start, found.end(), f"SR {number}", data={"sr": number})


def read_european(scan: Scan, at: int) -> None:
    """``Verordnung (EU) 2016/679``, ``Richtlinie 95/46/EG``: the sign of the Union stands at ``at``."""
    if named := european.act_around(scan.text, at, scan.end):
        pins, end = read_pinpoints(scan.text, named.end)
        scan.add(
            "eu_act",
            named.start,
            end if pins else named.end,
            named.key,
            pins,
            name_end=named.end,
            reason="foreign_law",
        )
