"""The passages of a decision that speak of the question: verbatim, with the consideration in which they stand."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.extract import extract
from research.engine.legal.terms import named, words_of
from research.jsontext import JsonObject
from research.models import Source

MIN_PASSAGE, MAX_PASSAGE = 60, 600
MAX_TEXT = 120_000
MAX_SKIPPED, MAX_CONSIDERATION = 3, 30  # considerations that an extract leaves out, and the highest there is
A_DECISION = 3  # passages that one decision may give
_END = re.compile(r"[.!?](?=\s+[A-ZÄÖÜÀÉÈ«„\"(])")
_SHORT = re.compile(
    r"(?:^|[\s(-])(?:Art|art|Abs|al|cpv|lit|let|lett|Ziff|ch|consid|Erw|E|S|p|pag|Nr|no|n|vgl|Vgl|cf|Cf|bzw|resp|f|ff|ss|"
    r"s|seg|segg|BGE|ATF|DTF|z\.B|d\.h|u\.a|i\.V\.m|a\.a\.O|op|cit|Dr|Prof|lic|iur|dt|Kt|St|[A-Z]|\d{1,2})\.$"
)
_HEADING = re.compile(
    r"^[ \t]*(?:E\.[ \t]?|consid\.[ \t]?)?(\d{1,2}(?:\.\d{1,2}){0,4})\.?(?=[ \t\n])", re.MULTILINE
)
_BREAK = re.compile(  # between paragraphs: a line break within a sentence is none
    r"\n[ \t]*(?=\n)|(?<=[:;])[ \t]*\n|\n(?=[ \t]*(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[a-z]{1,2}\)|[-–−•])[ \t\n])"
)
_BEGIN = re.compile(
    r"Erwägung|E r w ä g u n g|[Cc]onsidérant|en droit|Considerando|[Ii]n diritto|zieht in|[Cc]onsiderandi",
    re.IGNORECASE,
)
_RULED = re.compile(
    r"(?:Demnach (?:erkennt|wird)|wird erkannt|Par ces motifs|Per questi motivi|Dispositiv)", re.IGNORECASE
)
_BULLET = re.compile(r"^\s*(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[a-z]{1,2}\))\s+")


@dataclass(frozen=True)
class Text:
    """What the archive holds of a source: its number among the sources of the run, and its text."""

    number: int
    text: str


@dataclass(frozen=True)
class Passage:
    """``quote`` stands word for word in ``source``; ``terms`` are the key terms in it, ``pin`` its consideration."""

    quote: str
    citation: str
    source: int
    url: str
    language: str
    terms: tuple[str, ...]
    pin: str = ""
    score: float = 0.0

    def as_json(self) -> JsonObject:
        return {
            "quote": self.quote,
            "citation": f"{self.citation} {self.pin}".strip(),
            "source": self.source,
            **({"url": self.url} if self.url else {}),
        }


def texts_of(root_id: UUID, keys: Sequence[str]) -> dict[str, Text]:
    """What is archived under keys, cut to what is read."""
    rows = Source.objects.filter(run_id=root_id, kind="law", key__in=keys).select_related("document")
    return {
        row.key: Text(row.number, row.document.text[:MAX_TEXT] if row.document else row.snippet)
        for row in rows
    }


def passages_of(
    text: Text, terms: Mapping[str, Sequence[str]], *, citation: str, url: str, language: str, weight: float
) -> list[Passage]:
    """The best passages of a text; ``terms`` are the words for each key term in its language."""
    headings = considerations(text.text)
    found: list[Passage] = []
    for start, end in sentences(text.text):
        quote = " ".join(text.text[start:end].split())
        held = tuple(term for term, names in terms.items() if any(holds(quote, name) for name in names))
        if held and MIN_PASSAGE <= len(quote) <= MAX_PASSAGE and _is_whole(quote):
            score = len(held) + 0.5 * bool(_cites(quote)) + weight - 0.3 * (len(quote) < 2 * MIN_PASSAGE)
            pin = _pin(headings, start)
            found.append(Passage(quote, citation, text.number, url, language, held, pin, round(score, 3)))
    found.sort(key=lambda one: -one.score)
    return _different(found)[:A_DECISION]


def _is_whole(quote: str) -> bool:
    """Not the rest of a sentence that the end of a page has cut, nor an item of a list."""
    return (quote[0].isupper() or quote[0] in '«„"“') and quote[-1] in '.!?»”")'


def _different(passages: Sequence[Passage]) -> list[Passage]:
    """Without those that another one holds, or is held by: a headnote stands in its decision once more."""
    kept: list[Passage] = []
    for one in passages:
        if not any(one.quote in other.quote or other.quote in one.quote for other in kept):
            kept.append(one)
    return kept


def considerations(text: str) -> list[tuple[int, str]]:
    """Where the numbered considerations of a decision begin: between the words that open the reasons and the ruling,
    in rising order. A text whose reasons nothing opens, or whose considerations have no parts, has none."""
    opening = _BEGIN.search(text)
    if opening is None:
        return []
    ruling = next((one.start() for one in _RULED.finditer(text, opening.end())), len(text))
    found: list[tuple[int, str]] = [(ruling, "")] if ruling < len(text) else []
    last: tuple[int, ...] = (0,)
    for mark in _HEADING.finditer(text, opening.end(), ruling):
        number = tuple(map(int, mark[1].split(".")))
        if (
            number > last
            and (last == (0,) or number[0] - last[0] <= MAX_SKIPPED)
            and number[0] <= MAX_CONSIDERATION
        ):
            found.append((mark.start(1), mark[1]))
            last = number
    return sorted(found) if any("." in number for _, number in found) else []


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text stand, without numbers in front of paragraphs; a line break may be within one."""
    start = 0
    for mark in _BREAK.finditer(text):
        yield from _of_block(text, start, mark.start())
        start = mark.end()
    yield from _of_block(text, start, len(text))


def _of_block(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lead = _BULLET.match(text[start : min(end, start + 40)])
    begin = start + (lead.end() if lead else 0)
    for mark in _END.finditer(text, begin, end):
        if not _SHORT.search(text[max(begin, mark.end() - 12) : mark.end()]):
            yield from _trimmed(text, begin, mark.end())
            begin = mark.end()
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end:
        yield start, end


def names_of(terms: Sequence[str], language: str) -> dict[str, tuple[str, ...]]:
    """All words that the table has for each term in a language; a term that it does not know only as it stands."""
    found: dict[str, tuple[str, ...]] = {}
    for term in terms:
        concept = named(term)
        spoken = [names for key, names in concept.words.items() if key == language] if concept else []
        found[term] = spoken[0] if spoken else (term,)
    return found


def holds(quote: str, name: str) -> bool:
    """Whether the words of a term stand in a text, one behind the other."""
    words, there = words_of(name), words_of(quote)
    width = len(words)
    return width > 0 and any(
        all(_same(word, other) for word, other in zip(words, there[at : at + width], strict=True))
        for at in range(len(there) - width + 1)
    )


def _same(word: str, other: str) -> bool:
    return other == word or (len(word) >= 5 and other.startswith(word))


def _cites(quote: str) -> bool:
    return any(True for _ in extract(quote))


def _pin(headings: Sequence[tuple[int, str]], at: int) -> str:
    """The consideration in which a place lies; none before the first and behind the ruling."""
    before = [number for start, number in headings if start <= at]
    return f"E. {before[-1]}" if before and before[-1] else ""
