"""The key that a name of the register is stored and looked up by: a to z and digits, no accents, case or marks.

Other scripts are in Latin letters, character by character and roughly as they sound. That loses much, and may: a key
finds candidates, which are then compared by the names themselves (``matching``).
"""

import unicodedata

from anyascii import anyascii

MAX_KEY = 300
_LETTERS = {
    "ß": "ss",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ł": "l",
    "ħ": "h",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ı": "i",
}
_GONE = frozenset("'’‘ʼ`´")


class _Folding(dict[int, str]):
    """What becomes of each character, worked out when it is first met: a register has millions of names."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in _GONE or unicodedata.combining(char):
            folded = ""
        else:
            folded = "".join(map(_plain, unicodedata.normalize("NFKC", char).casefold()))
        self[code] = folded
        return folded


def search_key(name: str) -> str:
    """ "Société d’Énergie S.A." is "societe denergie s a": legal forms stay. Up to 300 characters; "" for marks."""
    return " ".join(words_of(name))[:MAX_KEY].rstrip()


def words_of(text: str) -> list[str]:
    """The words of a text of any length, spelled as in keys."""
    if text.isascii():  # most are, and bytes are folded in less than half the time
        return text.encode().translate(_ASCII, _ASCII_GONE).decode().split()
    return unicodedata.normalize("NFKC", text).translate(_FOLDING).split()


def _plain(char: str) -> str:
    """A letter or digit in plain Latin, without its accents; a blank for anything else."""
    bare = "".join(part for part in unicodedata.normalize("NFKD", char) if not unicodedata.combining(part))
    letters = "".join(_LETTERS.get(part, part) for part in bare)
    return "".join(map(_latin, unicodedata.normalize("NFC", letters)))


def _latin(char: str) -> str:
    """Vowel signs and the like belong to their letters; marks and symbols part words."""
    if unicodedata.category(char)[0] not in "LNM":
        return " "
    return "".join(filter(str.isalnum, anyascii(char).lower()))


_FOLDING = _Folding()
_ASCII_GONE = bytes(code for code in range(128) if not _FOLDING[code])
_ASCII = "".join(_FOLDING[code] or " " for code in range(128)).encode().ljust(256)
