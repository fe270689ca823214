"""What a post says of a market's direction, by word lists in five languages (``words.yaml``). Pure.

A word counts +1 (bullish) or -1 (bearish). One that is negated counts half and the other way round: "not a scam" is
less than praise. A negation reaches three words ahead, and in German, whose "nicht" may follow its verb, two words
back; commas, full stops and words like "but" end its reach. Irony, pictures and what a person means by a number are
not read.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

METHOD = (
    "word lists of Dossier in EN, DE, FR, IT and ES, version 1; a negation in the same clause turns a word round at "
    "half its weight; identical posts count once; irony is not read"
)
AHEAD, BACK = 3, 2
NEGATED = -0.5

WORDS: Mapping[str, Mapping[str, str]] = yaml.safe_load(
    Path(__file__).with_name("words.yaml").read_text(encoding="utf-8")
)
LANGUAGES = tuple(language for language in WORDS["up"] if language != "common")
_NOISE = re.compile(r"https?://\S+|@\w+", re.ASCII)
_CLAUSE = re.compile(r"[.!?;:,()\n…]+|\s[-–—]+\s")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


@dataclass(frozen=True)
class Words:
    """A language's lists; ``weights`` says which way a word points."""

    weights: Mapping[str, int]
    negations: frozenset[str]
    turns: frozenset[str]
    back: int = 0


def _words(*languages: str) -> Words:
    def gather(kind: str) -> frozenset[str]:
        return frozenset(" ".join(WORDS[kind].get(language, "") for language in languages).split())

    up, down = gather("up"), gather("down")
    weights = dict.fromkeys(up - down, 1) | dict.fromkeys(down - up, -1)
    return Words(weights, gather("negations"), gather("turns"), BACK if "de" in languages else 0)


_COMMON = _words("common")
_BY_LANGUAGE = {language: _words("common", language) for language in LANGUAGES}


def score(text: str, language: str = "") -> float:
    """Above 0 bullish, below 0 bearish, 0 neither.

    A post in a language without lists is read by the words that all share; one of unknown language by the language
    whose lists know most of its words.
    """
    clauses = list(_clauses(text))
    return sum(_of_clause(clause, _lists(language, clauses)) for clause in clauses)


def language_of(text: str) -> str:
    """The language whose lists know most of the words, empty when none knows more than all others."""
    return _likeliest([word for clause in _clauses(text) for word in clause])


def _lists(language: str, clauses: Sequence[Sequence[str]]) -> Words:
    if language in ("", "und", "qme", "qst", "zxx"):  # X's words for "not known"
        language = _likeliest([word for clause in clauses for word in clause])
    return _BY_LANGUAGE.get(language, _COMMON)


def _likeliest(words: Sequence[str]) -> str:
    known = {
        language: sum(
            (word in lists.weights and word not in _COMMON.weights) + (word in lists.negations)
            for word in words
        )
        for language, lists in _BY_LANGUAGE.items()
    }
    best = max(known.values())
    likeliest = [language for language, number in known.items() if number == best]
    return likeliest[0] if best and len(likeliest) == 1 else ""


def _clauses(text: str) -> Iterator[list[str]]:
    plain = unicodedata.normalize("NFC", _NOISE.sub(" ", text)).casefold().replace("’", "'")
    for clause in _CLAUSE.split(plain):
        words = [part for word in _WORD.findall(clause) for part in _parts(word)]
        if words:
            yield words


def _parts(word: str) -> list[str]:
    """French and Italian put small words before an apostrophe (n'achète); English negates after one (don't)."""
    head, mark, tail = word.partition("'")
    return [head, tail] if mark and len(head) <= 2 and len(tail) > 1 else [word]


def _of_clause(words: Sequence[str], lists: Words) -> float:
    total, start = 0.0, 0
    for end, word in enumerate([*words, ""]):
        if word in lists.turns or not word:
            part = words[start:end]
            total += sum(_weight(part, place, lists) for place in range(len(part)))
            start = end + 1
    return total


def _weight(words: Sequence[str], place: int, lists: Words) -> float:
    weight = lists.weights.get(words[place].removeprefix("#"), 0)
    if not weight:
        return 0.0
    around = [*words[max(0, place - AHEAD) : place], *words[place + 1 : place + 1 + lists.back]]
    return weight * (NEGATED if any(word in lists.negations for word in around) else 1.0)
