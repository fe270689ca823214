"""The words of citations in German, French, Italian and English, and how to tell and change the language of a stretch.

The style is that of the courts: ``BGE 145 III 229 E. 4.2 S. 235``, ``ATF 145 III 229 consid. 4.2 p. 235``,
``DTF 145 III 229 consid. 4.2 pag. 235``.
"""

import re
from collections.abc import Callable

from citations.mention import Language
from citations.statutes import words

SERIES: dict[str, dict[Language, str]] = {
    "BGE": {"de": "BGE", "fr": "ATF", "it": "DTF", "en": "BGE"},
    "BVGE": {"de": "BVGE", "fr": "ATAF", "it": "DTAF", "en": "BVGE"},
    "MKGE": {"de": "MKGE", "fr": "ATMC", "it": "STMC", "en": "MKGE"},
    "AS": {"de": "AS", "fr": "RO", "it": "RU", "en": "AS"},
    "SR": {"de": "SR", "fr": "RS", "it": "RS", "en": "SR"},
    "BBl": {"de": "BBl", "fr": "FF", "it": "FF", "en": "BBl"},
    "EGMR": {"de": "EGMR", "fr": "CourEDH", "it": "CorteEDU", "en": "ECtHR"},
}
LABELS: dict[str, dict[Language, str]] = {
    "E.": {"de": "E.", "fr": "consid.", "it": "consid.", "en": "consideration"},
    "S.": {"de": "S.", "fr": "p.", "it": "pag.", "en": "p."},
    "N": {"de": "N", "fr": "n.", "it": "n.", "en": "n."},
    "Art.": {"de": "Art.", "fr": "art.", "it": "art.", "en": "Article"},
    "Abs.": {"de": "Abs.", "fr": "al.", "it": "cpv.", "en": "paragraph"},
    "lit.": {"de": "lit.", "fr": "let.", "it": "lett.", "en": "letter"},
    "Ziff.": {"de": "Ziff.", "fr": "ch.", "it": "n.", "en": "number"},
    "Satz": {"de": "Satz", "fr": "phrase", "it": "frase", "en": "sentence"},
    "f.": {"de": "f.", "fr": "s.", "it": "seg.", "en": "f."},
    "ff.": {"de": "ff.", "fr": "ss", "it": "segg.", "en": "ff."},
    "und": {"de": "und", "fr": "et", "it": "e", "en": "and"},
    "oder": {"de": "oder", "fr": "ou", "it": "o", "en": "or"},
    "sowie": {"de": "sowie", "fr": "ainsi que", "it": "nonché", "en": "and"},
    "i.V.m.": {"de": "i.V.m.", "fr": "en lien avec", "it": "in relazione con", "en": "in conjunction with"},
    "bis": {"de": "bis", "fr": "à", "it": "a", "en": "to"},
    "vom": {"de": "vom", "fr": "du", "it": "del", "en": "of"},
    "Urteil": {"de": "Urteil", "fr": "arrêt", "it": "sentenza", "en": "judgment"},
    "Urteile": {"de": "Urteile", "fr": "arrêts", "it": "sentenze", "en": "judgments"},
    "des Bundesgerichts": {
        "de": "des Bundesgerichts",
        "fr": "du Tribunal fédéral",
        "it": "del Tribunale federale",
        "en": "of the Federal Supreme Court",
    },
    "par.": {"de": "Ziff.", "fr": "par.", "it": "n.", "en": "par."},
    "SchlB": {"de": "SchlB", "fr": "disp. fin.", "it": "disp. fin.", "en": "disp. fin."},
    "ÜbBest": {"de": "ÜbBest", "fr": "disp. trans.", "it": "disp. trans.", "en": "disp. trans."},
    "Anhang": {"de": "Anhang", "fr": "annexe", "it": "allegato", "en": "Annex"},
}
COURTS: dict[str, dict[Language, str]] = {
    "evg": {"de": "des EVG", "fr": "du TFA", "it": "del TFA", "en": "of the EVG"},
    "bvger": {"de": "des BVGer", "fr": "du TAF", "it": "del TAF", "en": "of the BVGer"},
    "bstger": {"de": "des BStGer", "fr": "du TPF", "it": "del TPF", "en": "of the BStGer"},
    "bpatger": {"de": "des BPatGer", "fr": "du TFB", "it": "del TFB", "en": "of the BPatGer"},
}
ORDINAL_SENTENCES: dict[Language, tuple[str, ...]] = {
    "fr": ("1re", "2e", "3e", "4e", "5e"),
    "it": ("prima", "seconda", "terza", "quarta", "quinta"),
}
_NO_LETTER = r"(?<![Ll]it\. )(?<!lit )(?<!let\. )(?<!ett\. )(?<!ettre )(?<!etter )(?<!ettera )(?<!tters )(?<!st\. )(?<!und )(?<!et )(?<!and )(?<!\()"
"""``lit. e`` is a letter, and ``lett. d e f`` has a word in it."""
_BETWEEN = rf"(?:(?<=\s)|^)(?:{_NO_LETTER}(?<!, )%s(?=\s(?!\s*+(?:und|et|and|e|o|,)\b))|%s(?=\s\d))"
_COMMON = (
    ("ff.", r"(?<![a-z])(?:et\s++ss?\b\.?|et\s++seqq?\.|e\s++segg?\.|ff\.|ss\b\.?|segg\.)"),
    ("f.", r"(?<![a-z])(?:f\.|s\.(?!\s?\d)|seg\.)"),
    ("und", rf"\b(?:und|et|ed|and)\b|{_BETWEEN % ('e', 'e')}"),
    ("oder", rf"\b(?:oder|ou|or)\b|{_BETWEEN % ('o', 'o')}"),
    ("sowie", r"\b(?:sowie|ainsi que|nonché)\b"),
    ("bis", rf"(?<=\s)(?:bis|à|{_NO_LETTER}a|to)(?=\s\d)"),
)
_PIN_WORDS = (
    (
        "E.",
        r"\b(?:Erwägung(?:en)?\b|Erw\.|E\.|[Cc]onsidérants?\b|[Cc]onsiderand[oi]\b|[Cc]onsiderations?\b|[Cc]onsid\b\.?|[Cc]ons\b\.?|cc?\.)\s?",
    ),
    ("S.", r"\b(?:S\.|Seiten?\b|pagg?\.|pp?\.|pagin[ae]\b|pages?\b|at(?=\s\d))\s?"),
    *_COMMON,
)
_STATUTE_WORDS = (
    ("i.V.m.", words.LINK),
    ("Art.", r"\b(?:[Aa]rt[ts]?\.|ART\.|[Aa]rtikeln?s?\b|[Aa]rticles?\b|[Aa]rticol[oi]\b)\s?"),
    ("Abs.", rf"\b{words.ABS.replace('§', '¤')}\s?(?=\d)"),
    ("lit.", rf"\b{words.LIT}\s?(?=[a-z](?![A-Za-z]{{2}}))"),
    ("Ziff.", rf"\b{words.ZIFF}\s?(?=\d)"),
    ("Satz", rf"\b{words.SATZ}\s?(?=\d)"),
    *_COMMON,
)


