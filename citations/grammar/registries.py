"""Identifiers that their registries define: ECLI, DOI, arXiv; in the form that a registry itself gives."""

import re

from citations.grammar.scan import Scan
from citations.pinpoints import read_pinpoints

_ECLI = re.compile(r"ECLI:[A-Z]{2}:[A-Za-z0-9.]{1,15}:\d{4}:[A-Za-z0-9._-]{1,35}", re.IGNORECASE)
_EUROPEAN = re.compile(
    r"(?<![\w:])(?:EU:[CTF]:\d{4}:\d{1,5}(?![\w.-]\d)|CE:ECHR:\d{4}:\d{4}[A-Z]{3}\d{9})(?!\w)"
)
"""The courts in Luxembourg and Strasbourg write theirs without the word in front."""
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|\\^`\[\]]{1,200}")
_ARXIV = re.compile(
    r"ar[Xx]iv(?::\s?|\s|\.org/(?:abs|pdf)/)(?P<id>\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(?P<version>v\d+)?"
)
_PREPRINT_VERSION = re.compile(r"v\d{1,2}(?:\.full|\.abstract)?(?:\.pdf|-text)?$")
_TRAILING = ".,;:!?'\"’”»"


def read_ecli(scan: Scan, start: int, after: int = 0, name: str = "") -> None:
    """``ECLI:CH:BGer:2026:1C_401.2026``; the syntax says nothing about whether it exists."""
    if found := _ECLI.match(scan.text, start):
        written = found[0].rstrip(_TRAILING)
        _add_ecli(scan, start, start + len(written), "ECLI" + written[4:])


def read_european(scan: Scan, start: int, after: int, name: str) -> None:
    """``EU:C:2014:317``, ``CE:ECHR:2010:0706JUD004161507``."""
    if found := _EUROPEAN.match(scan.text, start):
        _add_ecli(scan, start, found.end(), "ECLI:" + found[0])


def _add_ecli(scan: Scan, start: int, end: int, name: str) -> None:
    in_brackets = scan.text[start - 1 : start] == "(" and scan.text[end : end + 1] == ")"
    pins, stop = read_pinpoints(scan.text, end + in_brackets)
    scan.add("ecli", start, stop if pins else end, name, pins, name_end=end)


def read_doi(scan: Scan, start: int) -> None:
    """DOIs are case-insensitive (ISO 26324): ``doi:10.1000/182`` in small letters; bioRxiv's has no version."""
    if scan.text[start - 1 : start].isalnum() or scan.text[start - 1 : start] == ".":
        return
    if found := _DOI.match(scan.text, start):
        written = _unbalanced(found[0].rstrip(_TRAILING)).rstrip(_TRAILING)
        if written.partition("/")[2]:
            name = (
                _PREPRINT_VERSION.sub("", written.lower())
                if written.startswith("10.1101/")
                else written.lower()
            )
            scan.add("doi", start, start + len(written), f"doi:{name}")


def _unbalanced(written: str) -> str:
    return written[:-1] if written.endswith(")") and written.count("(") < written.count(")") else written


def read_arxiv(scan: Scan, start: int) -> None:
    """``arXiv:2101.00001v2`` is a version of the work ``arXiv:2101.00001``; ``math.GT/0309136`` is ``math/0309136``."""
    if found := _ARXIV.match(scan.text, start):
        archive, slash, number = found["id"].partition("/")
        name = f"{archive.partition('.')[0]}/{number}" if slash else archive
        data = {"version": found["version"]} if found["version"] else {}
        scan.add("arxiv", start, found.end(), f"arXiv:{name}", data=data)
