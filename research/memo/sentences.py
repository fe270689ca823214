"""Translate English messages of checks and engine into the language of a memo.

A sentence is recognised by its form. What nobody has translated is left as it was said, never half of a sentence.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from citations.mention import Language

OTHERS: tuple[Language, ...] = ("de", "fr", "it")
# maximum characters and sentences of a message; longer ones are not ours
LONGEST, LONGEST_PHRASE, MOST = 2_000, 300, 10
COURTS: Mapping[str, tuple[str, str, str, str]] = {
    "CH_BGE": ("official collection", "amtliche Sammlung", "recueil officiel", "raccolta ufficiale"),
    "CH_BGer": ("Federal Supreme Court", "Bundesgericht", "Tribunal fédéral", "Tribunale federale"),
    "CH_BVGE": (
        "Federal Administrative Court",
        "Bundesverwaltungsgericht",
        "Tribunal administratif fédéral",
        "Tribunale amministrativo federale",
    ),
    "CH_BSTG": (
        "Federal Criminal Court",
        "Bundesstrafgericht",
        "Tribunal pénal fédéral",
        "Tribunale penale federale",
    ),
    "CH_PATG": (
        "Federal Patent Court",
        "Bundespatentgericht",
        "Tribunal fédéral des brevets",
        "Tribunale federale dei brevetti",
    ),
}
_GAP = re.compile(r"\{(court|said)?\}")
_OF_A_CLAIM = re.compile(r"“(?P<claim>.{1,600}?)” (?=[A-Z])", re.DOTALL)
_NAMED = re.compile(r"(?P<name>[^:]{2,100}): (?=\S)")


class Sentence(NamedTuple):
    """A sentence pattern, and its translations with a gap for each group."""

    form: re.Pattern[str]
    words: Mapping[str, str]
    gaps: tuple[str | None, ...]

    def told(self, found: re.Match[str], language: Language) -> str:
        """The translation with the filled gaps: names of courts, or phrases."""
        kinds: Mapping[str | None, Callable[[str, Language], str]] = {"court": court, "said": phrase}
        values = (
            kinds[kind](value, language) if kind else value
            for value, kind in zip(found.groups(), self.gaps, strict=True)
        )
        return self.words[language].format(*values)


def say(message: str, language: Language) -> str:
    """Translate a message of one or several sentences, as far as each is known."""
    return " ".join(_said(message, language)) if len(message) <= LONGEST else message


def court(code: str, language: Language) -> str:
    """The name of a court by code. Other text is unchanged."""
    names = COURTS.get(code) or COURTS.get(f"CH_{code}")
    return names[("en", *OTHERS).index(language)] if names else code


def _said(message: str, language: Language) -> Iterator[str]:
    rest = message.strip()
    if (of := _OF_A_CLAIM.match(rest)) and _sentence(rest[of.end() :], language):
        yield f"« {of['claim']} »" if language == "fr" else f"«{of['claim']}»"
        rest = rest[of.end() :]
    for _ in range(MOST):
        found = _sentence(rest, language)
        named = _NAMED.match(rest)
        if found is None and named and (inner := _sentence(rest[named.end() :], language)):
            colon = " : " if language == "fr" else ": "
            found = f"{named['name']}{colon}{inner[0]}", inner[1]
        if found is None:
            break
        yield found[0]
        rest = found[1]
    if rest:
        yield rest


def _sentence(text: str, language: Language) -> tuple[str, str] | None:
    """The first sentence translated, and the rest, if it is known."""
    for one in _sentences():
        if found := one.form.match(text):
            return one.told(found, language), text[found.end() :].lstrip()
    return None


def phrase(said: str, language: Language) -> str:
    """Translate the phrase in a gap. Quoted text is unchanged."""
    if len(said) <= LONGEST_PHRASE:
        for one in _phrases():
            if found := one.form.fullmatch(said):
                return one.told(found, language)
    return said


@cache
def _sentences() -> tuple[Sentence, ...]:
    """Those with most words of their own first: a short form also fits the beginning of a longer one.

    Before all of them those that only say whose words follow: the gap of another would swallow them.
    """
    return _listed("sentences.yaml", _form)


@cache
def _phrases() -> tuple[Sentence, ...]:
    return _listed("phrases.yaml", "(.+?)".join)


def _listed(name: str, form: Callable[[list[str]], str]) -> tuple[Sentence, ...]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    told = sorted(
        yaml.safe_load(text).items(),
        key=lambda item: (not item[0].endswith(":"), -len(_GAP.sub("", item[0]))),
    )
    return tuple(_read(english, words, form) for english, words in told)


def _read(english: str, words: list[str], form: Callable[[list[str]], str]) -> Sentence:
    parts = [re.escape(part) for part in _GAP.split(english)[::2]]
    spoken: dict[str, str] = dict(zip(OTHERS, (_GAP.sub("{}", text) for text in words), strict=True))
    gaps = tuple(found[1] for found in _GAP.finditer(english))
    return Sentence(re.compile(form(parts)), {**spoken, "en": _GAP.sub("{}", english)}, gaps)


def _form(parts: list[str]) -> str:
    """Of a sentence with more behind it: a gap ends where the next words first stand.

    To try later places too takes ever longer with hostile text.
    """
    first, *others = [*parts[:-1], rf"{parts[-1]}(?=\s|$)"]
    return first + "".join(rf"(?>((?:(?!\. [^\W\d]).)+?){words})" for words in others)