_GLUED = re.compile(r"(?<=\d)(?=(?:Abs|lit|Bst|Ziff|al|let|ch|cpv|lett)\.)")
"""``97Abs. 1``: the blank that is missing."""


def _pattern(table: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<g{number}>{pattern})" for number, (_, pattern) in enumerate(table)))


def _translator(table: tuple[tuple[str, str], ...]) -> Callable[[str, Language], str]:
    pattern = _pattern(table)

    def translate(written: str, language: Language) -> str:
        def word(found: re.Match[str]) -> str:
            label = table[int((found.lastgroup or "g0")[1:])][0]
            return LABELS[label][language] + (" " if label in _SPACED else "")

        return pattern.sub(word, _GLUED.sub(" ", written))

    return translate


_SPACED = frozenset(("E.", "S.", "Art.", "Abs.", "lit.", "Ziff.", "Satz"))
translate_pinpoints = _translator(_PIN_WORDS)
"""The same pinpoints in another language: ``consid. 4.2 p. 235`` for ``E. 4.2 S. 235``."""
_statute_words = _translator(_STATUTE_WORDS)
_ORDINAL = re.compile(rf"(?:{words.ORDINAL_ANY})\s++{words.SATZ}")
_NUMBERED = re.compile(words.ORDINAL)


def translate_statute(written: str, language: Language) -> str:
    """Articles and what stands below them in another language, without the act."""

    def ordinal(found: re.Match[str]) -> str:
        number = _NUMBERED.match(found[0])
        value = next((name[1] for name in ("o1", "o2", "o3", "o4", "o5") if number and number[name]), "")
        return sentence(value, language) if value else found[0]

    return _statute_words(_ORDINAL.sub(ordinal, written), language)


def sentence(value: str, language: Language) -> str:
    """``Satz 2``, ``2e phrase``, ``seconda frase``, ``sentence 2``."""
    ordinals = ORDINAL_SENTENCES.get(language)
    if ordinals and value.isdigit() and 1 <= int(value) <= len(ordinals):
        return f"{ordinals[int(value) - 1]} {LABELS['Satz'][language]}"
    return f"{LABELS['Satz'][language]} {value}"


def write_pinpoints(pinpoints: list[str], language: Language) -> str:
    """Canonical pinpoints as a court writes them: ``E. 1 und 3 S. 235 f.``, ``consid. 4.2 p. 235``."""
    groups: list[tuple[str, list[str]]] = []
    for pin in pinpoints:
        label, _, value = pin.partition(" ")
        if label in ("E.", "S.") and groups and groups[-1][0] == label:
            groups[-1][1].append(value)
        else:
            groups.append((label, [value]))
    written = ""
    for label, values in groups:
        between = ", " if language == "en" or (label == "E." and written) else " "
        written += (between if written else "") + _group(label, values, language)
    return written


def _group(label: str, values: list[str], language: Language) -> str:
    values = [re.sub(r" (ff?\.)$", lambda f: " " + LABELS[f[1]][language], value) for value in values]
    head, last = ", ".join(values[:-1]), values[-1]
    joined = f"{head} {LABELS['und'][language]} {last}" if head else last
    word = LABELS[label][language] if label in LABELS else label
    if language == "en" and label == "E." and head:
        word = "considerations"
    return f"{word} {joined}"
