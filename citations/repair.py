"""Puts common mistakes right and lists them: mixed languages, ``Erw.``, slashes, missing blanks, small letters.

A mistake is put right in the language that most of the citation is written in: ``art. 97 Abs. 1 OR`` is German,
``art. 97 al. 1 OR`` is French. Nothing is guessed: what has no canonical form stays as it is.
"""

import re
from dataclasses import dataclass
from typing import Any

from citations.convert import Change, apply, rewrite
from citations.extract import extract
from citations.mention import Language, Mention
from citations.statutes.acts import ActTable, built_in

_SERIES_LANGUAGE: dict[str, Language] = {"BGE": "de", "ATF": "fr", "DTF": "it"}
_SIGNS: tuple[tuple[Language, re.Pattern[str]], ...] = (
    ("de", re.compile(r"\b(?:Abs|Ziff|Bst|lit)\b|\bErw|\bE\.|\bvom\b|\bS\.|\bSatz\b")),
    ("fr", re.compile(r"\bal\.|\blet\.|\bch\.|\bdu\b|\bp\.|\bphrase\b|\bet\b")),
    ("it", re.compile(r"\bcpv\.|\blett\.|\bdel\b|\bpag\.|\bfrase\b|\bsegg?\.")),
)
_SMALL_CODE = re.compile(
    r"\b[Aa]rt\.\s?\d{1,4}[a-z]{0,2}(?:\s(?:Abs\.|al\.|cpv\.|lit\.|let\.|lett\.|Ziff\.|ch\.)\s?\w{1,5}){0,3}\s(?P<code>[a-z]{3,8})\b"
)
_WORDS_NOT_CODES = frozenset(
    ("der", "des", "und", "die", "das", "von", "vom", "zum", "the", "and", "del", "per", "non", "che", "les")
)


@dataclass(frozen=True)
class Repair:
    """One mistake: where it stood, what stood there, what is right, and why."""

    start: int
    end: int
    before: str
    after: str
    why: str

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


def repair(text: str, *, acts: ActTable | None = None) -> tuple[str, list[Repair]]:
    """The text with its mistakes put right, and the list of them; offsets count in the text that was given."""
    table = acts or built_in()
    small = _small_codes(text, table)
    source = apply(text, [Change(fix.start, fix.end, fix.before, fix.after) for fix in small])
    found = [fix for mention in extract(source, acts=table) if (fix := _repair(mention, table))]
    repairs = sorted([*small, *found], key=lambda fix: fix.start)
    return apply(source, [Change(fix.start, fix.end, fix.before, fix.after) for fix in found]), repairs


def _small_codes(text: str, table: ActTable) -> list[Repair]:
    """``Art. 12 stgb``: a known act in small letters; ``or`` and ``co`` are words, too short to tell."""
    known = {code.lower(): code for code in sorted(table.codes(), reverse=True)}
    return [
        Repair(found.start("code"), found.end("code"), found["code"], known[found["code"]], "small_letters")
        for found in _SMALL_CODE.finditer(text)
        if found["code"] in known and found["code"] not in _WORDS_NOT_CODES
    ]


def _repair(mention: Mention, table: ActTable) -> Repair | None:
    if mention.kind in ("doctrine", "journal", "gazette", "back_reference"):
        return None
    language = language_of(mention, table)
    after = _spelt(mention, rewrite(mention, language, table) if language else mention.raw)
    if after.split() == mention.raw.split():  # a line break is no mistake
        return None
    return Repair(mention.start, mention.end, mention.raw, after, _why(mention, after))


def _spelt(mention: Mention, written: str) -> str:
    """The name in its canonical spelling, when its characters show a mistake; the rest as it was rewritten."""
    if mention.kind == "bge" and (found := _LOCUS.match(written)):
        locus = str(mention.normalized).partition(" ")[2]
        return f"{found['series'].upper()} {locus}{written[found.end() :]}"
    name = mention.name_end - mention.start
    if (
        mention.kind == "bger"
        and re.match(r"\d{1,2}[A-Z]\W|\w+//", mention.raw)
        and written[:name] == mention.raw[:name]
    ):
        return str(mention.normalized).removeprefix("BGer ") + written[name:]
    return written


_LOCUS = re.compile(
    r"(?P<series>(?i:BGE|ATF|DTF))(?P<a>\s*)[\dl][\dlO\s]{0,3}?(?P<b>[\s/.-]*)[IVXivxl1|]{1,5}\s?[abAB]?(?P<c>[\s/.-]*)\d{1,4}(?!\d)"
)


def _why(mention: Mention, after: str) -> str:
    before, now = "".join(mention.raw.split()), "".join(after.split())
    if before == now:
        return "missing_space"
    if mention.kind == "statute":
        return "mixed_languages"
    if before.lower() == now.lower():
        return "small_letters"
    if mention.kind == "bge":
        return _why_bge(mention)
    return "spelling" if mention.kind == "bger" else "label" if "Erw" in mention.raw else "mixed_languages"


def _why_bge(mention: Mention) -> str:
    if set(mention.raw[: mention.name_end - mention.start]) & set("l|O"):
        return "spelling"  # as a scanner read it
    if re.match(r"\w{3}\s?\d+[/.-]", mention.raw):
        return "slashes"
    return "label" if "Erw" in mention.raw else "mixed_languages"


def language_of(mention: Mention, table: ActTable) -> Language | None:
    """The language of a citation: of its labels, else of its series or of its act when only one language has that."""
    if mention.kind == "bge" and mention.raw[:3].upper() in _SERIES_LANGUAGE:
        return _SERIES_LANGUAGE[mention.raw[:3].upper()]
    counts = {language: len(pattern.findall(mention.raw)) for language, pattern in _SIGNS}
    best = max(counts.values())
    if best and list(counts.values()).count(best) == 1:
        return max(counts, key=lambda language: counts[language])
    if mention.kind != "statute":
        return None
    written = mention.raw[mention.name_end - mention.start :].strip()
    spoken = table.languages(written)
    languages: tuple[Language, ...] = ("de", "fr", "it")
    named = [language for language in languages if language in spoken]
    return named[0] if len(named) == 1 else None
