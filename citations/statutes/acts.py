"""Abbreviations of acts: which act ``CO``, ``LEI`` or ``BVV 2`` names, in German, French and Italian.

``acts.csv`` holds the federal acts that decisions name most, with their number in the systematic collection
(SR/RS), and ``names.csv`` their names in full. Abbreviations and numbers are facts of the official
collection; the whole list is imported into the database (``import-codes``) and given to the extractor as
another table.
"""

import csv
import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from citations.mention import Language

HERE = Path(__file__).parent
ENGLISH = {
    "SCC": "ZGB",
    "SCO": "OR",
    "PCA": "BGG",
    "FSCA": "BGG",
    "CrimPC": "StPO",
    "SCrC": "StGB",
    "ECHR": "EMRK",
    "FC": "BV",
    "Cst": "BV",
    "PILA": "IPRG",
    "SPC": "StGB",
    "DEBA": "SchKG",
    "FADP": "DSG",
    "FMIA": "FinfraG",
    "FINMASA": "FINMAG",
    "FinSA": "FIDLEG",
    "FinIA": "FINIG",
    "AMLA": "GwG",
    "CISA": "KAG",
    "CartA": "KG",
    "TmPA": "MSchG",
    "PatA": "PatG",
    "CopA": "URG",
}
ITALIAN = {"CCS": "ZGB", "CPS": "StGB", "Cost": "BV", "Cost.fed.": "BV", "Cost. fed.": "BV", "CEDU": "EMRK"}
FRENCH = {
    "Cst. féd.": "BV",
    "Cst": "BV",
    "CCS": "ZGB",
    "CPS": "StGB",
    "CPPS": "StPO",
    "CO": "OR",
}
GERMAN = {
    "BVV2": "BVV 2",
    "BVV3": "BVV 3",
    "ArGV1": "ArGV 1",
    "AsylV1": "AsylV 1",
    "LugUe": "LugÜ",
    "UNO-KRK": "KRK",
    "UN-KRK": "KRK",
    "WKR": "CISG",
    "GebVSchKG": "GebV SchKG",
    "AuslG": "AuG",
}


class Act(NamedTuple):
    """A federal act; an abbreviation it lacks is empty."""

    number: str
    de: str
    fr: str
    it: str

    @property
    def key(self) -> str:
        """The abbreviation in the canonical form: German, or the first there is."""
        return self.de or self.fr or self.it

    def abbreviation(self, language: Language) -> str:
        """The abbreviation in a language; English texts use the French or German one."""
        if language == "en":
            return {"BV": "Cst.", "ZGB": "CC", "OR": "CO", "StGB": "CP", "EMRK": "ECHR"}.get(
                self.key, self.key
            )
        return {"de": self.de, "fr": self.fr, "it": self.it}[language] or self.key


