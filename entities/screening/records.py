"""An entry of a list as Dossier keeps it, whatever format it came in. Values only."""

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from common.text import one_line, storable_text

MAX_VALUES = 5_000  # names, dates, identifiers of one entry
MAX_TEXT = 500
MAX_REMARKS = 2_000
PRIMARY, ALIAS, FORMER = "primary", "alias", "former"
_SCRIPTS = {
    "LATIN": "Latn",
    "CYRILLIC": "Cyrl",
    "ARABIC": "Arab",
    "GREEK": "Grek",
    "HEBREW": "Hebr",
    "CJK": "Hani",
    "HIRAGANA": "Jpan",
    "KATAKANA": "Jpan",
    "HANGUL": "Hang",
    "DEVANAGARI": "Deva",
    "THAI": "Thai",
    "GEORGIAN": "Geor",
    "ARMENIAN": "Armn",
    "BENGALI": "Beng",
    "MYANMAR": "Mymr",
}


@dataclass(frozen=True, slots=True)
class ListedName:
    """A name as the list writes it.

    ``type`` is primary, alias or former; a ``weak`` alias is one that the list itself calls weak or of low quality.
    ``script`` is a code of ISO 15924, ``language`` what the list says. ``parts`` are (kind, text) where the list tells
    them apart: family, given, patronymic, other.
    """

    text: str
    type: str = ALIAS
    weak: bool = False
    script: str = ""
    language: str = ""
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Identifier:
    """A number of a document or register; ``issuer`` is a country's code where it is known."""

    type: str
    number: str
    issuer: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One target of a list. ``births`` are dates of ``entities.screening.dates``, ``countries`` codes of ISO 3166-1."""

    key: str
    kind: str
    names: tuple[ListedName, ...]
    births: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    programs: tuple[str, ...] = ()
    listed_on: str = ""
    remarks: str = ""

    @property
    def name(self) -> str:
        return self.names[0].text

    def as_json(self) -> dict[str, Any]:
        """Without what is empty; ``from_json`` reads it back."""
        document = asdict(self)
        document["names"] = [
            {key: value for key, value in name.items() if value} for name in document["names"]
        ]
        return {key: value for key, value in document.items() if value}


def from_json(document: dict[str, Any]) -> Entry:
    """An entry that ``as_json`` wrote."""
    names = tuple(
        ListedName(**{**name, "parts": tuple((kind, text) for kind, text in name.get("parts", ()))})
        for name in document["names"]
    )
    identifiers = tuple(Identifier(**one) for one in document.get("identifiers", ()))
    lists = {key: tuple(document.get(key, ())) for key in ("births", "countries", "programs")}
    return Entry(**{**document, **lists, "names": names, "identifiers": identifiers})


def make_entry(
    *,
    key: str,
    kind: str,
    names: Iterable[ListedName],
    births: Iterable[str] = (),
    countries: Iterable[str] = (),
    identifiers: Iterable[Identifier] = (),
    programs: Iterable[str] = (),
    listed_on: str = "",
    remarks: str = "",
) -> Entry:
    """An entry whose values are clean, bounded and each there once; the primary name first.

    Raises:
        ValueError: no key, no name, or more values than an entry can have; the message is a sentence about the entry.
    """
    kept = list(dict.fromkeys(name for name in names if name.text))
    kept.sort(key=lambda name: (name.type != PRIMARY, name.weak))
    told: dict[str, Any] = {
        "names": tuple(kept),
        "births": _once(births),
        "countries": tuple(sorted(set(filter(None, countries)))),
        "identifiers": tuple(dict.fromkeys(one for one in identifiers if one.number)),
        "programs": _once(programs),
    }
    if not key:
        raise ValueError("An entry has no key.")
    if not kept:
        raise ValueError(f"The entry {key[:60]} has no name.")
    for what, values in told.items():
        if len(values) > MAX_VALUES:
            raise ValueError(f"The entry {key[:60]} has {len(values):,} {what}; {MAX_VALUES:,} are the most.")
    return Entry(key=key[:100], kind=kind, listed_on=listed_on, remarks=clean(remarks, MAX_REMARKS), **told)


def make_name(text: str | None, **rest: Any) -> ListedName:
    """A name with clean text; its script is read from its letters unless it is given."""
    plain = clean(text)
    parts = tuple((kind, part) for kind, said in rest.pop("parts", ()) if (part := clean(said)))
    script = rest.pop("script", "") or script_of(plain)
    return ListedName(plain, script=script, parts=parts, **rest)


def clean(text: str | None, limit: int = MAX_TEXT) -> str:
    """One line that the database can keep, cut to ``limit`` characters."""
    return one_line(storable_text(text or ""))[:limit].strip()


def script_of(text: str) -> str:
    """The script most letters of a text are of (ISO 15924); "" when there are none, Zyyy when it is another one."""
    if text.isascii():
        return "Latn" if any(map(str.isalpha, text)) else ""
    counted = Counter(unicodedata.name(char, "").partition(" ")[0] for char in text if char.isalpha())
    if not counted:
        return ""
    return _SCRIPTS.get(counted.most_common(1)[0][0], "Zyyy")


def digest_of(document: Any) -> str:
    """SHA-256 of JSON in one form."""
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kept for value in values if (kept := clean(value))))
