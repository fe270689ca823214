"""From text to the terms of the index: the same for documents and questions, and for both databases.

A term is a word in small letters, brought to its stem by the rules of its language (Snowball), without accents. Texts
whose language is not known are not stemmed. Chinese, Japanese and Korean have no blanks between words, so every two
neighbouring characters are a term.
"""

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from research.web.archive.stopwords import STOP_WORDS

LANGUAGES = {"en": "english", "de": "german", "fr": "french", "it": "italian"}
MAX_TERM = 60
MAX_INDEXED = 2_000_000  # characters of one document
MAX_QUESTION = 2_000  # characters of one question
MAX_QUESTION_WORDS = 64
SAMPLE = 20_000  # characters that are read to tell a language
_WORD = re.compile(r"\w[\w\u0300-\u036f]*")  # with accents that stand behind their letter
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")

Span: TypeAlias = tuple[str, int, int]  # word in small letters, start and end in the text


def words(text: str) -> Iterator[Span]:
    """The words of a text in small letters, each with where it stands."""
    for found in _WORD.finditer(text):
        start, word = found.start(), found[0]
        if _CJK.search(word):
            yield from ((word[i : i + 2], start + i, start + i + 2) for i in range(max(len(word) - 1, 1)))
        elif len(word) <= MAX_TERM:
            yield word if word.islower() and word.isascii() else _small(word), start, found.end()


def language_of(text: str) -> str:
    """The language most of whose stop words occur; empty when none is clearly ahead of the others."""
    seen = Counter(word for word, _, _ in words(text[:SAMPLE]))
    counts = {
        name: sum(count for word, count in seen.items() if word in stops)
        for name, stops in STOP_WORDS.items()
    }
    language, most = max(counts.items(), key=lambda item: item[1])
    second = max(count for name, count in counts.items() if name != language)
    return language if most >= 2 and most > 1.3 * second else ""


def term(word: str, language: str) -> str:
    """The term of a word as ``words`` gives it."""
    return _term(word, language) if language in LANGUAGES else _plain(word)


def terms(text: str, language: str) -> list[str]:
    """The terms of a text in order, without its stop words; with them if it has nothing else (“The Who”)."""
    every = [word for word, _, _ in words(text[:MAX_INDEXED])]
    stops = STOP_WORDS.get(language, frozenset())
    telling = [word for word in every if word not in stops]
    return [term(word, language) for word in telling or every]


def question_terms(question: str, language: str = "") -> list[str]:
    """What to look for: each telling word as it is and as each language would bring it to its stem.

    A document holds the stems of one language, so that the others find nothing in it.
    """
    text = question[:MAX_QUESTION]
    stops = STOP_WORDS.get(language or language_of(text), frozenset())
    every = list(dict.fromkeys(word for word, _, _ in words(text)))
    telling = [word for word in every if word not in stops] or every
    languages = ("", language) if language else ("", *LANGUAGES)
    return list(
        dict.fromkeys(term(word, name) for word in telling[:MAX_QUESTION_WORDS] for name in languages)
    )


def bare_language(tag: str) -> str:
    """``de`` of ``de-CH``; empty for what is no language tag."""
    code = re.split(r"[-_]", tag.strip().lower())[0]
    return code if 2 <= len(code) <= 3 and code.isascii() and code.isalpha() else ""


@lru_cache(maxsize=100_000)
def _term(word: str, language: str) -> str:
    if word.isdigit():
        return _plain(word)
    return _plain(_stemmers.of(language).stemWord(word))


@lru_cache(maxsize=20_000)
def _small(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()


def _plain(word: str) -> str:
    """Without accents, and bounded."""
    if word.isascii():
        return word[:MAX_TERM]
    letters: Iterable[str] = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))[:MAX_TERM] or word


class _Stemmers(threading.local):
    """The library's stemmers keep what they work on in themselves: each thread has its own."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def of(self, language: str) -> Any:
        if language not in self.known:
            import snowballstemmer  # tens of modules that the web process does not need

            self.known[language] = snowballstemmer.stemmer(LANGUAGES[language])
        return self.known[language]


_stemmers = _Stemmers()
