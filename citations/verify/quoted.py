"""Which words a text quotes, and from which of the works that it cites.

A quote belongs to the citation right behind it, to the only one that introduces it, or to the last one of the sentence
before when nothing but "there it says:" stands between. Citations inside a quote are part of what is quoted.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from citations.mention import Mention
from citations.structure import sentences

MIN_QUOTE, MAX_QUOTE = 30, 2_000
MAX_GAP = 160
MAX_MARKS = 60  # in one quote
_CLOSING = {"«": "»", "»": "«", "„": "“”", "“": "”", "‹": "›", "›": "‹", '"': '"', "”": "”"}
_MARK = re.compile(r"[«»„“”‹›\"]")
_BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|$))+", re.MULTILINE)
_BLOCK_SIGN = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_NAMED_LAST = re.compile(r"[\s\n>]*(?:[(\[]|[—–-]+\s)[^\n(\[]{0,60}$")
_WORD = re.compile(r"[^\W\d_]+")
_LINK_WORDS = """vgl siehe cf voir v cfr so aus see vedi zit zitiert nach gemäss laut statt vieler auch ferner e g
    ebenso bereits urteil urteils entscheid entscheids entscheidung beschluss verfügung arrêt arrêts
    jugement sentenza sentenze decisione judgment judgement decision ruling case bger bvger tf stf taf
    des du del dell dello della la le les il lo der die das dem den von vom de d l in im nel dans
    bundesgericht bundesgerichts bundesverwaltungsgericht bundesverwaltungsgerichts gericht gerichts
    tribunal tribunale tribunali fédéral fédérale federale federal supreme court the of from at as held
    stated per selon d'après après secondo conformément ainsi così wie es er sie elle esso dort darin y
    vi ci heisst heißt steht hält hielt fest führt führte erwägt erwog schreibt schrieb sagt sagte
    sprach entschied befand fügt hinzu präzisiert präzisierte wörtlich ausdrücklich folgendes weiter
    sodann zudem dazu hierzu retient retenu considère considéré dit précise précisé expose exposé
    rappelle rappelé indique énonce écrit jugé a ha ritiene ritenuto afferma affermato dice precisa
    precisato stabilisce rileva rilevato osserva states says reads found notes noted writes it there
    textuellement expressément testualmente letteralmente namely literally ce qui suit quanto segue
    following bestätigt confirmé confermato"""
_LINKS = frozenset(_LINK_WORDS.split())
_DONE = re.compile(r"[.!?]\s")


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words in quotation marks, or in a block of their own; ``start`` and ``end`` hold the marks too."""

    words: str
    start: int
    end: int


def quotes_of(text: str, mentions: Sequence[Mention]) -> dict[int, list[str]]:
    """What is quoted from each citation, by its place among ``mentions``."""
    quotes = quotes_in(text)
    if not quotes or not mentions:
        return {}
    outside = _outside(text, mentions, quotes)
    breaks = [end for _, end in sentences(_without_quotes(text, quotes))]
    found: dict[int, list[str]] = {}
    for number, quote in enumerate(quotes):
        before = quotes[number - 1].end if number else 0
        after = quotes[number + 1].start if number + 1 < len(quotes) else len(text)
        place = _cited_for(text, quote, outside, breaks, (before, after))
        if place is not None:
            words = _named_off(quote, mentions[place])
            if len(words) >= MIN_QUOTE:
                found.setdefault(place, []).append(words)
    return found


def quotes_in(text: str) -> list[Quoted]:
    """Every quote that is long enough to prove something, in the order of the text; what stands in another is none."""
    marked = [one for one in _marked(text) if len(one.words) >= MIN_QUOTE]
    blocks = [
        Quoted(_BLOCK_SIGN.sub("", one[0]).strip(), one.start(), one.end()) for one in _BLOCK.finditer(text)
    ]
    bare = [
        one
        for one in blocks
        if len(one.words) >= MIN_QUOTE and not any(one.start <= other.start < one.end for other in marked)
    ]
    return sorted([*marked, *bare], key=lambda one: one.start)


def _marked(text: str) -> Iterator[Quoted]:
    """Stretches between quotation marks of every kind, the outermost."""
    at = 0
    while opening := _MARK.search(text, at):
        start = opening.start()
        end = _closed(text, start) if _opens(text, start) else -1
        at = start + 1
        if end >= 0:
            yield Quoted(text[start + 1 : end].strip(), start, end + 1)
            at = end + 1


def _opens(text: str, at: int) -> bool:
    """Whether a mark stands where a quote begins."""
    if text[at] in "«„‹":
        return True
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    return not before.isalnum() and before not in (".", ",") and bool(after) and not after.isspace()


