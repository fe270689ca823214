"""Whether each quote is in the source it names.

Evidence is ``[{pointer, source, quote}]``: the place in the document, the number of a source of the run, and the words.
A verdict's evidence says where the words stand: ``{source, document, start, end, before, passage, after}``, code points
of the archived text, so that the passage can be shown in it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias, TypedDict

from common.entailment import compare
from common.passages import MAX_QUOTE, Passage, Plain, Searched, differing_numbers, other_words
from common.wording import denial_before, denial_behind, denial_in
from research.checks.claims import claims_of
from research.checks.verdict import SEVERITY, CheckLike, Verdict, bounded, clipped, pointer
from research.jsontext import Json, JsonObject

MAX_EVIDENCE = 1_000
AROUND = 160  # characters of context on each side
MAX_PASSAGE = 1_200
MAX_GAP = 300  # maximum length of a sentence in characters
MIN_LENGTH, MIN_WORDS = 20, 3
MIN_STATEMENT = 4  # minimum number of words in a statement; shorter ones are names or figures
FOUND = ("pass", "warn")
_GAP = re.compile(r"\s*(?:\[\s*(?:\.{2,}|…)\s*\]|\(\s*(?:\.{2,}|…)\s*\)|\.{3,}|…)\s*")
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s")
_DOTTED = re.compile(r"[.\[\]]+")
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class QuotedSource:
    """A source of the run. ``text`` is empty if nothing was archived."""

    number: int
    title: str = ""
    document: int | None = None
    text: str = ""
    json: bool = False


class Coverage(TypedDict):
    """Counts of claims, claims with a quote, and claims with a quote that was found."""

    claims: int
    quoted: int
    found: int


FindSource: TypeAlias = Callable[[int], QuotedSource | None]


def check_quotes(data: Json, evidence: Sequence[JsonObject], find_source: FindSource) -> list[Verdict]:
    """One verdict per quote, in the order of the evidence. Never raises for what a model wrote.

    ``pass``: it stands there, at most set or spelt a little differently. ``warn``: something like it stands there, or
    it proves little. ``fail``: it does not, it was changed, or the run has no such source. ``unknown``: there is
    nothing to search in.
    """
    items = list(evidence[:MAX_EVIDENCE])
    by_source: dict[int | None, list[int]] = {}
    for index, item in enumerate(items):
        by_source.setdefault(_number(item.get("source")), []).append(index)
    verdicts: dict[int, Verdict] = {}
    for number, indexes in by_source.items():  # keep one text in memory at a time
        look = _Look(find_source(number) if number is not None else None, number)
        for index in indexes:
            verdicts[index] = _placed(look.verdict(items[index]), data, items[index])
    return [verdicts[index] for index in sorted(verdicts)]


def place_of(data: Json, given: str) -> str | None:
    """The JSON Pointer that the researcher meant, or None if the document has no such place."""
    place, there, _ = _resolved(data, given)
    return place if there else None


def coverage(data: Json, schema: JsonObject, checks: Iterable[CheckLike]) -> Coverage:
    """How much of a document is backed: ``{claims, quoted, found}``, counted in values.

    A claim is a text or number that is not empty, not picked from a list that the schema gives (a confidence is a
    judgement, not a fact), and not in a part that the schema marks ``x-claim: false``. A quote that is too short
    backs nothing. A quote at a list or object counts for the values directly in it.
    """
    claims = set(claims_of(data, schema))
    quoted: dict[str, bool] = {}
    for check in checks:
        if check.kind == "quote":
            found = check.verdict in FOUND and check.code != "short"
            quoted[check.pointer] = quoted.get(check.pointer, False) or found
    backed = {
        place: [quoted[at] for at in (place, place.rpartition("/")[0] or None) if at in quoted]
        for place in claims
    }
    return {
        "claims": len(claims),
        "quoted": sum(bool(answers) for answers in backed.values()),
        "found": sum(any(answers) for answers in backed.values()),
    }


class _Look:
    """The quotes of one source."""

    def __init__(self, source: QuotedSource | None, number: int | None) -> None:
        self._source, self._number = source, number
        self._searched = Searched(source.text, json=source.json) if source and source.text else None

    def verdict(self, item: JsonObject) -> Verdict:
        """The verdict on a quote, regardless of its place."""
        quote = _text(item, "quote")
        if not Plain(quote[:MAX_QUOTE]).text.strip():
            return self._say("empty", "fail", "There is no quote.", quote)
        if self._source is None:
            name = f"number {self._number}" if self._number is not None else clipped(item.get("source"), 40)
            return self._say("no-source", "fail", f"The run has no source {name}.", quote)
        if self._searched is None:
            text = f"Nothing of source {self._number} was archived, so the quote cannot be looked up."
            return self._say("no-text", "unknown", text, quote)
        passages = _in_order(quote, self._searched)
        if passages is None:
            return self._say(
                "not-found", "fail", f"Source {self._number} does not contain this quote.", quote
            )
        code, word, sentence = self._judged(quote, passages, self._searched)
        return self._say(code, word, sentence, quote, self._where(passages))

    def _judged(self, quote: str, passages: list[Passage], searched: Searched) -> tuple[str, str, str]:
        hows = {passage.how for passage in passages}
        score = min(passage.score for passage in passages)
        at = f"source {self._number}"
        if "changed" in hows:
            return "changed", "fail", self._change(quote, passages)
        if doubt := self._doubt(quote, passages, score):
            return doubt[0], "warn", doubt[1]
        if _is_short(quote) and not (self._source and self._source.json and searched.holds_value(quote)):
            return "short", "warn", f"It stands in {at}, but it is too short to prove much."
        if "spelled" in hows:
            return "nearly", "pass", f"It stands in {at} but for the spelling ({score:.0%} alike)."
        return "found", "pass", f"It stands in {at}, word for word."

    def _doubt(self, quote: str, passages: list[Passage], score: float) -> tuple[str, str] | None:
        """A reason to doubt that the passage supports the quote."""
        at = f"source {self._number}"
        if any(after.start < before.end for before, after in pairwise(passages)):
            return "order", f"The parts of the quote stand in {at} in another order."
        if any(passage.how == "similar" for passage in passages):
            told = self._other(quote, passages)
            return "similar", f"Only something like it stands in {at} ({score:.0%} alike).{told}"
        if left_out := self._left_out(passages):
            return "cut", f"It stands in {at}, but leaves out a “{left_out}” that stands there."
        return None

    def _change(self, quote: str, passages: list[Passage]) -> str:
        """What the quote says and the source does not."""
        there = self._there(passages)
        ours, theirs = differing_numbers(quote, there)
        if ours and theirs:
            return f"The quote says {', '.join(ours)}, but source {self._number} says {', '.join(theirs)}."
        if ours:
            return f"Source {self._number} does not say {', '.join(ours)} there."
        words = self._other(quote, passages)
        denied = bool(denial_in(_plain(quote))) != bool(denial_in(_plain(there)))
        return (
            f"The quote and source {self._number} differ by a “not”."
            if denied or not words
            else words.strip()
        )

    def _there(self, passages: list[Passage]) -> str:
        assert self._source is not None  # noqa: S101 - passages come from its text
        return " ".join(self._source.text[each.start : each.end] for each in passages)

    def _other(self, quote: str, passages: list[Passage]) -> str:
        """The first words that differ, as a sentence."""
        differing = other_words(_GAP.sub(" ", quote), self._there(passages))
        ours, theirs = next(iter(differing), ("", ""))
        if not ours:
            return f" The quote leaves out “{clipped(theirs, 60)}”." if theirs else ""
        there = f" where source {self._number} says “{clipped(theirs, 60)}”" if theirs else ""
        return f" The quote says “{clipped(ours, 60)}”{there}."

    def _left_out(self, passages: list[Passage]) -> str:
        """A negation right before or after the quote, or in a gap."""
        assert self._source is not None  # noqa: S101 - passages come from its text
        text, first, last = self._source.text, passages[0], passages[-1]
        if self._source.json:
            return ""
        gaps = (part for one, other in pairwise(passages) for part in _beside(text[one.end : other.start]))
        return (
            denial_before(_plain(text[max(0, first.start - AROUND) : first.start]))
            or denial_behind(_plain(text[last.end : last.end + AROUND]))
            or next((found for gap in gaps if (found := denial_in(_plain(gap)))), "")
        )

    def _where(self, passages: list[Passage]) -> JsonObject:
        assert self._source is not None  # noqa: S101 - passages come from its text
        text = self._source.text
        start, end = min(each.start for each in passages), max(each.end for each in passages)
        if len(passages) > 1 and end - start > 3 * MAX_PASSAGE:
            start, end = passages[0].start, passages[0].end
        where: JsonObject = {
            "start": start,
            "end": end,
            "before": text[max(0, start - AROUND) : start],
            "passage": bounded(text[start:end], MAX_PASSAGE),
            "after": text[end : end + AROUND],
            "score": min(each.score for each in passages),
        }
        parts = [[each.start, each.end] for each in passages]
        return {**where, "parts": parts} if len(parts) > 1 else where

    def _say(
        self, code: str, word: str, sentence: str, quote: str, where: JsonObject | None = None
    ) -> Verdict:
        evidence: JsonObject = {"source": self._number, "quote": bounded(quote, MAX_QUOTE), **(where or {})}
        if self._source is not None:
            evidence |= {"document": self._source.document, "title": bounded(self._source.title, 200)}
        return Verdict("quote", code, "", clipped(quote), word, sentence, evidence)


def _beside(gap: str) -> list[str]:
    """Text in a gap that belongs to a quoted sentence. Whole sentences left out are separate statements."""
    parts = _SENTENCE_END.split(gap)
    return [part for part in (parts[0], parts[-1]) if len(part) <= MAX_GAP]


def _plain(text: str) -> str:
    return Plain(text).text.lower()


def _in_order(quote: str, searched: Searched) -> list[Passage] | None:
    """Find the quote, or its parts between “[…]” in sequence. None if any part is missing."""
    parts = [part for part in _GAP.split(quote[:MAX_QUOTE]) if len(part.strip()) > 2]
    if len(parts) < 2:
        whole = searched.find(parts[0] if parts else quote)
        return [whole] if whole else None
    found: list[Passage] = []
    for part in parts:
        after = searched.find(part, found[-1].end if found else 0)
        anywhere = after if after and after.score == 1 else searched.find(part)
        best = max(filter(None, (after, anywhere)), key=lambda passage: passage.score, default=None)
        if best is None:
            return None
        found.append(best)
    return found


def _placed(verdict: Verdict, data: Json, item: JsonObject) -> Verdict:
    """The verdict with its place in the document. A wrong place gives at least a warning."""
    given = _text(item, "pointer")
    place, there, value = _resolved(data, given)
    evidence = {**verdict.evidence, "names_value": _names(value, str(verdict.evidence["quote"]))}
    verdict = replace(verdict, pointer=place, evidence=evidence)
    if there:
        if verdict.verdict not in FOUND or not isinstance(value, str) or len(value.split()) < MIN_STATEMENT:
            return verdict
        says, why = compare(value, str(verdict.evidence["passage"]))
        if says != "otherwise":
            return verdict
        source = verdict.evidence["source"]
        message = f"The quote stands in source {source}, but it speaks against what is said here: {why}."
        return replace(verdict, code="contradicted", verdict="fail", message=message)
    message = (
        f"{verdict.message} It is given for {clipped(given, 80) or 'no place'}, which the document has not."
    )
    word = max(verdict.verdict, "warn", key=SEVERITY.__getitem__)
    return replace(verdict, message=message, verdict=word)


def _resolved(data: Json, given: str) -> tuple[str, bool, Json]:
    """(pointer, exists, value). ``$.a.b[0]`` and ``a.b`` are accepted if they resolve."""
    if given.startswith("/"):
        path = [token.replace("~1", "/").replace("~0", "~") for token in given[1:].split("/")]
    else:
        path = [token for token in _DOTTED.split(given.removeprefix("$")) if token]
    there, value = bool(path), data
    for token in path:
        there, value = _member(value, token)
        if not there:
            break
    return (pointer(path) if there else given if given.startswith("/") else "")[:500], there, value


def _member(value: Json, token: str) -> tuple[bool, Json]:
    if isinstance(value, dict):
        return token in value, value.get(token)
    if isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
        return True, value[int(token)]
    return False, None


def _text(item: JsonObject, name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


def _names(value: Json, quote: str) -> bool:
    """Whether the quote states the value itself."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return False
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    plain = re.escape(Plain(text[:MAX_QUOTE]).text.strip().lower())
    return re.search(rf"(?<!\w){plain}(?!\w)", Plain(quote).text.lower()) is not None


def _number(source: Json) -> int | None:
    """A source number as models write it: 3, "3", "[3]"."""
    if isinstance(source, str):
        digits = source.strip().strip("[]# ")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
    return source if isinstance(source, int) and not isinstance(source, bool) else None


def _is_short(quote: str) -> bool:
    letters = len(_CJK.findall(quote))
    plain = Plain(quote[:MAX_QUOTE]).text.strip()
    return letters < MIN_LENGTH // 2 and (len(plain) < MIN_LENGTH or len(plain.split()) < MIN_WORDS)
