"""Considerations and pages behind a citation: ``E. 3.2``, ``consid. 4c p. 116``, ``(E. 1 und 3)``.

The result is a list of strings in text order with German labels: ``E.`` for considerations, ``S.`` for pages,
``N`` for margin numbers, ``§`` and ``Nr.`` where a registry uses them. Enumerations give one entry each,
ranges give one.
"""

import re

from citations.grammar.headers import BREAK, HEADER

_CONSIDERATION = (
    r"(?:E|Erw|E-)\.\s*+|Erwägung(?:en)?\s++|(?:[Cc]onsid|[Cc]ons)\.?\s*+(?=[\dIVX])|[Cc]onsidérants?\s++|[Cc]onsiderand[oi]\s++"
    r"|[Cc]onsiderations?\s++|[Rr]ecitals?\s++|cc?\.\s*+(?=\d)|(?:E|Erw)\s++(?=\d)"
)
_PAGE = r"S\.\s*+|Seiten?\s++|pp?\.\s*+|pagg?\.\s*+|pages?\s++|pagin[ae]\s++|at\s++(?=\d{1,4}(?![\w.]\d))"
_PARAGRAPH = (
    r"§§?\s*+|par\.\s*+|(?:Rn|Rz|Rdn|Ziff)\.?\s*+|(?:pts?|paras?)\.?\s++|(?:points?|punt[oi]|paragraphs?)\s++"
)
_QUALIFIER = (
    r"(?:précitée?|cité|citat[oa]|vorerwähnt|insbesondere|insbes\.|insb\.|namentlich|spéc\.|en particulier|notamment|not\.|in particolare|segnatamente|dort|am Ende"
    r"|nicht\s++publ(?:izierte|\.)|unveröffentlichte|non\s++publiée?s?|non\s++pubblicat[oi]|de|bei|ad|in|in:|à la|a|at|aus)\s++"
)
LABEL = re.compile(rf"(?<![\w.])(?:{_CONSIDERATION}|(?:Ziff|S)\.\s++|pp?\.\s++|{_PARAGRAPH})(?=[\dIVX])")
_START = re.compile(
    rf"(?:{BREAK})(?P<open>\s*+[,;:]?\s*+[(\[]?\s*+)(?:{_QUALIFIER})?"
    rf"(?:(?P<E>{_CONSIDERATION})|(?P<S>{_PAGE})|(?P<P>{_PARAGRAPH}))(?=[\dIVX])"
)
_LATER = re.compile(
    rf"(?P<open>\s*+(?:,|;|und|u\.|et|e|ed|and|sowie|bzw\.|resp\.)?\s*+(?:in\s++fine\s*+)?[(\[]?\s*+)(?:{_QUALIFIER})?"
    rf"(?:(?P<E>{_CONSIDERATION})|(?P<S>{_PAGE})|(?P<P>{_PARAGRAPH}))(?=[\dIVX])"
)
_LETTERS = r"(?!ff|ss|f\.|s\.|f\b(?=\s*+[,;)])|bis\b)[a-z]{1,3}(?![A-Za-zäöüéèà])"
_INNER_BLANK = r"[ ](?=\d{1,3}(?:[,;)]|\s*+(?:$|(?:und|et|e|and|S\.|pp?\.|pag\.|ff?\.|ss?\b|in\s++fine)\s)))"
"""A scanner's blank in ``4. 2``; what goes on in words is the next paragraph or footnote, and so is a next line."""
_ITEM = re.compile(
    rf"(?P<n>(?:[IVX]{{1,5}}[./][ ]?)?\d{{1,4}}(?:\.(?:\d{{1,3}}|{_INNER_BLANK}\d{{1,3}})(?!\d))*"
    rf"(?:{_LETTERS}|/(?=[a-z])|[ ](?=[a-h]\)|[a-h]/[a-z])[a-h])?(?:/?{_LETTERS}|\.[a-z](?![A-Za-zäöüéèà]))*"
    r"|[IVX]{1,5}(?![A-Za-z]))"
)
_TO = re.compile(rf"(?!\s?(?:{HEADER}))[ ]?[-–—]\s?(?=\d|[a-z](?![a-z]))|\s(?:bis|à|al|a|to)\s(?=\d)")
_FOLLOWING = re.compile(
    r"\s?(?:(?P<ff>ff\.?|ss\.?(?![a-z])|segg\.|et\s++ss?\.?(?![a-z])|e\s++segg?\.|et\s++suiv\.)|(?P<f>f\.|s\.(?!\s?\d)|seg\.|f(?=\s*+[,;)])))"
)
_NEXT_LETTER = re.compile(
    r"\s*+(?:,|und|u\.|et|e|and|sowie)\s++(?P<letter>([a-h])\2?)(?![\w'’)]|\.\S)(?!\s++[a-h](?![\w.,;)]))"
)
_LETTERED = re.compile(r"(?P<head>\d[\d.]*+/?|.*/)(?P<letter>([a-h])\3?)")
_LIST = re.compile(r"\s*+(?:,|und|u\.|et|e|ed|and|sowie|bzw\.|resp\.|&|ou|oder|o)\s*+(?=[\dIVX])")
_FULL_DATE = re.compile(r"\d{1,2}\.\s?\d{1,2}\.\s?\d{4}|\d{1,2}\.?\s++[A-Za-zéû]{3,9}\s++(?:19|20)\d\d")
_NEW_LOCUS = re.compile(
    r"[\d\s]{1,5}\s++[IVX]+\s?[ab]?\s++\d|\d+\s*+(?:E\.|Erw|[Cc]ons|c\.\s?\d)|\d+[A-Z]|\d+\s[A-Z][_\d]|\d+[-/_]|\d{4}|[IVX]+\s\d"
)
_ENDS_LIST = re.compile(
    r"\s*+(?:$|[),;:\]/–-]|\.(?!\d)|(?:ff?|ss?|segg?)\.|ss?\b|S\.|pp?\.|pagg?\.|mit\b|m\.|und\b|u\.|et\b|ed?\b|and\b|sowie\b|hiervor|hiernach|supra|in fine|ci-"
    r"|[a-z]?\b(?:vgl|nicht|non)\b"
    r"|(?:zu[mr]?|für|betreffend|in|im|ist|sind|ha(?:t|ben)|wird|gilt|de[rs]|wonach|pour|concernant|sur|où|selon|per|circa|sul|del|dove|on|for|where)\s)"
)
_AT_THE_END = re.compile(r"\s*+(?:in fine|i\.f\.|am Ende)")
_BARE_PAGE = re.compile(r",\s(?P<page>\d{1,4})(?!\d|\.\d|\s*+(?:E\.|Erw|[Cc]ons|c\.\s?\d))")
_OF_ANOTHER = re.compile(
    r"\s++(?:(?:de[rs]|vom|von|aus|seines|im)\s++(?:[a-z]{4,20}en\s++)?(?=(?:[A-Z][a-z]{3,12})?(?:[Uu]rteil|[Ee]ntscheid|[Bb]eschluss|BGE|BGer|BVGE)|\d[A-Z]_)"
    r"|(?:de|du|des|d['’]un)\s?(?=l['’]arrêt|arrêt|jugement|ATF|ATAF)|de\s++l['’](?=arrêt|ATF|ATAF)"
    r"|(?:della|delle|dell['’]|del)\s?(?=sentenz|decision|DTF)|(?:of|in)\s++(?:the\s++)?(?=judge?ment|decision|BGE|case))"
)
"""``BGE 140 III 86 E. 2 und E. 3.2 des Urteils 4A_1/2020``: the second is of what follows."""
LONGEST = 103
"""Pages of the longest decision of the official collection."""
LABELS = {"E": "E. ", "S": "S. ", "P": ""}