class ActTable:
    """Looks abbreviations up, case by case: ``OR`` is not ``or``."""

    def __init__(self, acts: Iterable[Act], names: dict[str, str] | None = None) -> None:
        self.acts = list(acts)
        self.names = names or {}
        self._codes: dict[str, list[tuple[Act, str]]] = {}
        for act in self.acts:
            for language, code in zip(("de", "fr", "it"), act[1:], strict=True):
                self._add(code, act, language)
        self._add_variants()

    def _add(self, code: str, act: Act, language: str) -> None:
        if code:
            self._codes.setdefault(code, []).append((act, language))
            if code.endswith("."):
                self._codes.setdefault(code[:-1], []).append((act, language))

    def _add_variants(self) -> None:
        by_key = {act.key: act for act in self.acts}
        for language, variants in (("en", ENGLISH), ("it", ITALIAN), ("fr", FRENCH), ("de", GERMAN)):
            for variant, key in variants.items():
                if key in by_key and variant not in self._codes:
                    self._add(variant, by_key[key], language)

        for code in [code for code in self._codes if re.fullmatch(r"[A-Za-z]+ \d", code)]:
            self._codes.setdefault(code.replace(" ", ""), self._codes[code])  # OPP2

    def __contains__(self, code: str) -> bool:
        return code in self._codes

    def codes(self) -> Iterable[str]:
        """Every abbreviation."""
        return self._codes.keys()

    def find(self, code: str, language: str | None = None) -> list[Act]:
        """The acts an abbreviation names: none, one, or several when the language does not decide."""
        readings = self._codes.get(code, [])
        acts = list(dict.fromkeys(act for act, _ in readings))
        if len(acts) > 1 and language:
            acts = list(dict.fromkeys(act for act, spoken in readings if spoken == language)) or acts
        return acts

    def languages(self, code: str) -> set[str]:
        """The languages that write an act like this."""
        return {language for _, language in self._codes.get(code, [])}

    def named(self, key: str) -> Act | None:
        """The act with this canonical abbreviation."""
        return self._keys.get(key)

    @cached_property
    def _keys(self) -> dict[str, Act]:
        return {act.key: act for act in reversed(self.acts)}

    @cached_property
    def numbers(self) -> dict[str, Act]:
        """The act of each number in the systematic collection."""
        return {act.number: act for act in reversed(self.acts)}

    @cached_property
    def only(self) -> dict[str, Act]:
        """The act of each abbreviation of one word that names one act, whatever the language."""
        return {
            code: readings[0][0]
            for code, readings in self._codes.items()
            if len({act.key for act, _ in readings}) == 1 and code not in self.long_codes
        }

    @cached_property
    def long_codes(self) -> dict[str, list[str]]:
        """Abbreviations of several words by their first word, the longest first: ``BVV 2``, ``Pacte ONU II``."""
        found: dict[str, list[str]] = {}
        for code in self._codes:
            if " " in code:
                found.setdefault(code.split(" ")[0], []).append(code)
        for codes in found.values():
            codes.sort(key=len, reverse=True)
        return found

    @cached_property
    def name_pattern(self) -> re.Pattern[str]:
        """Full names, the longest first, in any case; blanks may be line breaks."""
        names = sorted(self.names, key=len, reverse=True)
        words = (re.escape(name).replace(r"\ ", r"\s++").replace("'", "['’]") for name in names)
        return re.compile("(?:" + "|".join(words) + r")(?![\w-])", re.IGNORECASE)

    def name_at(self, text: str, pos: int) -> re.Match[str] | None:
        """A full name at ``pos``; its first letters are looked at before the long pattern is."""
        return self.name_pattern.match(text, pos) if text[pos : pos + 3].lower() in self._heads else None

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset(name[:3].lower() for name in self.names)

    def full_name(self, key: str, language: Language) -> str:
        """The name of an act in full, as it follows ``der``, ``du``, ``della``; empty when there is none."""
        return next(
            (name for name, its in self.names.items() if its == key and name_language(name) == language), ""
        )

    def by_name(self, written: str) -> Act | None:
        """The act of a name that ``name_pattern`` found."""
        key = self._small.get(" ".join(written.replace("’", "'").split()).lower(), "")
        return self.named(key)

    @cached_property
    def _small(self) -> dict[str, str]:
        return {name.lower(): key for name, key in self.names.items()}


def name_language(name: str) -> Language:
    """The language of a name in ``names.csv``, by its first word."""
    first = name.split(maxsplit=1)[0]
    if (
        first in ("Code", "loi", "ordonnance", "Constitution", "Convention", "Accord", "procédure")
        and " of " not in name
    ):
        return "fr"
    if first in ("Codice", "legge", "Costituzione", "Convenzione", "Accordo", "procedura"):
        return "it"
    return "en" if first in ("Federal", "Swiss", "Civil", "Criminal", "European", "Code") else "de"


@lru_cache(maxsize=1)
def built_in() -> ActTable:
    """The table that comes with Dossier."""
    with (HERE / "acts.csv").open(encoding="utf-8", newline="") as file:
        acts = [Act(row["sr"], row["de"], row["fr"], row["it"]) for row in csv.DictReader(file)]
    return ActTable(acts, full_names())


@lru_cache(maxsize=1)
def full_names() -> dict[str, str]:
    """Canonical abbreviation by name."""
    with (HERE / "names.csv").open(encoding="utf-8", newline="") as file:
        return {name: row["code"] for row in csv.DictReader(file) for name in row["names"].split("|")}
