"""Legal Entity Identifiers (ISO 17442): form, check digits (ISO 7064 MOD 97-10), repairs, and finding them in text.

Nothing here asks a register. A well-formed LEI may still not exist, or be retired.
"""

import re
import string
from codecs import charmap_encode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

Rule: TypeAlias = Literal[
    "", "length", "alphabet", "check-digits-not-numeric", "non-canonical-check-digits", "checksum"
]

LENGTH = 20
MAX_REPAIRS = 40
_ALPHABET = string.digits + string.ascii_uppercase
# MOD 97-10 gives the check digits 02 to 98; 00, 01 and 99 leave the same remainder and are never issued.
_CHECK_DIGITS = frozenset(f"{digits:02d}" for digits in range(2, 99))
_PREFIX = re.compile(r"[0-9A-Z]{18}")
_NUMERALS = {ord(char): str(value).encode() for value, char in enumerate(_ALPHABET)}
_SEPARATORS = re.compile(r"[\s\-\u00ad\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_TYPED = string.ascii_lowercase + "".join(
    chr(ord(char) + 0xFEE0) for char in string.digits + string.ascii_letters
)
_PLAIN = str.maketrans(_TYPED, string.ascii_uppercase + string.digits + string.ascii_uppercase * 2)
_TOKEN = re.compile(r"(?<!\w)[0-9A-Z]{18}[0-9]{2}(?!\w)")
_LABEL = re.compile(r"(?<!\w)LEIs?(?:[ -](?:code|number))?\W{0,3}(?:is\W{1,2})?$", re.IGNORECASE)
_LABEL_REACH = 24
_LOOKALIKES = {"O": "0", "I": "1L", "S": "5", "B": "8", "Z": "2", "G": "6", "Q": "0", "D": "0", "L": "1I"}
_LOOKALIKES |= {"0": "OQD", "1": "IL", "5": "S", "8": "B", "2": "Z", "6": "G"}


@dataclass(frozen=True, slots=True)
class LeiFormat:
    """``lei`` is the text without blanks and dashes, in capitals; ``exact`` when the text already was that.

    ``rule`` names the first rule broken, "" when ``ok``.
    """

    lei: str
    ok: bool
    rule: Rule
    message: str
    exact: bool


def normalise(text: str) -> str:
    """The LEI a person meant: no blanks, dashes or invisible characters, and plain capitals."""
    return _SEPARATORS.sub("", text).translate(_PLAIN)


def is_valid(lei: str) -> bool:
    """Whether ``lei`` is, character by character, a well-formed LEI with canonical check digits."""
    if len(lei) != LENGTH or lei[-2:] not in _CHECK_DIGITS:
        return False
    try:
        return _remainder(lei) == 1
    except UnicodeEncodeError:  # a character that is in no LEI
        return False


def complete(prefix18: str) -> str:
    """The LEI of 18 characters: with their check digits. Raises ValueError for anything else."""
    if not _PREFIX.fullmatch(prefix18):
        raise ValueError("an LEI begins with 18 characters of 0-9 and A-Z")
    return f"{prefix18}{98 - _remainder(prefix18 + '00'):02d}"


def check_format(text: str) -> LeiFormat:
    """Check what a person typed against ISO 17442, forgiving blanks, dashes and case (``exact`` tells)."""
    lei = normalise(text)
    rule, message = _broken_rule(lei)
    return LeiFormat(lei, not rule, rule, message, exact=lei == text)


def find_candidates(text: str) -> list[tuple[int, int, str]]:
    """(start, end, token) of everything in running text that has the shape of an LEI; the checksum is not asked.

    Offsets count code points. Part of a longer word is not a token.
    """
    return [(match.start(), match.end(), match[0]) for match in _TOKEN.finditer(text)]


def is_called_lei(text: str, start: int) -> bool:
    """Whether running text announces the token at ``start`` as an LEI: "(LEI: 5299...)", "LEI code 5299..."."""
    return _LABEL.search(text, max(0, start - _LABEL_REACH), start) is not None