def _closed(text: str, start: int) -> int:
    """Where the quote that begins at a mark ends, past the quotes inside of it; -1 when it does not end."""
    opening, depth, limit = text[start], 0, min(len(text), start + MAX_QUOTE)
    if all(text.find(sign, start + 1, limit) < 0 for sign in _CLOSING[opening]):
        return -1  # found out at once: thousands of marks may begin what none of them ends
    for mark in islice(_MARK.finditer(text, start + 1, limit), MAX_MARKS):
        at, sign = mark.start(), mark[0]
        if sign in _CLOSING[opening] and not (sign == "“" and _inner(text, at)):
            if depth == 0:
                return at
            depth -= 1
        elif (sign == opening and text[at - 1] != "\n") or (sign == "“" and opening == "„"):
            depth += 1
    return -1


def _inner(text: str, at: int) -> bool:
    """Whether “ opens a quote inside of „…“ where it could also close one."""
    return text[at - 1 : at].isspace() and text[at + 1 : at + 2].isalnum()


def _without_quotes(text: str, quotes: Sequence[Quoted]) -> str:
    """The text with a letter for each of a quote's, so that nothing ends inside of one."""
    pieces, at = [], 0
    for one in quotes:
        pieces += [text[at : one.start], "x" * (one.end - one.start)]
        at = one.end
    return "".join([*pieces, text[at:]])


def _outside(text: str, mentions: Sequence[Mention], quotes: Sequence[Quoted]) -> list[tuple[int, Mention]]:
    """The citations that are not part of a quote; one that closes a block of its own is not."""
    starts = [one.start for one in quotes]
    kept = []
    for place, one in enumerate(mentions):
        number = bisect_right(starts, one.start) - 1
        quote = quotes[number] if number >= 0 else None
        inside = quote is not None and one.start < quote.end
        if not inside or (quote and text[quote.start] in " \t>" and _closes(text, quote, one)):
            kept.append((place, one))
    return kept


def _closes(text: str, block: Quoted, mention: Mention) -> bool:
    """Whether nothing but a bracket follows a citation in a block, and a bracket or a dash names it."""
    behind = _WORD.search(text, mention.end, block.end)
    return (
        behind is None
        and _NAMED_LAST.search(text[max(block.start, mention.lead - 100) : mention.lead]) is not None
    )


def _named_off(quote: Quoted, mention: Mention) -> str:
    """The words of a block without the citation that closes it."""
    if not quote.start <= mention.start < quote.end:
        return quote.words
    return _NAMED_LAST.sub("", quote.words[: quote.words.rfind(mention.raw)]).strip()


def _cited_for(
    text: str,
    quote: Quoted,
    cited: Sequence[tuple[int, Mention]],
    breaks: Sequence[int],
    room: tuple[int, int],
) -> int | None:
    """The citation that a quote is from, of those between the quotes before and behind it."""
    before = [(place, one) for place, one in cited if room[0] <= one.start and one.end <= quote.start]
    behind = [(place, one) for place, one in cited if quote.start <= one.start < room[1]]
    introduced = bool(before) and _only_links(text[before[-1][1].end : quote.start])
    if introduced and behind and behind[0][1].start < quote.end:
        return before[-1][0]  # what stands in brackets at the end of a block is part of it then
    if behind and _is_named(text[quote.end : max(quote.end, behind[0][1].lead)]):
        return behind[0][0]
    begin, end = _sentence(breaks, quote)
    if here := [place for place, one in before if one.start >= begin]:
        return here[-1]
    if here := [place for place, one in behind if one.start < end]:
        return here[0]
    if before and _only_links(text[max(begin, before[-1][1].end) : quote.start]):
        return before[-1][0]
    return None


def _is_named(gap: str) -> bool:
    """Whether what stands between a quote and a citation only says that it is from there."""
    if len(gap) > MAX_GAP or not _only_links(gap):
        return False
    stop = _DONE.search(gap)
    return stop is None or gap[stop.end() :].lstrip()[:1] in tuple("([—–-") or not _WORD.search(gap)


def _only_links(gap: str) -> bool:
    return all(word.lower() in _LINKS for word in _WORD.findall(gap))


def _sentence(breaks: Sequence[int], quote: Quoted) -> tuple[int, int]:
    """Where the sentence around a quote begins and ends."""
    place = bisect_right(breaks, quote.start)
    begin = breaks[place - 1] if place else 0
    later = [end for end in breaks[place : place + 3] if end >= quote.end]
    return begin, later[0] if later else quote.end
