"""The cantons: names in four languages, languages of their courts, and mentions in a question."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from research.engine.legal.terms import words_of


@dataclass(frozen=True)
class Canton:
    """``languages`` of its courts, the main one first. ``names`` in lower case, as questions write them."""

    code: str
    languages: tuple[str, ...]
    names: tuple[str, ...]


_TABLE = """
AG de    Aargau|Argovie|Argovia|aargauer|aargauisch
AI de    Appenzell Innerrhoden|Appenzell Rhodes Intérieures|Appenzello Interno
AR de    Appenzell Ausserrhoden|Appenzell Rhodes Extérieures|Appenzello Esterno
BE de,fr Bern|Berne|Berna|berner|bernisch|bernois|bernese
BL de    Basel Landschaft|Basel-Land|Baselland|Bâle Campagne|Basilea Campagna|basellandschaftlich
BS de    Basel Stadt|Basel|Bâle Ville|Bâle|Basle|Basilea Città|Basilea|basler|baselstädtisch|bâlois
FR fr,de Freiburg|Fribourg|Friburgo|freiburger|fribourgeois
GE fr    Genf|Genève|Geneve|Geneva|Ginevra|genfer|genevois
GL de    Glarus|Glaris|Glarona|glarner
GR de,it Graubünden|Grisons|Grigioni|bündner|grigionese
JU fr    Kanton Jura|canton du Jura|cantone del Giura|canton of Jura|jurassien
LU de    Luzern|Lucerne|Lucerna|luzerner|lucernois
NE fr    Neuenburg|Neuchâtel|Neuchatel|neuenburger|neuchâtelois
NW de    Nidwalden|Nidwald|Nidvaldo|nidwaldner
OW de    Obwalden|Obwald|Obvaldo|obwaldner
SG de    St. Gallen|Sankt Gallen|St-Gall|Saint-Gall|San Gallo|St. Gall|st. galler
SH de    Schaffhausen|Schaffhouse|Sciaffusa|schaffhauser
SO de    Solothurn|Soleure|Soletta|solothurner|soleurois
SZ de    Schwyz|Schwytz|Svitto|schwyzer
TG de    Thurgau|Thurgovie|Turgovia|thurgauer
TI it    Tessin|Ticino|tessiner|tessinois|ticinese|ticinesi
UR de    Kanton Uri|canton d'Uri|cantone di Uri|canton of Uri|urner
VD fr    Waadt|Vaud|waadtländer|vaudois
VS fr,de Wallis|Valais|Vallese|walliser|valaisan|vallesano
ZG de    Kanton Zug|canton de Zoug|Zoug|cantone di Zugo|canton of Zug|zuger|zougois
ZH de    Zürich|Zurich|Zurigo|Zuerich|zürcher|zurichois|zurighese
"""
WORD_CODES = frozenset(
    ("AG", "AI", "AR", "GE", "NE", "SO", "TI", "BE", "LU", "UR", "FR")
)  # words with another meaning
_CODE = re.compile(
    r"(?<!\w)(?:(kantons?|kt\.?|cantone?|ct\.?)\s+(?:of\s+|de\s+|du\s+|di\s+)?)?([A-Z]{2})(?!\w)",
    re.IGNORECASE,
)
_COURT = re.compile(r"(?:Ger|gericht|tribunal|court)\s+([A-Z]{2})(?!\w)", re.IGNORECASE)
_ZUG = re.compile(
    r"\b(?:in|und|zwischen|Stadt|\w+gerichts?)\s+Zug\b(?! um\b)"
)  # not a train, and not Zug um Zug
_ADJECTIVE_ENDINGS = (
    "",
    "s",
    "e",
    "er",
    "en",
    "es",
    "em",
    "i",
    "a",
    "se",
    "sen",
    "schen",
    "sche",
    "ische",
    "ischen",
    "ischer",
)
_NOT_PLACES = frozenset(("kommentar", "übereinkunft", "konvention"))  # Basler Kommentar


def _read(line: str) -> Canton:
    code, languages, names = line.split(None, 2)
    return Canton(code, tuple(languages.split(",")), tuple(names.split("|")))


CANTONS: Mapping[str, Canton] = {
    canton.code: canton for canton in map(_read, filter(None, _TABLE.strip().splitlines()))
}


def find_cantons(text: str) -> list[str]:
    """The cantons in a text, in order: by name, adjective, or unambiguous code."""
    words = words_of(text)
    found = {code: at for at, code in _named(words)}
    for code in _coded(text):
        found.setdefault(code, len(words))
    return sorted(found, key=lambda code: (found[code], code))


def _named(words: list[str]) -> list[tuple[int, str]]:
    hits: list[tuple[int, int, str]] = []
    for canton in CANTONS.values():
        for name in canton.names:
            wanted = words_of(name)
            hits += [(at, len(wanted), canton.code) for at in range(len(words)) if _reads(wanted, words, at)]
    hits.sort(key=lambda hit: (-hit[1], hit[0]))
    taken: set[int] = set()
    kept = []
    for at, length, code in hits:
        if not taken & set(range(at, at + length)):
            taken.update(range(at, at + length))
            kept.append((at, code))
    return sorted(kept, reverse=True)  # for two places in one canton keep the first


def _reads(wanted: list[str], words: list[str], at: int) -> bool:
    there = words[at : at + len(wanted)]
    if len(there) < len(wanted) or there[:-1] != wanted[:-1]:
        return False
    ending = there[-1].removeprefix(wanted[-1])
    if words[at + len(wanted) : at + len(wanted) + 1] and words[at + len(wanted)] in _NOT_PLACES:
        return False
    return there[-1].startswith(wanted[-1]) and ending in _ADJECTIVE_ENDINGS


def _coded(text: str) -> list[str]:
    found = [one[1].upper() for one in _COURT.finditer(text) if one[1].isupper()]
    found += ["ZG"] if _ZUG.search(text) else []
    shouting = text.isupper()
    for one in _CODE.finditer(text):
        code = one[2]
        if one[1] or (code.isupper() and not shouting and code not in WORD_CODES):
            found.append(code.upper())
    return [code for code in found if code in CANTONS]