def repairs(text: str) -> list[str]:
    """The well-formed LEIs one edit away from ``text``, likeliest first, at most MAX_REPAIRS."""
    return list(explained_repairs(text))


def explained_repairs(text: str) -> dict[str, str]:
    """Like ``repairs``, with the edit in words: ``{lei: "0 instead of O at position 3"}``."""
    lei = normalise(text)
    if not LENGTH - 1 <= len(lei) <= LENGTH + 1:
        return {}
    found: dict[str, str] = {}
    for candidate, why in _edits(lei):
        if candidate != lei and is_valid(candidate):
            found.setdefault(candidate, why)
    return dict(islice(found.items(), MAX_REPAIRS))


def _remainder(text: str) -> int:
    """Of the number that 0-9 and A-Z stand for (A is 10, Z is 35), divided by 97.

    As a charmap this is one pass in C that also refuses every other character; ``str.translate`` takes half as long
    again. Raises UnicodeEncodeError.
    """
    digits, _ = charmap_encode(text, "strict", _NUMERALS)
    return int(digits) % 97


def _broken_rule(lei: str) -> tuple[Rule, str]:
    if len(lei) != LENGTH:
        return "length", f"An LEI has {LENGTH} characters, this has {len(lei)}."
    for position, char in enumerate(lei, start=1):
        if char not in _ALPHABET:
            return "alphabet", f"An LEI has only A-Z and 0-9; character {position} is “{char}”."
    digits = lei[-2:]
    if not digits.isdigit():
        return "check-digits-not-numeric", f"An LEI ends in two check digits; this ends in “{digits}”."
    if digits in ("00", "01", "99"):
        return (
            "non-canonical-check-digits",
            f"The check digits of an LEI run from 02 to 98; these are {digits}.",
        )
    expected = complete(lei[:-2])[-2:]
    if digits != expected:
        return "checksum", f"The check digits are {digits}, but the other characters ask for {expected}."
    return "", ""


def _edits(lei: str) -> Iterator[tuple[str, str]]:
    """Every text one edit away whose length is that of an LEI: lookalikes and swaps first."""
    if len(lei) == LENGTH:
        yield from _confusions(lei)
        yield from _lookalikes(lei)
        yield from _swaps(lei)
        yield from _substitutions(lei)
    elif len(lei) > LENGTH:
        for at, char in enumerate(lei):
            yield lei[:at] + lei[at + 1 :], f"without the “{char}” at position {at + 1}"
    else:
        for at in range(len(lei) + 1):
            for char in _ALPHABET:
                yield lei[:at] + char + lei[at:], f"with “{char}” added at position {at + 1}"


def _confusions(lei: str) -> Iterator[tuple[str, str]]:
    """Whoever takes one 0 for an O takes them all: a machine that reads print, or somebody who copies by hand."""
    for char, other in (("O", "0"), ("I", "1"), ("0", "O"), ("1", "I")):
        if lei.count(char) > 1:
            yield lei.replace(char, other), f"with every “{char}” read as “{other}”"


def _lookalikes(lei: str) -> Iterator[tuple[str, str]]:
    for at, char in enumerate(lei):
        for other in _LOOKALIKES.get(char, ""):
            yield _replaced(lei, at, other)


def _swaps(lei: str) -> Iterator[tuple[str, str]]:
    for at in range(len(lei) - 1):
        swapped = lei[:at] + lei[at + 1] + lei[at] + lei[at + 2 :]
        yield swapped, f"with positions {at + 1} and {at + 2} swapped"


def _substitutions(lei: str) -> Iterator[tuple[str, str]]:
    for at in range(len(lei)):
        for char in _ALPHABET:
            yield _replaced(lei, at, char)


def _replaced(lei: str, at: int, char: str) -> tuple[str, str]:
    return lei[:at] + char + lei[at + 1 :], f"“{char}” instead of “{lei[at]}” at position {at + 1}"
