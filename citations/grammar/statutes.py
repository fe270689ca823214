"""``Art. 363 Abs. 1 lit. a Ziff. 2 OR`` in four languages, ``§ 38 VRG``: one mention for each article that is named."""

import re

from citations.grammar.scan import Scan
from citations.statutes.acts import ActTable
from citations.statutes.codes import Code
from citations.statutes.reader import Reader, Ref
from citations.statutes.words import FOREIGN_AFTER, FOREIGN_BEFORE

_ITALIAN_COMMA = re.compile(r"\s*+\d+\s*+,?\s*+(?:co\.|comma|commi)\s*+\d")
_BARE_NEXT = re.compile(
    r"\s*+(?:,|;|und|et|ed?|and|or|sowie|ainsi\s++que|nonché|i\.\s?V\.\s?m\.|en\s++(?:lien|relation)\s++avec|in\s++(?:relazione|combinazione)\s++con)"
    r"\s*+(?:und|et|ed?|and|sowie)?\s*+(?=\d{1,4}[a-z]{0,2}(?:bis|ter)?\s++(?:[A-ZÄÖ]|Abs\.|al\.|cpv\.|let\.|lit\.|lett\.|ch\.|[Pp]ar|Ziff\.|n\.\s\d|§|ff?\.|ss?\b))"
)
_NOTES = re.compile(r"(?:(?<![A-Za-z])(?:N|n|Rz|Nr|ch)\.?\s?\d+\S{0,4}\s++(?:zu|ad)\s*+)$")
TREATIES = frozenset(("EMRK", "LugÜ"))
"""Their paragraphs are ``Ziff.`` in German and ``par.`` in French; those of other treaties are ``Abs.``."""
NO_SECTION_SIGN = frozenset(("StGB", "OR", "ZGB", "BV", "BGG"))
FORMER_BEFORE = frozenset(("alt", "lt ", "nc.", "c. ", "en ", "io "))
"""How ``alt Art. 5``, ``anc. art. 5``, ``ancien art. 5`` and ``vecchio art. 5`` look three letters in front."""
FORMER = ("aA", "aa", "alt", "anc", "vecchio")
_TOO_FAR = 3


_PLAIN = re.compile(
    r"(?P<article>\d{1,4}[a-z]?)\s(?:(?P<abs>Abs|al|cpv)\.\s(?P<paragraph>\d{1,2}(?:bis|ter|quater)?)\s)?"
    r"(?:(?:lit|let|lett)\.\s(?P<letter>[a-z])\s)?(?:(?:Ziff|ch)\.\s(?P<number>\d{1,2})\s)?"
    r"(?P<act>[A-Z][A-Za-zäöüÄÖÜ]*[A-Z][a-z]?)(?=[\s,;.)])(?!\.?\s?(?:[(\d]|[A-Z]{1,2}\b))"
)
"""The commonest form on its own, several times faster than word by word; what it does not match is read by the reader."""


class StatuteGrammar:
    """Keeps where the last attempt failed, so that a long list without an act is read once and not once an article."""

    def __init__(self, table: ActTable) -> None:
        self.table = table
        self.failed_until = -1

    def read(self, scan: Scan, start: int, after: int, sign: str = "Art.") -> None:
        """Read from behind the article word."""
        if start < self.failed_until or _ITALIAN_COMMA.match(scan.text, after):
            return
        if not self._read_plain(scan, start, after, sign):
            reader = Reader(scan.text, after, self.table)
            if not self._accept(scan, reader, start, sign):
                if len(reader.refs) > _TOO_FAR:
                    self.failed_until = reader.pos
                return
        while found := _BARE_NEXT.match(scan.text, scan.end):
            reader = Reader(scan.text, found.end(), self.table)
            if not self._accept(scan, reader, found.end(), sign, known=True):
                return

    def _read_plain(self, scan: Scan, start: int, after: int, sign: str) -> bool:
        """``Art. 97 Abs. 1 lit. a OR`` with an act that one abbreviation names; False leaves it to the reader."""
        found = _PLAIN.match(scan.text, after)
        act = self.table.only.get(found["act"]) if found else None
        if not found or not act or sign != "Art." or scan.text.startswith(FORMER, start):
            return False
        if FOREIGN_AFTER.match(scan.text, found.end()):
            return False
        _, paragraph, letter, number = found.group("article", "paragraph", "letter", "number")
        parts = [
            (label, value)
            for label, value in (("Abs.", paragraph), ("lit.", letter), ("Ziff.", number))
            if value
        ]
        below = "".join(f" {label} {value}" for label, value in parts)
        normalized = f"Art. {found['article']}{below} {act.key}"
        mention = scan.add("statute", start, found.end(), normalized, name_end=found.start("act") - 1)
        mention.data = {
            "sign": sign, "article": found["article"], "parts": parts, "follow": "", "act": act.key, "sr": act.number
        }  # fmt: skip
        return True

    def _accept(self, scan: Scan, reader: Reader, start: int, sign: str, *, known: bool = False) -> bool:
        if not reader.read(start, sign) or reader.code is None:
            return False
        code = reader.code
        if known and not code.acts:
            return False
        if sign == "§" and code.key in NO_SECTION_SIGN:
            return False
        if code.acts and all(ref.article[-1].isupper() for ref in reader.refs):
            code = code._replace(
                key=scan.text[reader.refs[-1].end : code.end].strip(), acts=(), cantonal=True
            )  # art. 4A LPA
        if sign == "§" and code.acts:  # § 13 StG is an act of a canton that has the name of a federal one
            code = code._replace(acts=(), cantonal=True)
        self._report(scan, reader.refs, code, former=scan.text.startswith(FORMER, start))
        return True

    def _report(self, scan: Scan, refs: list[Ref], code: Code, *, former: bool) -> None:
        key, reason = code.key, code.reason
        if former and not code.former:
            key, reason = "a" + key, "former_law"
        candidates = tuple(f"{act.key} (SR {act.number})" for act in code.acts) if len(code.acts) > 1 else ()
        number = code.acts[0].number if len(code.acts) == 1 else None
        act_start, refs[-1].end = refs[-1].end, code.end
        for ref in refs:
            if key in TREATIES:
                ref.count_by_numbers()
            mention = scan.add("statute", ref.start, ref.end, ref.written(key))
            mention.name_end = act_start if ref is refs[-1] else ref.end
            mention.reason, mention.candidates = reason, candidates
            mention.data = {
                "sign": ref.sign, "article": ref.article, "parts": ref.parts, "follow": ref.follow, "act": key, "sr": number
            }  # fmt: skip


def is_foreign(scan: Scan, start: int) -> bool:
    """``der deutschen`` right before the article word."""
    return bool(FOREIGN_BEFORE.search(scan.before(start, 25)))
