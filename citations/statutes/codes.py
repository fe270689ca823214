"""Recognises the act at the end of a statute citation: an abbreviation, a name in full, a cantonal or a former act."""

import re
from typing import NamedTuple

from citations.statutes import european, words
from citations.statutes.acts import Act, ActTable
from citations.statutes.cantonal import OF_CANTON, canton_of, read_cantonal

_WORD = re.compile(
    r"k?[A-ZÄÖÜÉ][A-Za-zÀ-ÖØ-öø-ÿ]*(?:[-–][A-ZÄÖÜÉ][A-Za-zÀ-ÖØ-öø-ÿ]*(?![a-zäöü.]*\s?\d))*(?:/[A-Z]{2}(?![A-Za-z]))?"
)
_NUMBERED = re.compile(r"[A-Z][A-Za-z]+\d{1,2}(?!\w)")
_SHORT = re.compile(r"[A-ZÄÖÜÉ][^\s,;()/\[\]]*")
_NEXT_CANTON = re.compile(
    r"(?P<dot>\.?)[ \u00a0]?(?P<between>/|-|–|[ \u00a0]|\()\s?(?P<canton>[A-Z]{2})(?![A-Za-z])\)?"
)
_IN_BRACKETS = re.compile(
    r"(?P<name>[^()\[\];]{0,260}?)\s*+[(\[](?:[^()\[\]]{0,80}?[,;]\s*+)?(?P<code>[A-ZÄÖÜÉ][\wÄÖÜäöüéè.\-]{1,14}(?:\s(?:\d|I{1,2}|ZGB|SchKG))?)"
    r"(?:\s?[/-]\s?(?P<canton>[A-Z]{2})(?![A-Za-z.]))?(?P<number>\s*+[-–;,:/]\s*+(?:SR|RS|[A-Z]{2,4})?\s*+[^()\[\]]{0,40})?[)\]]"
)
_BRACKETS_AFTER_NAME = re.compile(
    r"(?P<more>[^()\[\];.]{0,60}?(?:\d{1,2}(?:\.|er)?\s[A-Za-zäéû]+\s\d{4})?[^()\[\];.]{0,40}?)\s?[(\[](?P<code>[A-ZÄÖÜÉ][\w.]{1,10})"
    r"(?P<number>\s*+[;,]\s*+(?:SR|RS)\s*+[\d.]+)?[)\]]"
)
_DEFINED = re.compile(r"\s?\(\s?(?:SR|RS)\s[\d.]+\s?\)")
_ADJECTIVE = re.compile(r"(?:schweizerischen|eidgenössischen|revidierten|neuen|alten|geltenden)\s++")
_ANNEX = re.compile(
    r"\s*+,?\s*+(Anhang|annexe|Anh\.|ann\.|allegato|all\.|Annex)\s++(I{1,3}|[A-K]|\d)\b\s*+(?:(?:zum|de\s++l['’]|dell['’]|du|al)\s*+)?"
)

_TRANSITIONAL = re.compile(
    r"(SchlB|Schl(?:uss)?[Bb]est\.|ÜbBest\.?|ÜBest\.?|UeB|Übergangsbest\.|disp\.\s?trans\.|disp\.\s?fin\.)\s++"
    r"(?:zum\s|zur\s|der\s|des\s|du\s|de\s++la\s|de\s++l['’]|della?\s|dell['’])?(?=[A-ZÄÖÜ])"
)
_INTRODUCTORY = re.compile(r"EG[\s-](?=[A-Z][A-Za-z]*[A-Z])")


_COLLECTION_OF_CANTON = re.compile(
    r"\b(?:BSG|RSB|LS|BLV|RSV|BGS|bGS|GS|RSG|RSJU|RSN|SGF|RSF|SRSZ|SRL|GDB|NG|sGS|SAR|RB|RL|BR|SGS|SG|SHR)\s\d|\b[A-M]\s\d{1,2}\s\d\d"
)
"""Collections of cantonal law: ``BSG 155.21``, ``LS 700.1``, ``E 5 10``."""
_FORMER = re.compile(r"(?:a|v|alt-?|anc\.\s|ancien(?:ne)?\s)(?=[A-Z])")