def read_pinpoints(text: str, pos: int) -> tuple[list[str], int]:
    """The pinpoints that follow ``pos`` at once, and where they end (``pos`` when there are none)."""
    found = _START.match(text, pos)
    pins: list[str] = []
    opened = False
    while found:
        label, before = found.lastgroup or "E", len(pins)
        end = _items(text, found.end(), _label(label, found[label]), pins)
        if end < 0:
            break
        if before and _OF_ANOTHER.match(text, end):
            del pins[before:]
            break
        opened |= found["open"].strip()[-1:] in ("(", "[")
        pos = _closed(text, end) if opened else end
        opened &= pos == end  # a bracket closes once, behind the last of what stands in it
        found = _LATER.match(text, pos)
    return pins, pos


def read_bare_page(text: str, pos: int, first: int, longest: int = LONGEST) -> tuple[list[str], int]:
    """``BGE 145 III 229, 235``: a page of the decision that begins on ``first``, named without a word."""
    found = _BARE_PAGE.match(text, pos)
    if (
        not found
        or not first < int(found["page"]) <= first + longest
        or not _ENDS_LIST.match(text, found.end())
    ):
        return [], pos
    written, end = _item(text, found.start("page")) or (found["page"], found.end())
    return ["S. " + written], end


def _label(kind: str, written: str) -> str:
    if kind != "P":
        return LABELS[kind]
    word = written.strip().rstrip(".")
    return {"§": "§ ", "§§": "§ ", "par": "§ ", "Ziff": "Ziff. "}.get(word, "Rz. ")


