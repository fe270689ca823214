"""Finish a report: the model sets markers, and the ledger of sources resolves them.

In this order: the model's own list of sources goes, markers that name no source go, verdicts on claims correct wrong
ones, what remains is numbered in reading order, and the list of sources is built from the ledger.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from research.engine.deep.markup import Piece, blocks, closed, numbers, rewrite

MAX_TITLE = 300
HEADINGS = {"en": "Sources", "de": "Quellen", "fr": "Sources", "it": "Fonti"}
NOTICES = {
    "en": "**Ungrounded.** This report cites no source: nothing in it rests on a page or a record that was read.",
    "de": "**Unbelegt.** Dieser Bericht nennt keine Quelle: Nichts darin beruht auf Gelesenem.",
    "fr": "**Non étayé.** Ce rapport ne cite aucune source : rien n'y repose sur une page lue.",
    "it": "**Non documentato.** Questo rapporto non cita alcuna fonte: nulla si basa su una pagina letta.",
}
_NAMES = (
    "sources|references|reference list|bibliography|works cited|citations|source list|sources cited|"
    "quellen|quellenverzeichnis|quellenangaben|literatur|literaturverzeichnis|einzelnachweise|"
    "références|bibliographie|fonti|riferimenti|bibliografia"
)
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_OWN_LIST = re.compile(rf"(?:\d+[.)]?\s*)?(?:\*\*|__)?(?:{_NAMES})\s*:?(?:\*\*|__)?\s*:?", re.IGNORECASE)
_DEFINITION = re.compile(r"^ {0,3}\[\d{1,4}\]:[ \t]*<?\S+")
_LONE_LINE = re.compile(r"^ {0,3}(?:(?:\*\*|__)[^*_\n]+(?:\*\*|__):?|\w[\w ]+:)[ \t]*$")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>|#~!&$]")


@dataclass(frozen=True)
class Entry:
    """A listed source: ``number`` is its marker, ``date`` its publication, ``accessed`` when it was read."""

    number: int
    title: str
    url: str
    domain: str = ""
    date: str = ""
    accessed: str = ""
    quality: str = ""
    academic: bool = False


@dataclass(frozen=True)
class Finished:
    """The report with its sources. ``numbering`` maps ledger numbers to report numbers."""

    report: str
    sources: tuple[Entry, ...]
    numbering: Mapping[int, int]
    dangling: tuple[int, ...] = ()


def finish_report(
    draft: str, ledger: Iterable[Entry], *, also: Sequence[int] = (), language: str = "en"
) -> Finished:
    """The finished report. ``also`` are sources cited by findings, listed after those of the report."""
    known = {entry.number: entry for entry in ledger}
    missing = dangling(draft, known)
    body = cleaned(draft, known)
    order = dict.fromkeys([*numbers(body), *(number for number in also if number in known)])
    numbering = {number: place for place, number in enumerate(order, start=1)}
    body = rewrite(body, lambda mark: "".join(f"[{numbering[number]}]" for number in mark.numbers))
    sources = tuple(replace(known[number], number=place) for number, place in numbering.items())
    report = "\n\n".join(part for part in _parts(body, sources, language) if part) + "\n"
    return Finished(report, sources, numbering, missing)


def dangling(draft: str, known: Mapping[int, object]) -> tuple[int, ...]:
    """The numbers in the draft that no source has."""
    return tuple(dict.fromkeys(number for number in numbers(settle(draft)) if number not in known))


def settle(draft: str) -> str:
    """The draft without the model's own list of sources, and without an earlier notice."""
    text = draft.replace("\r\n", "\n").strip()
    for notice in NOTICES.values():
        text = text.removeprefix(f"> {notice}").strip()
    return closed(strip_own_sources(text))


def strip_own_sources(text: str) -> str:
    """Remove sections with a heading like a list of sources, and ``[1]: address`` lines."""
    kept: list[str] = []
    below = 0  # heading level of the section being removed; 0 for none
    for start, end, is_code in blocks(text):
        for line in [text[start:end]] if is_code else text[start:end].splitlines(keepends=True):
            level = 0 if is_code else _level(line)
            if level and (not below or level <= below):
                below = level if _is_own_list(line) else 0
            if not below and (is_code or not _DEFINITION.match(line)):
                kept.append(line)
    return "".join(kept).strip()


def cleaned(draft: str, known: Mapping[int, object]) -> str:
    """The settled draft without unknown markers. Groups such as ``[1, 2]`` become ``[1][2]``."""

    def known_only(mark: Piece) -> str:
        return "".join(f"[{number}]" for number in dict.fromkeys(mark.numbers) if number in known)

    text = settle(draft)
    while (again := settle(rewrite(text, known_only))) != text:  # removing a marker may leave another: [[9]1]
        text = again
    return text


def listed(entry: Entry) -> str:
    """A line of the list of sources. Titles of pages cannot format, link or cite."""
    title = plain(entry.title or entry.url)[:MAX_TITLE]
    if entry.academic:
        parts = [f"{title} ({entry.date or 'n.d.'})", plain(entry.domain), _address(entry.url)]
    else:
        dates = [entry.date, f"accessed {entry.accessed}" if entry.accessed else ""]
        parts = [
            title,
            ", ".join(filter(None, [plain(entry.domain), *map(plain, dates)])),
            _address(entry.url),
        ]
    return f"{entry.number}. {'. '.join(part.rstrip('.') if part[:1] != '<' else part for part in parts if part)}"


def plain(text: str) -> str:
    """External text on one line, with Markdown characters escaped."""
    return _MARKDOWN.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))


def _parts(body: str, sources: Sequence[Entry], language: str) -> list[str]:
    heading = HEADINGS.get(language[:2].lower(), HEADINGS["en"])
    if not sources:
        return [f"> {NOTICES.get(language[:2].lower(), NOTICES['en'])}", body]
    return [body, f"## {heading}", "\n".join(map(listed, sources))]


def _level(line: str) -> int:
    """The level of a heading. A line like ``**Sources**`` or ``Sources:`` counts as the lowest."""
    found = _HEADING.match(line.rstrip("\n"))
    if found:
        return len(found[1])
    return 7 if _LONE_LINE.match(line.rstrip("\n")) and _is_own_list(line) else 0


def _is_own_list(line: str) -> bool:
    found = _HEADING.match(line.rstrip("\n"))
    return bool(_OWN_LIST.fullmatch((found[2] if found else line).strip()))


def _address(url: str) -> str:
    if not url.lower().startswith(("http://", "https://")):
        return plain(url)
    return f"<{quote(url, safe=':/?#[]@!$&()*+,;=%~')}>"
