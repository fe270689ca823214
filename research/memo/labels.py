"""The fixed words of a memo in four languages. Findings keep their own language."""

from functools import cache
from pathlib import Path
from typing import cast

import yaml

from citations.mention import Language
from research.memo.sentences import OTHERS
from research.models.memo import MemoLanguage

LANGUAGES = tuple(MemoLanguage.values)


class Labels(dict[str, str]):
    """``labels("sources")`` is the word in this language. Templates write ``labels.sources``."""

    do_not_call_in_templates = True  # a template would call it without a key, and show nothing

    language: Language

    def __init__(self, language: Language, words: dict[str, str]) -> None:
        super().__init__(words)
        self.language = language

    def __call__(self, key: str) -> str:
        return self[key]

    def field(self, name: str) -> str:
        """The label of a field in a built-in macro; other names unchanged."""
        return self.fields.get(name, name)

    @property
    def fields(self) -> dict[str, str]:
        return _fields(self.language)

    def count(self, key: str, number: int) -> str:
        """A number with its words: ``one_KEY`` for 1, else ``KEY``."""
        return self[f"one_{key}" if number == 1 else key].format(number)


def labels_for(language: str) -> Labels:
    """The labels of a language. Raises KeyError if memos are not available in it."""
    return Labels(cast(Language, language), {key: words[language] for key, words in _table().items()})


@cache
def _fields(language: Language) -> dict[str, str]:
    if language == "en":
        return {}
    text = Path(__file__).with_name("fields.yaml").read_text(encoding="utf-8")
    return {name: words[OTHERS.index(language)] for name, words in yaml.safe_load(text).items()}


@cache
def _table() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("labels.yaml").read_text(encoding="utf-8")
    return {key: dict(zip(LANGUAGES, words, strict=True)) for key, words in yaml.safe_load(text).items()}
