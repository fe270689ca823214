"""Identifiers that their registries define: ECLI, DOI, arXiv."""

import re

from citations.grammar.scan import Scan

_ECLI = re.compile(r"ECLI:[A-Z]{2}:[A-Za-z0-9.]{1,15}:\d{4}:[A-Za-z0-9._-]{1,35}", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|\\^`\[\]]{1,200}")
_ARXIV = re.compile(
    r"ar[Xx]iv(?::\s?|\s|\.org/(?:abs|pdf)/)(?P<id>\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(?P<version>v\d+)?"
)
_TRAILING = ".,;:!?'\"’”»"


def read_ecli(scan: Scan, start: int, after: int = 0, name: str = "") -> None:
    """``ECLI:CH:BGer:2026:1C_401.2026``; the syntax says nothing about whether it exists."""
    if found := _ECLI.match(scan.text, start):
        written = found[0].rstrip(_TRAILING)
        scan.add("ecli", start, start + len(written), "ECLI" + written[4:])


def read_doi(scan: Scan, start: int) -> None:
    """DOIs are case-insensitive (ISO 26324); the canonical form is in small letters."""
    if scan.text[start - 1 : start].isalnum() or scan.text[start - 1 : start] == ".":
        return
    if found := _DOI.match(scan.text, start):
        written = _unbalanced(found[0].rstrip(_TRAILING)).rstrip(_TRAILING)
        if written.partition("/")[2]:
            scan.add("doi", start, start + len(written), written.lower())


def _unbalanced(written: str) -> str:
    return written[:-1] if written.endswith(")") and written.count("(") < written.count(")") else written


def read_arxiv(scan: Scan, start: int) -> None:
    """``arXiv:2101.00001v2``; the version is part of the identifier."""
    if found := _ARXIV.match(scan.text, start):
        scan.add("arxiv", start, found.end(), f"arXiv:{found['id']}{found['version'] or ''}")
