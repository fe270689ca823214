"""What prose names: companies, people and other capitalised names, identifiers, amounts and dates.

Links, marks of sources and citations of law are not looked at; the last have a check of their own. Of a heading only
names of companies and identifiers are. A name is
told by a legal form, by a title or an office before it, or by two capitalised words in a row that are no ordinary
words. A bare number of one digit names nothing, nor does one that counts articles, pages or steps.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from citations.extract import extract
from entities import lei as iso17442
from entities.names.keys import words_of
from research.checks.provenance.amounts import NUMBER, YEAR, rows_of_words, scale_of, spans_of_dates
from research.checks.provenance.common_words import is_common, is_german
from research.checks.provenance.company_names import company_names

Named: TypeAlias = Literal["name", "identifier", "number", "date"]
MAX_TEXT = 400_000
MAX_PARAGRAPH = 4_000
"""Characters of a longer paragraph are read in pieces: what is read costs their number times their length."""
BEHIND = 60  # characters in front of a word that say whether it opens a sentence

_LINK = re.compile(r"!?\[([^\[\]\n]*+)\]\([^)\[\n]*+\)")
_MARK = re.compile(r"\[\^?\d{1,4}\](?:\([^)\[\s]*+\))?")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t].*$|^.*\n[=-]{3,}[ \t]*$", re.MULTILINE)
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"'\])]+", re.IGNORECASE)
_ENUMERATED = re.compile(r"^[ \t>]*(?:\d{1,3}[.)]|[-*+•])[ \t]+", re.MULTILINE)

_POSSESSIVE = re.compile(r"(?<=\w)[’']s(?= )")  # an apostrophe separates the owner from what is owned

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s<>\"'|\])]*[\w/]")
ISIN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}[A-Z0-9]{9}[0-9](?![A-Z0-9])")
_NUMBERS = (
    _DOI,
    re.compile(r"\bECLI:[A-Z]{2}:[\w.]+:\d{4}:[\w.]*\w"),
    re.compile(r"\bCHE[-–\s]?\d{3}[.\s]?\d{3}[.\s]?\d{3}\b"),
    re.compile(
        r"\b(?:AT\s?U|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)"
        r"\s?\d(?:[\s.]?\d){6,11}(?:B\d\d)?\b"
    ),
    re.compile(r"\bHR[AB]\s?(?:Nr\.?\s?)?\d[\d\s]{0,9}\d\b(?:\s?B)?"),
    re.compile(r"\b[A-Z]{2,6}(?:-[A-Z0-9]{2,}){1,4}(?<=\d)\b"),  # of other registers
    re.compile(r"\b\d[A-Z]{1,3}[_.]\d{1,5}/\d{4}\b"),  # Swiss Federal Supreme Court
    re.compile(
        r"\b[A-Z]{1,4}[.-]\d{1,6}/(?:\d{4}|\d{2})\b"
    ),  # Swiss Federal Administrative Court, European courts
    re.compile(r"\b(?:\d:)?\d{2}-[a-z]{2}-\d{3,6}\b", re.IGNORECASE),  # courts of the USA
    re.compile(r"\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,3})?\b"),  # IBAN
    re.compile(
        r"(?:\b(?:No|Nr|Nos|Nummer|number|num[ée]ro|numero|Aktenzeichen|Az|docket|case|matricola)\b\.?|\bn[.°º]|№)"
        r"\s*:?\s*(?P<one>[A-Z]{0,4}[-.\s]?\d(?:[\w./-]*\d)?(?: \d{3}){0,3})(?![\w%])",
        re.IGNORECASE,
    ),
)

_DIVIDED = re.compile(r"(?<![\w.,/-])(?:\d{2,}(?:[-/]\d{2,}){1,4}|0\d{4,})(?![\w%/-]|[.,]\d)")

_CAP = r"[A-ZÀ-ÖØ-ÞŠŽČĆĐŁŚŻ][\w’'\-]*\w"
_INITIAL = r"[A-ZÀ-ÖØ-Þ]\."
_PARTICLE = r"(?:de|du|des|la|le|von|van|der|den|di|da|del|della|dos|bin|ben|al|zu|zum|ter|af)"
_LINKED = rf"(?:[ \u00a0](?:{_PARTICLE}[ \u00a0]){{0,2}}(?:{_CAP}|{_INITIAL}))"
_ROW = re.compile(rf"(?<![\w.@/’'&-])(?:(?<=[dlDL][’'])|)(?:{_CAP}|{_INITIAL}){_LINKED}+(?![\w@])")
_ELIDED = re.compile(r"\b(?:[dlnsctjm]|qu|all|dell|nell|sull|dall|un|quell)[’'](?=[A-ZÀ-Þ])", re.IGNORECASE)
_TITLE = (
    r"Dr|Prof|Herrn?|Frau|Mr|Mrs|Ms|Miss|M|MM|Mme|Mlle|Me|Mes|Maître|Madame|Monsieur|Sig|Sig\.ra|Sigra|Signora?|Signor|"
    r"Dott|Dott\.ssa|Avv|Avvocat[oa]|Ing|Sir|Lord|Lady|Dame|Judge|Justice|Magistrate|Richter(?:in)?|Bundesrichter(?:in)?|"
    r"Juge|Giudice|Senator|Minister|Ministre|Ministro|Rechtsanw[aä]lt(?:in)?|Notar(?:in)?|CEO|CFO|COO|Chairman|"
    r"Chairwoman|Präsident(?:in)?|Geschäftsführer(?:in)?|Direktor(?:in)?|Président(?:e)?|Presidente|Direttore|Direttrice"
)
_TITLED = re.compile(
    rf"(?<![\w.])(?i:(?:{_TITLE}))\b\.?(?:[ \u00a0](?:{_TITLE}|iur|oec|med|phil|rer|pol|nat|h\.c|jur|sc)\b\.?)*"
    rf"[ \u00a0](?P<name>(?:{_PARTICLE}[ \u00a0]){{0,2}}(?:{_CAP}|{_INITIAL}){_LINKED}{{0,4}})(?!\w)"
)
_STARTS = re.compile(r"(?:^|[.!?:;|•\n\"“”«»(–—]|\s[-*])[ \u00a0\t*_\"“«(]*$")
_UNIT_BEFORE = re.compile(r"(?:[€$£¥]|\b(?:CHF|EUR|USD|GBP|JPY|Fr\.|SFr\.?|US\$))[ \u00a0]?$")
_UNIT_BEHIND = re.compile(
    r"[ \u00a0\u202f]?(?:%|‰|[€$£¥]|(?:CHF|EUR|USD|GBP|JPY|bps)\b|"
    r"(?:per ?cent|percent|prozent\w*|pour[- ]cent|per cento|percento|franken|francs?|franchi|euros?|dollars?|dollari|"
    r"pounds?|pfund|livres|sterline|kilomet\w+|km|kg|tonn\w+|mw|gw|hectares?|hektar\w*|ettari)\b)",
    re.IGNORECASE,
)
_COUNTS_TEXT = re.compile(
    r"(?:\b(?:art|arts|articles?|articol[oi]|artikeln?|abs|absatz|al|cpv|ziff|ziffer|ch|lit|let|bst|nr|no|n|rz|rn|e|erw|consid|"
    r"cons|para|section|sec|kapitel|chapter|chapitre|capitolo|seiten?|pages?|pag|pp?|s|f|ff|phase|round|runde|step|schritt|"
    r"version|v|level|tier|top|table|tabelle|tableau|figure|note|notes|part|teil|partie|parte|sr|rs|as|ro|ru|bbl|ff|"
    r"source|sources|quelle|quellen|fonti|fonte)\b\.?|§+)[ \u00a0]*+(?:\d++[ \u00a0,–-]*+)*+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """What is named; ``loose`` names have neither a legal form nor a given end; ``near`` are the numbers of its
    paragraph and of the one before."""

    kind: Named
    text: str
    loose: bool = False
    near: tuple[str, ...] = ()


@lru_cache(maxsize=200)
def mentions(text: str) -> tuple[Mention, ...]:
    """Each thing that a text names, once."""
    found: dict[tuple[str, str], Mention] = {}
    before: tuple[str, ...] = ()
    for heading in _HEADING.findall(text[:MAX_TEXT]):
        for one in _given(_Rest(_plain(heading, headings=True))):
            found.setdefault((one.kind, one.text), one)
    for paragraph in _paragraphs(_plain(text[:MAX_TEXT])):
        named = list(_mentions(paragraph))
        numbers = tuple(one.text for one in named if one.kind == "number")
        for one in named:
            near = (*before, *numbers) if one.kind == "number" else ()
            found.setdefault((one.kind, one.text), replace(one, near=near))
        before = numbers
    return tuple(found.values())


def _plain(text: str, *, headings: bool = False) -> str:
    """Prose without markup, line by line."""
    for pattern, instead in (
        (_HEADING, r"\g<0>" if headings else ""),
        (_LINK, r"\1"),
        (_MARK, " "),
        (_ENUMERATED, ""),
    ):
        text = pattern.sub(instead, text)
    return (
        _POSSESSIVE.sub(" ,", text).replace("**", "").replace("__", " ").replace("`", "").replace("|", " | ")
    )


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n[ \t]*+\n", text):
        start = 0
        while len(paragraph) - start > MAX_PARAGRAPH:
            cut = paragraph.rfind(" ", start + MAX_PARAGRAPH // 2, start + MAX_PARAGRAPH)
            end = cut if cut > 0 else start + MAX_PARAGRAPH
            yield paragraph[start:end]
            start = end
        yield paragraph[start:]


def _mentions(text: str) -> Iterator[Mention]:
    rest = _Rest(text)
    yield from _given(rest)
    for start, end in spans_of_dates(rest.text):
        yield Mention("date", rest.take(start, end))
    for found in [*_DIVIDED.finditer(rest.text)]:
        if not all(map(YEAR.fullmatch, re.split("[-/]", found[0]))):
            yield Mention("identifier", rest.take(*found.span()))
    for cited in extract(rest.text):
        rest.take(cited.start, cited.end)
    yield from _people(rest)
    for found in [*YEAR.finditer(rest.text)]:
        before = rest.text[max(0, found.start() - BEHIND) : found.start()]
        if not _UNIT_BEHIND.match(rest.text, found.end()) and not _UNIT_BEFORE.search(before):
            yield Mention("date", rest.take(*found.span()))
    yield from (Mention("number", one) for one in _numbers(rest))


def _given(rest: "_Rest") -> Iterator[Mention]:
    """Registered names and identifiers: companies and numbers."""
    for name in company_names(_ELIDED.sub(lambda found: " " * len(found[0]), rest.text)):
        yield Mention("name", name)
        rest.take_all(name)
    yield from (Mention("identifier", one) for one in _identifiers(rest))


class _Rest:
    """A text without the parts that were already read."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, start: int, end: int) -> str:
        taken = self.text[start:end]
        self.text = f"{self.text[:start]}{'¤' * (end - start)}{self.text[end:]}"
        return taken

    def take_all(self, words: str) -> None:
        self.text = self.text.replace(words, "¤" * len(words))