def _closed(text: str, end: int) -> int:
    return end + 1 if text[end : end + 1] in (")", "]") else end


def _items(text: str, pos: int, label: str, pins: list[str]) -> int:
    """Read ``3.2, 4c und 5 ff.``; -1 when there is not even one item."""
    end = -1
    while item := _item(text, pos):
        written, after = item
        pins.append(label + written)
        end = _letters(text, after, label, pins)
        comma = _LIST.match(text, end)
        if not comma or not _is_next(text, comma.end()):
            break
        pos = comma.end()
    return end


def _letters(text: str, pos: int, label: str, pins: list[str]) -> int:
    """``6c und d``: one more letter of the same consideration; the next in the alphabet, for ``e`` and ``a`` are words."""
    if pins[-1][-1].isdigit():
        return pos
    while (last := _LETTERED.fullmatch(pins[-1], len(label))) and (found := _NEXT_LETTER.match(text, pos)):
        if found["letter"] <= last["letter"] or len(found["letter"]) != len(last["letter"]):
            break
        pins.append(label + last["head"] + found["letter"])
        pos = found.end()
    return pos


def _item(text: str, pos: int) -> tuple[str, int] | None:
    found = _ITEM.match(text, pos)
    if not found or not found["n"]:
        return None
    written, end = _compact(found["n"]), found.end()
    if (to := _TO.match(text, end)) and (last := _last(text, to.end())):
        written, end = f"{written}-{_compact(last[0])}", last[1]
    if following := _FOLLOWING.match(text, end):
        written += " ff." if following["ff"] else " f."
        end = following.end()
    elif at_end := _AT_THE_END.match(text, end):
        end = at_end.end()
    return written, end


def _last(text: str, pos: int) -> tuple[str, int] | None:
    found = _ITEM.match(text, pos)
    if found and found["n"]:
        return found["n"], found.end()
    return (text[pos], pos + 1) if text[pos : pos + 1].islower() else None


def _compact(number: str) -> str:
    return number if " " not in number and "\n" not in number else "".join(number.split())


def _is_next(text: str, pos: int) -> bool:
    """Is the number after a comma still an item, and not the next citation, a date or an amount?"""
    if _FULL_DATE.match(text, pos) or _NEW_LOCUS.match(text, pos):
        return False
    found = _ITEM.match(text, pos)
    if not found:
        return False
    number = found["n"]
    if "." in number or "/" in number or number[-1:].isalpha():
        return True
    return bool(_ENDS_LIST.match(text, found.end()))
