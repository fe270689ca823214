"""Check what a summary lost, by counting numbers, tables and source references."""

import re
from collections.abc import Iterable

MIN_SHARE = 0.10
LONG_NOTES = 20_000  # longer notes must keep at most 10 % of this, because pages are mostly boilerplate
MIN_NUMBERS = 0.5
MIN_ROWS = 0.8
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,’']*\d(?:\s?%)?|(?<![\w.])\d(?:\s?%)")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^[\s|:-]+$")
_SENTENCE = re.compile(r"[^.!?\n|]+")
_CITED = re.compile(r"\[\d{1,4}\]")
_REFERENCE = re.compile(r"\[\d{1,4}\](?!\()")


def losses(raw: str, compressed: str) -> list[str]:
    """Sentences on what was lost. Empty if the summary may replace the notes."""
    if not raw.strip():
        return []
    found = []
    if len(compressed) < MIN_SHARE * min(len(raw), LONG_NOTES):
        found.append("It is shorter than a tenth of the notes.")
    if _REFERENCE.search(raw) and not _REFERENCE.search(compressed):
        found.append("It names no source.")
    if (kept := _kept_rows(raw, compressed)) < MIN_ROWS:
        found.append(f"Of the rows of tables only {kept:.0%} are left.")
    if (kept := _kept_numbers(raw, compressed)) < MIN_NUMBERS:
        found.append(f"Of the figures behind which a source is named only {kept:.0%} are left.")
    return found


def _kept_rows(raw: str, compressed: str) -> float:
    """Distinct rows with figures. A row is kept if all its figures are."""
    held = _numbers([compressed])
    rows = {line.strip() for line in raw.splitlines() if _ROW.match(line) and not _RULE.match(line)}
    wanted = [figures for row in rows if (figures := _numbers([row]))]
    return _share(sum(figures <= held for figures in wanted), len(wanted))


def _kept_numbers(raw: str, compressed: str) -> float:
    """Figures that the notes state with a source in the same sentence."""
    wanted = _numbers(sentence for sentence in _SENTENCE.findall(raw) if _CITED.search(sentence))
    return _share(len(wanted & _numbers([compressed])), len(wanted))


def _numbers(texts: Iterable[str]) -> set[str]:
    """Figures by their digits, so that 1,234 equals 1’234. Source references are skipped."""
    found: set[str] = set()
    for text in texts:
        for figure in _NUMBER.findall(_REFERENCE.sub(" ", text)):
            digits = re.sub(r"\D", "", figure)
            if len(digits) > 1 or "%" in figure:
                found.add(digits)
    return found


def _share(kept: int, wanted: int) -> float:
    return kept / wanted if wanted else 1.0
