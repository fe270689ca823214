"""The pages around the log-in are in the language of the browser; every sentence of theirs has its translations."""

import ast
import re
from gettext import GNUTranslations

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation.template import templatize

from research.services.lockouts import welcome_with

LOCALES = settings.BASE_DIR / "config" / "locale"
MARKED = re.compile(r"\b(?:_|gettext|ngettext)\(u?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
WORDS = {
    "de": ("Zweiter Schritt", "Anmelden", "Dieser Code stimmt nicht"),
    "fr": ("Deuxième étape", "Se connecter", "Ce code n’est pas correct"),
    "it": ("Secondo passaggio", "Accedi", "Questo codice non è corretto"),
    "en": ("Second step", "Log in", "This code is not right"),
    "es": ("Second step", "Log in", "This code is not right"),
}


def marked():
    """Every sentence of templates and of code that is to be translated."""
    found = set()
    for template in (settings.BASE_DIR / "config" / "templates").rglob("*.html"):
        found |= {
            ast.literal_eval(text)
            for text in MARKED.findall(templatize(template.read_text(encoding="utf-8")))
        }
    for path in (settings.BASE_DIR / "research").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "gettext" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("_", "ngettext")
            ):
                found.add(node.args[0].value)
    return found


def told(text):
    """The entries of a catalogue as text, by the first of their sentences."""
    texts = ast.literal_eval
    for entry in text.split("\n\n")[1:]:
        lines = [line for line in entry.splitlines() if not line.startswith("#")]
        known = {line.partition(" ")[0]: texts(line.partition(" ")[2]) for line in lines}
        yield known.pop("msgid"), [words for name, words in known.items() if name.startswith("msgstr")]


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_every_sentence_is_translated_and_what_is_read_is_what_is_written(language):
    folder = LOCALES / language / "LC_MESSAGES"
    written = dict(told((folder / "django.po").read_text(encoding="utf-8")))
    sentences = marked()
    assert len(sentences) > 60
    assert sentences - set(written) == set()
    assert [sentence for sentence, words in written.items() if not all(words)] == []
    with (folder / "django.mo").open("rb") as file:
        read = GNUTranslations(file)
    assert [one for one, words in written.items() if len(words) == 1 and read.gettext(one) != words[0]] == []
    for one, words in written.items():
        assert re.findall(r"%\(\w+\)s|</?\w+>", one) == re.findall(r"%\(\w+\)s|</?\w+>", words[0])


@pytest.mark.django_db
def test_the_pages_are_in_the_language_of_the_browser(with_app, visit):
    for language, (title, button, trouble) in WORDS.items():
        client, _ = visit()
        headers = {"Accept-Language": f"{language}-CH,{language};q=0.9"}
        page = client.get(reverse("admin:confirm"), headers=headers).content.decode()
        assert title in page
        assert button in page
        refused = client.post(reverse("admin:confirm"), {"code": "none"}, headers=headers).content.decode()
        assert trouble in refused

        welcome_with("code", "agatha")
