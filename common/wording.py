"""In what the words of a quote differ from those of a passage: in how they are spelt, in words, or in what they say.

Numbers are compared by what they amount to, with the words that say of what: a million is no billion, March is no May.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal, Protocol, TypeAlias

from common.likeness import Indel

Difference: TypeAlias = Literal["spelled", "similar", "changed"]
Parts: TypeAlias = tuple[list[str], list[str]]
MOST_PAIRS = (
    20_000  # of the same word, one in the quote and one in the passage; 800 words of prose have half as many
)

_NUMBER = re.compile(r'(?:(?<!\w)-)?(?<!\d)(?<!\d[.,])\d+(?:[.," ]\d{3}(?!\d))*(?:[.,]\d+)?')
_TOKEN = re.compile(rf"{_NUMBER.pattern}|[^\W\d_]+|[€$£¥%]")
_NOTE = re.compile(
    r"\[(?:\d{1,3}|[a-z]|note \d{1,3}|citation needed)\]"
)  # of an encyclopedia, amid its sentences
_NOT_WORDS = """not no never none neither nor without cannot nicht kein keine keinen keiner keinem keines nie niemals
    ohne weder ne pas non jamais aucun aucune sans nessun nessuna mai senza keinerlei keinesfalls keineswegs
    mitnichten nirgends nowhere scarcely barely nullement aucunement neppure nemmeno neanche"""
NOT = frozenset(_NOT_WORDS.split())
NOT_BEHIND = frozenset(
    ("not", "never", "nicht", "nie", "niemals", "kein", "keine", "keinen", "pas", "jamais")
)
_SHORT_NOT = ((re.compile(r'\bcan"t\b|\bcannot\b'), "can not"), (re.compile(r'\bwon"t\b'), "will not"))
_ARTICLE_WORDS = """the a an der die das den dem des ein eine einen einem einer
    le la les l un une il lo i gli uno una"""
_ARTICLES = frozenset(_ARTICLE_WORDS.split())
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non")
_MEASURE_WORDS = """hundred thousand million millions billion billions trillion trillions mio mrd bn mn
    tausend millionen milliarde milliarden billionen mille milliard milliards milione milioni miliardo miliardi
    percent prozent eur usd chf gbp jpy euro euros dollar dollars pound pounds franc francs franken
    january february march april may june july august september october november december
    januar februar märz mai juni juli oktober dezember
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre dicembre"""
_MEASURES = frozenset(_MEASURE_WORDS.split())
_SAME = {"€": "eur", "$": "usd", "£": "gbp", "¥": "jpy", "%": "percent", "prozent": "percent"}
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


class _Block(Protocol):
    """A stretch of ``size`` words: from ``a`` of the one, from ``b`` of the other."""

    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def size(self) -> int: ...


def difference(quote: str, passage: str) -> Difference:
    """How far a quote is from a passage, both plain and in small letters."""
    quote, passage = _NOTE.sub(" ", quote), _NOTE.sub(" ", passage)
    found: Difference = "spelled"
    for ours, theirs in _differing(_tokens(quote), _tokens(passage)):
        kind = _kind(ours, theirs)
        if kind == "changed":
            return kind
        found = "similar" if kind == "similar" else found
    invented = Counter(_numbers(quote)) - Counter(_numbers(passage))
    return "changed" if invented or _denials(quote) != _denials(passage) else found


def differing_words(quote: str, passage: str) -> list[tuple[str, str]]:
    """What the quote has and what the passage has in its place, where that is more than spelling."""
    parts = _differing(_tokens(_NOTE.sub(" ", quote)), _tokens(_NOTE.sub(" ", passage)))
    return [(" ".join(ours), " ".join(theirs)) for ours, theirs in parts if _kind(ours, theirs) != "spelled"]


def written_numbers(text: str) -> dict[str, str]:
    """The numbers of a plain text as they are written, by what they amount to."""
    return {_amount(number): number for number in _NUMBER.findall(text)}


def denial_in(text: str) -> str:
    """The first word of a plain text that says no, or an empty text."""
    return next((word for word in _tokens(text) if word in NOT), "")


def denial_before(text: str) -> str:
    """The word that says no at the very end of a plain text."""
    words = _tokens(text.rstrip()) if text[-1:].isspace() else []
    return words[-1] if words and words[-1] in NOT - {"mai"} and _ends_with_word(text) else ""


def denial_behind(text: str) -> str:
    """The word that says no at the very beginning of a plain text."""
    words = _tokens(text) if text[:1].isspace() and text.lstrip()[:1].isalpha() else []
    return words[0] if words and words[0] in NOT_BEHIND else ""


def _ends_with_word(text: str) -> bool:
    return text.rstrip()[-1:].isalpha()


def _tokens(text: str) -> list[str]:
    for short, full in _SHORT_NOT:
        text = short.sub(full, text)
    return _TOKEN.findall(text.replace('n"t', " not"))


def _differing(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[Parts]:
    """The stretches that differ; what the passage has around the quote is none."""
    known, there = [folded(word) for word in ours], [folded(word) for word in theirs]
    a = c = 0
    for block in _same(known, there):
        around = a == block.a and a in (0, len(ours))
        if (a, c) != (block.a, block.b) and not around:
            yield list(ours[a : block.a]), list(theirs[c : block.b])
        a, c = block.a + block.size, block.b + block.size


def _same(known: Sequence[str], there: Sequence[str]) -> Sequence[_Block]:
    """The stretches that both have, in order, an empty one at the end.

    The longest first, as a person would find them; where few words come again and again that takes minutes, so then
    as many words as can be.
    """
    counts = Counter(there)
    if sum(counts[word] for word in known) <= MOST_PAIRS:
        return SequenceMatcher(None, known, there, autojunk=False).get_matching_blocks()
    return Indel.opcodes(known, there).as_matching_blocks()


def _kind(ours: Sequence[str], theirs: Sequence[str]) -> Difference:
    if "".join(map(folded, ours)) == "".join(map(folded, theirs)) or {*ours, *theirs} <= _ARTICLES:
        return "spelled"
    if any(_says_other(word, theirs) for word in ours) or _denied(ours, theirs):
        return "changed"
    return "similar"


def _says_other(word: str, theirs: Sequence[str]) -> bool:
    """A number that does not stand there, or the word for what is counted in place of another."""
    if _is_number(word):
        return _amount(word) not in map(_amount, filter(_is_number, theirs))
    return word in _MEASURES and not any(folded(word) == folded(one) for one in theirs)


def _denied(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether one word is the other with a prefix that turns it round: valid, invalid."""
    pairs = [(one, other) for one in ours for other in theirs if min(len(one), len(other)) >= 4]
    return any(one == prefix + other or other == prefix + one for one, other in pairs for prefix in _PREFIXES)


