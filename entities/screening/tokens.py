"""The words of a name as they are compared: folded, in Latin letters, particles apart, and how alike two words sound.

Names reach lists through several scripts and systems of romanisation (Yuriy, Iurii; Mohammed, Muhammad), so a word also
has a skeleton: its consonants as they sound. A word of a script without vowels is only its skeleton.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from common.likeness import OSA, fuzz
from entities.names.keys import words_of

_PARTICLES = """
al el ul ur ad ar as az an ash at bin ibn ben bint binti van von der den de da di du del della dos das la le af zu zum
ter ten
"""
_TITLES = """
mr mrs ms dr prof sir sheikh shaykh sheik haji hajji hajj hadji mullah mulla maulavi maulvi mawlawi qari general gen col
colonel capt sayyid sayed ing dipl jr sr
"""
PARTICLES: Final = frozenset(_PARTICLES.split())
"""Words that come and go with the spelling of a name; they part no two names."""
TITLES: Final = frozenset(_TITLES.split())
_SERVANT: Final = ("abdul", "abdel", "abdal", "abdur", "abdus", "abdol", "abdu", "abdi", "abd")
PATRONYMIC: Final = (
    *("ovich", "evich", "ovych", "evych", "ovitch", "evitch", "ovna", "evna", "ivna"),
    *("oglu", "oglou", "uly", "qizi", "kyzy"),
)
VOWELS: Final = frozenset("aeiouy")
_SOUNDS: Final = (
    ("schtsch", "s"), ("shch", "s"), ("sch", "s"), ("tsch", "č"), ("tch", "č"), ("dzh", "z"), ("dsch", "z"),
    ("kh", "h"), ("gh", "g"), ("ph", "f"), ("sh", "s"), ("ch", "č"), ("zh", "z"), ("th", "t"), ("dh", "d"),
    ("ts", "z"), ("tz", "z"), ("dj", "z"), ("dg", "z"), ("ck", "k"), ("x", "ks"), ("qu", "k"), ("q", "k"),
    ("ce", "se"), ("ci", "si"), ("cy", "si"), ("c", "k"), ("g", "k"), ("w", "v"), ("f", "v"), ("j", "z"),
)  # fmt: skip
_ARABIC: Final = str.maketrans(
    {
        "ء": "",
        "آ": "a",
        "أ": "a",
        "إ": "i",
        "ؤ": "u",
        "ئ": "i",
        "ا": "a",
        "ب": "b",
        "ة": "a",
        "ت": "t",
        "ث": "th",
    }
    | {"ج": "j", "ح": "h", "خ": "kh", "د": "d", "ذ": "dh", "ر": "r", "ز": "z", "س": "s", "ش": "sh", "ص": "s"}
    | {"ض": "d", "ط": "t", "ظ": "z", "ع": "a", "غ": "gh", "ف": "f", "ق": "q", "ك": "k", "ل": "l", "م": "m"}
    | {"ن": "n", "ه": "h", "و": "u", "ى": "a", "ي": "i", "پ": "p", "چ": "ch", "ژ": "zh", "گ": "g", "ک": "k"}
    | {"ی": "i", "ـ": "", "\u200c": " "}
)
_ARTICLE: Final = re.compile(r"(?<!\w)\u0627\u0644(?=\w{3})")
LEAST_RATIO: Final = 0.7  # of the sounds that two words of one skeleton have in common
_VOWELS: Final = str.maketrans("eyo", "iiu")
INITIAL, SOUND, SURNAME, GLUED = 0.7, 0.86, 0.9, 0.95
_KOREAN = (
    "kim gim",
    "pak park bak",
    "ri lee yi rhee i",
    "choe choi choy",
    "jong jung chung jeong chong",
    "no roh noh",
)
_SURNAMES: Final = {word: spellings for spellings in map(str.split, _KOREAN) for word in spellings}
"""Family names of Korea, which few sounds tell apart and each romanisation writes otherwise."""


@lru_cache(maxsize=50_000)
def tokens_of(name: str) -> tuple[str, ...]:
    """The words of a person's name in order, without particles and titles; those alone where nothing else is left.

    "Abd al-Rahman", "Abdul Rahman" and "Abdurrahman" are one word; Chinese and Korean syllables are a word each.
    """
    words = words_of(_spaced(name))
    kept = [word for word in _joined(words) if word not in PARTICLES and word not in TITLES]
    return tuple(kept or words)[:40]


@lru_cache(maxsize=100_000)
def likeness(one: str, other: str) -> float:
    """How alike two words are, 0 to 1: 1 equal, 0.86 and more by sound, about 0.8 with a slip, 0.7 an initial."""
    if one == other:
        return 1.0
    if one in _SURNAMES.get(other, ()):
        return SURNAME
    if len(one) == 1 or len(other) == 1:
        return INITIAL if one[0] == other[0] else 0.0
    if any(map(str.isdigit, one + other)):
        return 0.0
    if without_article(one) == other or one == without_article(other):
        return GLUED
    sound = _sound_alike(one, other)
    longer = max(len(one), len(other))
    slips = 0 if longer < 4 else 1 if longer < 8 else 2
    distance = OSA.distance(one, other, score_cutoff=slips)
    slip = 1 - 1.2 * distance / longer if distance <= slips else 0.0
    return max(sound, slip if slip >= 0.7 else 0.0)


def _sound_alike(one: str, other: str) -> float:
    common = {*skeletons(one)} & {*skeletons(other)}
    if not any(len(sound) > 1 for sound in common):
        return 0.0
    if VOWELS.isdisjoint(one[1:]) or VOWELS.isdisjoint(other[1:]):
        return SOUND
    pairs = ((mine, theirs) for mine in _sounds(one) for theirs in _sounds(other))
    ratio = max(fuzz.ratio(mine, theirs) / 100 for mine, theirs in pairs)
    return SOUND + (1 - SOUND) * ratio if ratio >= LEAST_RATIO else 0.0


@lru_cache(maxsize=50_000)
def skeletons(word: str) -> tuple[str, ...]:
    """The consonants of a word as they may sound, a vowel at its beginning as "a"."""
    return tuple(
        sorted(
            {
                ("a" if sounds[:1] in VOWELS else "") + "".join(char for char in sounds if char not in VOWELS)
                for sounds in _sounds(word)
            }
        )
    )


@lru_cache(maxsize=50_000)
def _sounds(word: str) -> tuple[str, ...]:
    """A word as it may sound, few vowels told apart and nothing doubled.

    Letters are read in several ways: j as in James and as in Julija, g and q as k and as the h of Ukrainian or Persian.
    """
    readings = {word}
    if "j" in word:
        readings.add(word.replace("j", "y"))
    if "g" in word or "q" in word:
        readings |= {
            reading.replace("gh", "h").replace("g", "h").replace("q", "h") for reading in tuple(readings)
        }
    return tuple(sorted(map(_sound, readings)))


def _sound(word: str) -> str:
    text = f"{word[:-1]}i" if word.endswith("j") else word
    for written, sound in _SOUNDS:
        text = text.replace(written, sound)
    text = text.translate(_VOWELS)
    return "".join(char for at, char in enumerate(text) if at == 0 or char != text[at - 1])


def without_article(word: str) -> str:
    """ "alrashidi" as "rashidi"; "" where no article is written together with the word."""
    return next(
        (
            word.removeprefix(article)
            for article in ("al", "el", "del", "de", "da", "van", "von", "ibn", "bin")
            if word.startswith(article) and len(word) - len(article) >= 4
        ),
        "",
    )


def spellings_of(word: str) -> list[str]:
    """Other spellings of a family name that do not sound alike."""
    return _SURNAMES.get(word, [])


def is_patronymic(word: str) -> bool:
    """Whether a word says whose child a person is, as in Russian, Ukrainian or Azeri names."""
    return len(word) > 5 and word.endswith(PATRONYMIC)


def _joined(words: list[str]) -> list[str]:
    """ "abd" and what follows it in one word, however the article between them is written."""
    kept: list[str] = []
    held = False
    for word in words:
        if held and word in PARTICLES:
            continue
        if held:
            kept.append(f"abd{_bare(word)}")
            held = False
        elif word in _SERVANT:
            held = True
        else:
            rest = next((word.removeprefix(start) for start in _SERVANT if word.startswith(start)), "")
            kept.append(
                f"abd{rest.lstrip('lr') if rest[:1] == rest[1:2] else rest}" if len(rest) >= 3 else word
            )
    return [*kept, "abd"] if held else kept


def _bare(word: str) -> str:
    """Without an article that is written together with the word: "arrahman", "elkarim"."""
    for article in ("al", "el", "ar", "ur", "er"):
        if word.startswith(article) and len(word) > 5:
            return word.removeprefix(article)
    return word


def _spaced(name: str) -> str:
    """Chinese characters and Korean syllables apart, each read by itself; Arabic letters as names are romanised."""
    if name.isascii():
        return name
    text = "".join(
        f" {char} " if _is_syllable(char) else char
        for char in unicodedata.normalize("NFKC", name)
        if unicodedata.category(char) != "Mn" or char < "\u0600"
    )
    return _ARTICLE.sub(" ", text).translate(_ARABIC)


def _is_syllable(char: str) -> bool:
    return "一" <= char <= "鿿" or "가" <= char <= "힣" or "㐀" <= char <= "䶿"
