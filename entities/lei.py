"""Legal Entity Identifiers (ISO 17442): form, check digits (ISO 7064 MOD 97-10), repairs, and finding them in text.

Nothing here asks a register. A well-formed LEI may still not exist, or be retired.
"""

import re
import string
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Rule: TypeAlias = Literal[
    "", "length", "alphabet", "check-digits-not-numeric", "non-canonical-check-digits", "checksum"
]

LENGTH = 20
MAX_REPAIRS = 40
_ALPHABET = string.digits + string.ascii_uppercase
# MOD 97-10 gives the check digits 02 to 98; 00, 01 and 99 leave the same remainder and are never issued.
_SHAPE = re.compile(r"[0-9A-Z]{18}(?:0[2-9]|[1-8][0-9]|9[0-8])")
_PREFIX = re.compile(r"[0-9A-Z]{18}")
_NUMERALS = str.maketrans({letter: str(10 + index) for index, letter in enumerate(string.ascii_uppercase)})
_SEPARATORS = re.compile(r"[\s\-\u00ad\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_ASCII_UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
_TOKEN = re.compile(r"(?<!\w)[0-9A-Z]{18}[0-9]{2}(?!\w)")
_LABEL = re.compile(r"(?<!\w)LEIs?(?:[ -](?:code|number))?\W{0,3}(?:is\W{1,2})?$", re.IGNORECASE)
_LABEL_REACH = 24
_LOOKALIKES = {
    wrong: right
    for pair in ("O0", "I1", "S5", "B8", "Z2", "G6", "Q0", "D0", "L1")
    for wrong, right in (pair, pair[::-1])
}


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
    """The LEI a person meant: no blanks, dashes or invisible characters; ASCII capitals."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", text)).translate(_ASCII_UPPER)


def is_valid(lei: str) -> bool:
    """Whether ``lei`` is, character by character, a well-formed LEI with canonical check digits."""
    return _SHAPE.fullmatch(lei) is not None and int(lei.translate(_NUMERALS)) % 97 == 1


def complete(prefix18: str) -> str:
    """The LEI of 18 characters: with their check digits. Raises ValueError for anything else."""
    if not _PREFIX.fullmatch(prefix18):
        raise ValueError("an LEI begins with 18 characters of 0-9 and A-Z")
    return f"{prefix18}{98 - int((prefix18 + '00').translate(_NUMERALS)) % 97:02d}"


def check_format(text: str) -> LeiFormat:
    """Check a text against ISO 17442, forgiving blanks, dashes and case."""
    lei = normalise(text)
    rule, message = _broken_rule(lei)
    return LeiFormat(lei, not rule, rule, message, exact=lei == text)


def find_candidates(text: str) -> list[tuple[int, int, str]]:
    """(start, end, LEI) of the LEIs in running text, by code points.

    A token of the right shape counts when its check digits fit, or when the text calls it an LEI: an invented
    one should be found too. Part of a longer word never counts.
    """
    return [
        (match.start(), match.end(), match[0])
        for match in _TOKEN.finditer(text)
        if is_valid(match[0]) or _LABEL.search(text, max(0, match.start() - _LABEL_REACH), match.start())
    ]


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
    return dict(list(found.items())[:MAX_REPAIRS])


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
    return "", "This is a well-formed LEI with the right check digits."


def _edits(lei: str) -> Iterator[tuple[str, str]]:
    """Every text one edit away whose length is that of an LEI: lookalikes and swaps first."""
    if len(lei) == LENGTH:
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


def _lookalikes(lei: str) -> Iterator[tuple[str, str]]:
    for at, char in enumerate(lei):
        if char in _LOOKALIKES:
            yield _replaced(lei, at, _LOOKALIKES[char])


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