class Code(NamedTuple):
    """The act of a citation: canonical key, where it ends, what is known of it."""

    key: str
    end: int
    acts: tuple[Act, ...]
    former: bool = False
    cantonal: bool = False
    foreign: bool = False

    @property
    def reason(self) -> str | None:
        if self.former:
            return "former_law"
        if self.foreign:
            return "foreign_law"
        if len(self.acts) > 1:
            return "ambiguous"
        return None if self.acts or self.cantonal else "unknown_act"


def find_code(text: str, pos: int, table: ActTable, languages: set[str]) -> Code | None:
    """The abbreviation that stands at ``pos``; None when there is none or it is foreign."""
    if found := _ANNEX.match(text, pos):
        inner = find_code(text, found.end(), table, languages) if found.end() > pos else None
        return inner and inner._replace(key=f"Anhang {found[2]} {inner.key}")
    if found := _TRANSITIONAL.match(text, pos):
        inner = find_code(text, found.end(), table, languages)
        label = "SchlB" if found[1].startswith(("Schl", "disp. fin", "disp.fin")) else "ÜbBest"
        return inner and inner._replace(key=f"{label} {inner.key}")
    if found := _INTRODUCTORY.match(text, pos):  # the act by which a canton introduces a federal one
        inner = find_code(text, found.end(), table, languages)
        return inner and Code(f"EG {inner.key}", inner.end, (), cantonal=True)
    former = _FORMER.match(text, pos)
    if former:
        pos = former.end()
    code = (
        _european(text, pos)
        or _long_code(text, pos, table, languages)
        or _one_word(text, pos, table, languages)
    )
    if code is None or words.FOREIGN_AFTER.match(text, code.end):
        return None
    if former:
        return code._replace(key="a" + code.key, former=True)
    return code


def _european(text: str, pos: int) -> Code | None:
    """``DSGVO``, ``RGPD``, ``Verordnung (EU) 2016/679``."""
    if text[pos + 1 : pos + 2].isupper() and not text.startswith(("VO", "RL"), pos):
        named = european.code_at(text, pos)
    else:
        named = european.code_at(text, pos) or european.act_at(text, pos)
    return Code(named.key, named.end, (), foreign=True) if named else None


def _language(table: ActTable, code: str, languages: set[str]) -> str | None:
    spoken = table.languages(code) & languages
    return next(iter(spoken)) if len(spoken) == 1 else None


def _known(text: str, end: int, code: str, table: ActTable, languages: set[str]) -> Code:
    only = table.only.get(code)
    acts = [only] if only else table.find(code, _language(table, code, languages))
    end += text[end : end + 1] == "." and code + "." in table
    if len(acts) == 1:
        return Code(acts[0].key, end, tuple(acts))
    return Code(code, end, tuple(acts))


def _long_code(text: str, pos: int, table: ActTable, languages: set[str]) -> Code | None:
    """``BVV 2``, ``Tit. fin. CC``: the longest that fits."""
    head = _SHORT.match(text, pos)
    if not head:
        return None
    for code in table.long_codes.get(head[0], ()) or table.long_codes.get(head[0] + ".", ()):
        if text.startswith(code, pos) and not text[pos + len(code) : pos + len(code) + 1].isalnum():
            return _known(text, pos + len(code), code, table, languages)
    return None


def _one_word(text: str, pos: int, table: ActTable, languages: set[str]) -> Code | None:
    found = _WORD.match(text, pos)
    if not found:
        return None
    word, end = found[0], found.end()
    if (numbered := _NUMBERED.match(text, pos)) and numbered[
        0
    ] in table:  # BVV2, CLaH80; not the footnote in OR12
        word, end = numbered[0], numbered.end()
    if word in table:
        return _of_canton(text, word, end) or _known(text, end, word, table, languages)
    return _unknown(text, pos, word, end, table, languages)