@lru_cache(maxsize=20_000)
def folded(word: str) -> str:
    """A word however it is spelt: accents, umlauts, -ise and -ize, signs of currencies, digits in groups."""
    if _is_number(word):
        return _amount(word)
    word = _SAME.get(word, word).translate(_UMLAUTS)
    bare = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return re.sub(r"is(e|ed|es|ing|ation)$", r"iz\1", bare)


def _is_number(word: str) -> bool:
    return word[-1:].isdigit()


def _amount(number: str) -> str:
    """What digits amount to, however they are grouped: 1,234.5 and 1.234,5 are one, 12,345 is another."""
    digits = number.replace('"', "").replace(" ", "")
    marks = [mark for mark in digits if mark in ".,"]
    if not marks:
        return digits
    whole, _, tail = digits.rpartition(marks[-1])
    decimal = len(tail) != 3 or whole.lstrip("-") == "0" or len(set(marks)) > 1
    whole = whole.replace(",", "").replace(".", "")
    return f"{whole}.{tail}" if decimal and not _is_grouping(marks, tail) else whole + tail


def _is_grouping(marks: Sequence[str], tail: str) -> bool:
    """The same mark again and again parts groups, and nothing else."""
    return len(marks) > 1 and len(set(marks)) == 1 and len(tail) == 3


def _numbers(text: str) -> list[str]:
    return [_amount(number) for number in _NUMBER.findall(text)]


def _denials(text: str) -> int:
    return sum(word in NOT for word in _tokens(text))
