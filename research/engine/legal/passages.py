"""The passages of a decision on the question: verbatim, with their consideration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from citations.extract import extract
from citations.structure import Decision, Voice, sentences
from research.engine.legal.terms import named, words_of
from research.jsontext import JsonObject
from research.models import Source

MIN_PASSAGE, MAX_PASSAGE, MAX_LIST = 60, 600, 1_800
MAX_TEXT = 120_000
A_DECISION = 3  # maximum number of passages of one decision
WEIGHTS: Mapping[Voice, float] = {"party": -1.0, "facts": -1.0, "lower": -0.6, "ruling": -0.6, "open": -0.3}


@dataclass(frozen=True)
class Text:
    """The archived text of a source, and its number in the run."""

    number: int
    text: str


@dataclass(frozen=True)
class Passage:
    """``quote`` stands word for word in ``source``; ``terms`` are the key terms in it, ``pin`` its consideration.

    ``voice`` says who speaks there (``citations/structure.py``): only what the court says itself is held.
    """

    quote: str
    citation: str
    source: int
    url: str
    language: str
    terms: tuple[str, ...]
    pin: str = ""
    score: float = 0.0
    voice: Voice = ""

    def as_json(self) -> JsonObject:
        return {
            "quote": self.quote,
            "citation": f"{self.citation} {self.pin}".strip(),
            "source": self.source,
            **({"voice": self.voice} if self.voice else {}),
            **({"url": self.url} if self.url else {}),
        }


def texts_of(root_id: UUID, keys: Sequence[str]) -> dict[str, Text]:
    """Archived texts by key, truncated."""
    rows = Source.objects.filter(run_id=root_id, kind="law", key__in=keys).select_related("document")
    return {
        row.key: Text(row.number, row.document.text[:MAX_TEXT] if row.document else row.snippet)
        for row in rows
    }


def passages_of(
    text: Text, terms: Mapping[str, Sequence[str]], *, citation: str, url: str, language: str, weight: float
) -> list[Passage]:
    """The best passages of a text. ``terms`` are the words for each key term in its language."""
    decision = Decision(text.text)
    found: list[Passage] = []
    for start, end in sentences(text.text):
        quote = " ".join(text.text[start:end].split())
        held = tuple(term for term, names in terms.items() if any(holds(quote, name) for name in names))
        most = MAX_LIST if "\n" in text.text[start:end] and ":" in quote else MAX_PASSAGE
        if held and MIN_PASSAGE <= len(quote) <= most and _is_whole(quote):
            voice = decision.voice(start)
            score = len(held) + 0.5 * bool(_cites(quote)) + weight - 0.3 * (len(quote) < 2 * MIN_PASSAGE)
            score += WEIGHTS.get(voice, 0.0)
            pin = f"E. {number}" if (number := decision.consideration(start)) else ""
            found.append(
                Passage(quote, citation, text.number, url, language, held, pin, round(score, 3), voice)
            )
    found.sort(key=lambda one: -one.score)
    return _different(found)[:A_DECISION]


def _is_whole(quote: str) -> bool:
    """Whether the quote is a full sentence: no fragment at a page break, no list item."""
    return (quote[0].isupper() or quote[0] in '«„"“') and quote[-1] in '.!?»”")'


def _different(passages: Sequence[Passage]) -> list[Passage]:
    """Without passages that contain each other: a decision repeats its headnote."""
    kept: list[Passage] = []
    for one in passages:
        if not any(one.quote in other.quote or other.quote in one.quote for other in kept):
            kept.append(one)
    return kept


def names_of(terms: Sequence[str], language: str) -> dict[str, tuple[str, ...]]:
    """All words for each term in a language. Unknown terms stay as they are."""
    found: dict[str, tuple[str, ...]] = {}
    for term in terms:
        concept = named(term)
        spoken = [names for key, names in concept.words.items() if key == language] if concept else []
        found[term] = spoken[0] if spoken else (term,)
    return found


def holds(quote: str, name: str) -> bool:
    """Whether a text contains the words of a term in sequence."""
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
