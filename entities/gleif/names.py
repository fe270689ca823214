"""The key that a name of the register is stored and looked up by: letters and digits, no accents, case or marks."""

import re
import unicodedata
from functools import lru_cache

MAX_KEY = 300
_OTHERS = re.compile(r"[^\w]+|_+")
_GONE = {ord(char): None for char in "'’‘ʼ`´"}
_ASCII = {code: " " for code in range(128) if not chr(code).isalnum()} | {ord("'"): None, ord("`"): None}
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}
)


def search_key(name: str) -> str:
    """ "Société d’Énergie S.A." is "societe denergie s a": legal forms stay. Up to 300 characters; "" for marks."""
    if name.isascii():
        return " ".join(name.lower().translate(_ASCII).split())[:MAX_KEY].rstrip()
    return _folded(name)


@lru_cache(maxsize=4_096)
def _folded(name: str) -> str:
    text = unicodedata.normalize("NFKC", name).casefold().translate(_LETTERS).translate(_GONE)
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return " ".join(_OTHERS.sub(" ", unicodedata.normalize("NFC", bare)).split())[:MAX_KEY].rstrip()
