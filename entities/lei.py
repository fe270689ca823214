"""The Legal Entity Identifier, ISO 17442: 18 characters and two check digits by ISO 7064 MOD 97-10.

Everything here works without a register. What passes is well formed; whether it exists is for the register to say.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LENGTH = 20
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = re.compile(r"[0-9A-Z]{18}[0-9]{2}")
_TOKEN = re.compile(r"(?<![0-9A-Za-z])[0-9A-Z]{18}[0-9]{2}(?![0-9A-Za-z])")
_NOISE = re.compile(r"[\s\-\u00ad\u200b-\u200f\u2060\ufeff]+")
_DIGITS = str.maketrans({letter: str(value) for value, letter in enumerate(_ALPHABET) if value > 9})
_LOOKALIKES = ("O0", "I1", "S5", "B8", "Z2", "G6")
MAX_REPAIRS = 50


@dataclass(frozen=True)
class LeiFormat:
    """Whether a text is a well-formed LEI; ``rule`` names the first rule it breaks ("" when it breaks none)."""

    lei: str
    ok: bool
    rule: str = ""
    message: str = ""


def is_valid(lei: str) -> bool:
    """Exactly 20 characters of the alphabet, canonical check digits, MOD 97-10 equal to 1."""
    return (
        _SHAPE.fullmatch(lei) is not None
        and "02" <= lei[18:] <= "98"
        and int(lei.translate(_DIGITS)) % 97 == 1
    )


def check_format(text: str) -> LeiFormat:
    """Which rule a text breaks, if any: length, alphabet, check-digits-not-numeric, non-canonical-check-digits, checksum."""
    if is_valid(text):
        return LeiFormat(text, True)
    rule, message = _broken_rule(text)
    return LeiFormat(text, False, rule, message)


def normalise(text: str) -> str:
    """Without blanks, dashes and invisible characters, in upper case; for what people type, not for stored keys."""
    return _NOISE.sub("", text).upper()


def complete(prefix: str) -> str:
    """The LEI that begins with these 18 characters. Raises ValueError for anything else."""
    if not re.fullmatch(r"[0-9A-Z]{18}", prefix):
        raise ValueError("an LEI begins with 18 characters of 0-9 and A-Z")
    return f"{prefix}{98 - int((prefix + '00').translate(_DIGITS)) % 97:02d}"


def find_candidates(text: str) -> list[tuple[int, int, str]]:
    """(start, end, token) of everything in free text that has the shape of an LEI; the checksum is not asked."""
    return [(match.start(), match.end(), match.group()) for match in _TOKEN.finditer(text)]


def repairs(text: str) -> list[str]:
    """Well-formed LEIs one slip away, likeliest first: look-alikes, swapped neighbours, one character wrong, lost or
    doubled."""
    token = normalise(text)
    if not LENGTH - 1 <= len(token) <= LENGTH + 1 or any(char not in _ALPHABET for char in token):
        return []
    found: dict[str, None] = {}
    for candidate in _slips(token):
        if candidate != text and is_valid(candidate):
            found[candidate] = None
            if len(found) == MAX_REPAIRS:
                break
    return list(found)


def _broken_rule(text: str) -> tuple[str, str]:
    if len(text) != LENGTH:
        return "length", f"An LEI has 20 characters, this has {len(text)}."
    if any(char not in _ALPHABET for char in text):
        return "alphabet", "An LEI has only the characters 0-9 and A-Z."
    if not text[18:].isdigit():
        return "check-digits-not-numeric", f"The last two characters of an LEI are digits, not {text[18:]!r}."
    if not "02" <= text[18:] <= "98":
        return "non-canonical-check-digits", f"Check digits run from 02 to 98; {text[18:]} is never issued."
    return "checksum", "The check digits do not fit (ISO 7064 MOD 97-10): at least one character is wrong."


def _slips(token: str) -> Iterator[str]:
    if token != normalise(token) or len(token) == LENGTH:
        yield token
    yield from _lookalikes(token)
    yield from (token[:i] + token[i + 1] + token[i] + token[i + 2 :] for i in range(len(token) - 1))
    if len(token) == LENGTH:
        yield from (token[:i] + char + token[i + 1 :] for i in range(LENGTH) for char in _ALPHABET)
    elif len(token) < LENGTH:
        yield from (token[:i] + char + token[i:] for i in range(LENGTH) for char in _ALPHABET)
    else:
        yield from (token[:i] + token[i + 1 :] for i in range(len(token)))


def _lookalikes(token: str) -> Iterator[str]:
    for pair in _LOOKALIKES:
        for one, other in (pair, pair[::-1]):
            yield from (token[:i] + other + token[i + 1 :] for i, char in enumerate(token) if char == one)