def _unknown(text: str, pos: int, word: str, end: int, table: ActTable, languages: set[str]) -> Code | None:
    """An abbreviation that no table has: cantonal, or simply not known; never read as one that it resembles."""
    base = re.split(r"[-–/]", word)[0]
    if base in words.FOREIGN or word in words.FOREIGN:
        return None
    canton = re.search(r"[-–/]([A-Z]{2})$", word)
    if canton and canton[1] in words.CANTONS:
        return Code(word.replace("–", "-"), end, (), cantonal=True)
    if "/" in word and base in table and set(table.find(base)) & set(table.find(word[len(base) + 1 :])):
        return _known(text, end, base, table, languages)  # ZGB/CC: one act in two languages
    if base != word and base in table and not word[len(base) + 1 :].isupper():
        return _known(text, pos + len(base), base, table, languages)
    capitals = sum(map(str.isupper, word))
    if capitals < 2 or base in words.NOT_CODES or len(word) > 14 or (capitals == len(word) > 8):
        return None
    return _of_canton(text, word, end) or Code(word, end, ())


def _of_canton(text: str, word: str, end: int) -> Code | None:
    """``VRPG/BE``, ``StG (BE)``, ``PBG ZH``: another act than the federal one of the same name."""
    found = _NEXT_CANTON.match(text, end)
    if not found or found["canton"] not in words.CANTONS or ("(" in found[0]) != (")" in found[0]):
        return None
    if found["between"].isspace() and word in words.OF_THE_CONFEDERATION:
        return None  # Art. 97 OR ZH OGer ...: the canton belongs to what follows
    if found["dot"] and found["between"] not in ("/", "-", "–"):
        return None  # the dot ends the sentence, or the next word is no canton
    between = "/" if found["between"] in ("/", "-", "–", "(") else " "
    return Code(f"{word}{found['dot']}{between}{found['canton']}", found.end(), (), cantonal=True)


def find_named(text: str, pos: int, table: ActTable, languages: set[str]) -> Code | None:
    """The act behind ``der``, ``du``, ``della``: a name, an abbreviation, or a title with its abbreviation in brackets."""
    adjective = _ADJECTIVE.match(text, pos)
    pos_after = adjective.end() if adjective else pos
    if act := _european(text, pos):
        return act
    if named := table.name_at(text, pos):
        return _with_brackets(text, named, table)
    if (
        text[pos_after : pos_after + 1].isupper()
        and (code := find_code(text, pos_after, table, languages))
        and code.acts
    ):
        return code
    return _titled(text, pos, table, languages) or _cantonal(text, pos)


def _cantonal(text: str, pos: int) -> Code | None:
    found = read_cantonal(text, pos)
    return Code(found.key, found.end, (), cantonal=True) if found else None


def _with_brackets(text: str, found: re.Match[str], table: ActTable) -> Code | None:
    act = table.by_name(found[0])
    if act is None or words.FOREIGN_AFTER.match(text, found.end()):
        return None
    end = found.end()
    if of_canton := OF_CANTON.match(text, end):
        canton, name = canton_of(of_canton["canton"]), " ".join(found[0].split())
        key = f"Cst./{canton}" if act.key == "BV" else f"{re.sub(r'(?<=gesetz)es$', '', name)} {canton}"
        return Code(key, of_canton.end(), (), cantonal=True)
    if (defined := _BRACKETS_AFTER_NAME.match(text, end)) and act in table.find(defined["code"]):
        end = defined.end()
    elif number := _DEFINED.match(text, end):
        end = number.end()
    elif defined and defined["number"] and not defined["more"].strip():
        return Code(defined["code"], defined.end(), ())
    return Code(act.key, end, (act,))


def _titled(text: str, pos: int, table: ActTable, languages: set[str]) -> Code | None:
    """``des Bundesgesetzes vom 20. März 1981 über ... (IRSG; SR 351.1)``."""
    found = _IN_BRACKETS.match(text, pos)
    if (
        not found
        or not words.STATUTE_WORD.search(found["name"])
        or re.search(r"[a-zäöü]{4}\.\s++[A-ZÄÖÜ]|\d[A-Z]_\d|\bArt\.|\bart\.", found["name"])
    ):
        return None
    code, canton = found["code"], found["canton"] if found["canton"] in words.CANTONS else ""
    if canton or _COLLECTION_OF_CANTON.search(found["number"] or ""):
        return Code(code + (canton and "/" + canton), found.end(), (), cantonal=True)
    if code in table:
        return _known(text, 0, code, table, languages)._replace(end=found.end())
    if union := _european(code, 0):
        return union._replace(end=found.end())
    capitals = sum(map(str.isupper, code))
    if capitals < 2 or code in words.FOREIGN or code in words.NOT_CODES:
        return None
    return Code(code, found.end(), ())
