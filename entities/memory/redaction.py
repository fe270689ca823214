"""The words by which somebody is known, and taking them out of texts and JSON.

A name is found however it is cased and whatever stands between its parts: ``Jane Roe``, ``JANE  ROE``, ``jane-roe``.
Values in, values out: no database.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

ERASED = "[erased]"
MIN_LETTERS, MIN_ALONE, MIN_KEY = 6, 8, 6
MOST = 200  # words of one entity
_PARTS = re.compile(r"[^\W_]+")
_NAMED = ("name", "full_name", "fullname", "owner_name", "legal_name")


@dataclass(frozen=True)
class Words:
    """What is looked for, as one pattern; ``likes`` are patterns of LIKE that find at least the same."""

    words: tuple[str, ...]
    pattern: re.Pattern[str]
    likes: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.words)


def words_of(candidates: Iterable[str], kept: Iterable[str] = ()) -> Words:
    """The words to be looked for, but for those that say too little. Longer names that are ``kept`` stay."""
    chosen = _longest(word for word in candidates if is_telling(word))
    spelled, stays = _spelled(chosen), _spelled(_longest(kept))
    either = f"(?P<kept>{stays})|{spelled}" if stays else f"{spelled}|(?P<kept>(?!))"
    pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])" if chosen else "(?P<kept>(?!))", re.IGNORECASE)
    likes = tuple(dict.fromkeys(_like(each) for each in chosen))
    return Words(tuple(" ".join(each) for each in chosen), pattern, likes)


def plain(word: str) -> str:
    """The parts of a name in small letters: what two spellings of one have in common."""
    return " ".join(_PARTS.findall(unicodedata.normalize("NFC", word))).casefold()


def is_telling(word: str) -> bool:
    """Whether a word means one and no other: of two parts, or long, or a key with digits. ``Apple`` does not."""
    parts = _PARTS.findall(word)
    letters = sum(map(len, parts))
    if len(parts) > 1:
        return letters >= MIN_LETTERS
    return letters >= (MIN_KEY if any(char.isdigit() for char in word) else MIN_ALONE)


def turned(name: str) -> list[str]:
    """A person's name with the last part first, as registers and indexes write it."""
    parts = _PARTS.findall(name)
    return [" ".join([parts[-1], *parts[:-1]])] if 1 < len(parts) < 6 else []


def holds(value: Any, words: Words) -> bool:
    """Whether any of the words stands in a text or in JSON."""
    if isinstance(value, str):
        found = words.pattern.finditer(unicodedata.normalize("NFC", value))
        return any(one["kept"] is None for one in found)
    if isinstance(value, dict):
        return any(holds(part, words) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(holds(part, words) for part in value)


def redact(value: Any, words: Words, put: str = ERASED) -> Any:
    """The value without the words. Of an object that is named so, nothing is left: it is about whom is erased."""
    if isinstance(value, str):
        text = unicodedata.normalize("NFC", value)
        return words.pattern.sub(lambda one: one["kept"] or put, text) if holds(value, words) else value
    if isinstance(value, list):
        return [redact(part, words, put) for part in value]
    if not isinstance(value, dict):
        return value
    if any(is_named(value.get(name), words) for name in _NAMED):
        return {key: _emptied(part) for key, part in value.items()}
    return {redact(key, words, put): redact(part, words, put) for key, part in value.items()}


def is_named(value: Any, words: Words) -> bool:
    """Whether a text is one of the words and nothing else."""
    if not isinstance(value, str):
        return False
    whole = words.pattern.fullmatch(unicodedata.normalize("NFC", value).strip())
    return whole is not None and whole["kept"] is None


def _emptied(value: Any) -> Any:
    if isinstance(value, str):
        return ERASED
    if isinstance(value, dict):
        return {key: _emptied(part) for key, part in value.items()}
    return [_emptied(part) for part in value] if isinstance(value, list) else None


def _longest(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Names in their parts, the longest first: of two that overlap the longer one is meant."""
    parts = {tuple(_PARTS.findall(unicodedata.normalize("NFC", name))): None for name in names}
    return sorted((each for each in parts if each), key=lambda each: -sum(map(len, each)))[:MOST]


def _spelled(names: Iterable[tuple[str, ...]]) -> str:
    return "|".join(r"[\W_]{1,4}".join(map(re.escape, each)) for each in names)


def _like(parts: tuple[str, ...]) -> str:
    """What is not ASCII may be escaped in JSON, or composed otherwise."""
    ascii_only = "%".join(re.sub(r"[^\x00-\x7f]+", "%", part) for part in parts)
    return re.sub("%+", "%", f"%{ascii_only}%")
