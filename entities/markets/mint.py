"""Addresses of Solana: 32 bytes in base58 (the alphabet without 0, O, I and l). Pure.

A mint has 32 to 44 characters and an LEI has 20, so no text is ever both.
"""

import re

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
SHAPE = re.compile(r"[1-9A-HJ-NP-Za-km-z]{32,44}")
STANDARDS = {
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA": "spl-token",
    "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb": "token-2022",
}
_DIGITS = {char: value for value, char in enumerate(ALPHABET)}


def is_mint(text: str) -> bool:
    """Whether ``text`` is an address: the shape alone lets texts through that are no 32 bytes."""
    return SHAPE.fullmatch(text) is not None and _size(text) == 32


def _size(text: str) -> int:
    number = 0
    for char in text:
        number = number * 58 + _DIGITS[char]
    zeros = len(text) - len(text.lstrip("1"))  # each leading 1 is a zero byte
    return zeros + (number.bit_length() + 7) // 8
