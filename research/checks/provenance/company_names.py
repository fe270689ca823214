"""Names of companies within running text: capitalised words that end in a legal form.

Where such a name begins nobody can tell in German ("Die Muttergesellschaft Allianz SE"): the longest reading is
given, and whoever looks for it may leave words out at its beginning.
"""

import re
from collections.abc import Iterator

MAX_FOUND = 200
_FORMS = (
    "AG|GmbH|SE|KGaA|KG|OHG|UG|Aktiengesellschaft|Ltd|Limited|Inc|Incorporated|LLC|LLP|PLC|plc|LP|Corp|Corporation|"
    r"S\.\s?A\.\s?R\.\s?L|S\.\s?à\s?r\.\s?l|S\.\s?p\.\s?A|S\.\s?r\.\s?l|S\.\s?A\.\s?S|S\.\s?A|B\.\s?V|N\.\s?V|SA|SAS|SARL|Sàrl|SpA|Srl|SRL|BV|NV|"
    "SICAV|SCA|SNC|AB|ASA|ApS|Oy|Oyj|Holding|Holdings|Stiftung|Fondation|Sagl"
)
_LINK = r"(?:&|and|und|et|e|de|des|du|della|di|of|der|für|for|von|van|da|y|\+)"
_CAPITAL = r"(?:[A-ZÀ-ÖØ-ÞŠŽČĆĐА-Я0-9][\w’'.\-]{0,60}+|[a-z]{1,20}[A-Z]\w{0,60}+)"
_NAME = re.compile(
    rf"(?<![\w.])((?:{_CAPITAL}(?:\s+{_LINK})?\s+){{0,8}}?{_CAPITAL},?\s+(?:{_FORMS})(?:\s+(?:{_FORMS}))?)(?!\w)"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_DIGIT = re.compile(r"\d")
_FORM = re.compile(_FORMS)


def company_names(text: str) -> Iterator[str]:
    """Each name once."""
    seen: set[str] = set()
    for found in _NAME.finditer(text):
        words = found[1].split()
        name = " ".join(words).rstrip(",")
        if _says_more(words) and name not in seen and len(seen) < MAX_FOUND:
            seen.add(name)
            yield name


def _says_more(words: list[str]) -> bool:
    """Whether any word is not a legal form, a link or a number."""
    return any(
        _WORD.search(word) and not _DIGIT.search(word) and not _FORM.fullmatch(word.strip(".,"))
        for word in words[:-1]
    )