def _identifiers(rest: _Rest) -> Iterator[str]:
    for found in [*_DOI.finditer(rest.text)]:
        yield rest.take(*found.span())
    for found in [*_ADDRESS.finditer(rest.text)]:
        rest.take(*found.span())
    for start, end, token in [*iso17442.find_candidates(rest.text)]:
        if iso17442.is_valid(token):
            rest.take(start, end)
            yield token
    for found in [*ISIN.finditer(rest.text)]:
        if is_isin(found[0]):
            yield rest.take(*found.span())
    for pattern in _NUMBERS:
        for found in [*pattern.finditer(rest.text)]:
            name = "one" if "one" in pattern.groupindex else 0
            if "¤" not in found[0] and not (name and len(re.sub(r"\D", "", found[name])) < 3):
                yield rest.take(*found.span(name))


def is_isin(text: str) -> bool:
    """Whether the check digit is valid. Some text only looks like an ISIN."""
    digits = "".join(str(int(char, 36)) for char in text)
    doubled = [int(digit) * (2 if at % 2 else 1) for at, digit in enumerate(reversed(digits))]
    return sum(each // 10 + each % 10 for each in doubled) % 10 == 0


def _people(rest: _Rest) -> Iterator[Mention]:
    rest.text = _ELIDED.sub(lambda found: " " * len(found[0]), rest.text)
    for found in [*_TITLED.finditer(rest.text)]:
        name = found["name"].split()
        while name and (is_common(name[-1]) or name[-1].lower() == name[-1]):
            name.pop()  # the office of a court, or an ordinary noun
        if name and not is_common(name[0]):
            rest.take(*found.span())
            yield Mention("name", " ".join(name), loose=True)
    german = is_german(rest.text)
    for found in [*_ROW.finditer(rest.text)]:
        words = found[0].split()
        opens = _STARTS.search(rest.text, max(0, found.start() - BEHIND), found.start())
        if opens and _opens(words[0], rest.text, german=german):
            words = words[1:]
        while words and (is_common(words[0]) or words[0].lower() == words[0]):
            words.pop(0)
        while words and (is_common(words[-1]) or words[-1].lower() == words[-1]):
            words.pop()
        if sum(len(word) > 2 and not is_common(word) for word in words) > 1:
            yield Mention("name", " ".join(words), loose=True)


def _opens(word: str, text: str, *, german: bool) -> bool:
    """Whether a word is capitalised only because it starts a sentence."""
    if re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text):
        return True
    return german and len(word) > 4 and re.search(r"(?:e|en|em|es|lich|ig|isch|st|t)$", word) is not None


def _numbers(rest: _Rest) -> Iterator[str]:
    for found in [*rows_of_words(rest.text)]:
        if len(words_of(found[0])) > 1:
            yield rest.take(*found.span()).strip()
    for found in [*NUMBER.finditer(rest.text)]:
        digits, scale = found["digits"], found["scale"] or ""
        scaled = bool(scale_of(scale))
        end = found.end() if scaled else found.end("digits")
        before = rest.text[max(0, found.start() - 40) : found.start()]
        unit = scaled or _UNIT_BEFORE.search(before) or _UNIT_BEHIND.match(rest.text, end)
        plain = len(re.sub(r"\D", "", digits))
        if unit or (plain > 1 and not _COUNTS_TEXT.search(before)):
            yield " ".join(rest.text[found.start() : end].split())
