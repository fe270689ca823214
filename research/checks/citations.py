"""Every legal citation in the data: does what is cited exist, and does it agree with what is said of it?

Citations are looked for in every text. Left alone are a text that is nothing but an address, words that point back to
a citation, and numbers of cantonal courts where no court is named: companies have such numbers.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from citations.extract import extract
from citations.mention import Mention
from citations.statutes.acts import ActTable
from citations.verify.judgement import Judgement, shown
from research.checks.verdict import Verdict, bounded, clipped, pointer
from research.jsontext import Json, JsonObject

MAX_CITATIONS = 500
SHORTEST = 5  # the shortest citations: "§ 5 X", "C-1/99"
_DIGIT = re.compile(r"\d")
JudgeTexts = Callable[[Sequence[tuple[str, list[Mention]]]], list[list[Judgement]]]
Place = tuple[str, str, list[Mention]]  # pointer, text, citations in it


def check_citations(data: Json, judge: JudgeTexts, *, acts: ActTable | None = None) -> list[Verdict]:
    """Verdicts for every citation in the data, each at its own place; all are judged at once.

    At most MAX_CITATIONS are checked; one ``unknown`` says so when there are more. None for data that cites nothing.
    """
    places, more = _bounded(find_citations(data, acts=acts))
    judged = judge([(text, mentions) for _, text, mentions in places]) if places else []
    verdicts = [
        verdict
        for (place, _, _), judgements in zip(places, judged, strict=True)
        for verdict in _of_place(place, judgements)
    ]
    if more:
        text = f"There are more than {MAX_CITATIONS} citations; the rest was not checked."
        verdicts.append(Verdict("citation", "existence", "", "", "unknown", text))
    return verdicts


def find_citations(data: Json, *, acts: ActTable | None = None) -> Iterator[Place]:
    """The texts that cite something, in document order."""
    for path, text in _texts(data):
        if mentions := [one for one in extract(text, acts=acts) if _counts(one)]:
            yield path, text, mentions


def may_cite(data: Json) -> bool:
    """Whether any text is a candidate for a citation."""
    return next(_texts(data), None) is not None


def _texts(data: Json) -> Iterator[tuple[str, str]]:
    stack: list[tuple[Json, tuple[str | int, ...]]] = [(data, ())]
    while stack:
        value, path = stack.pop()
        if isinstance(value, dict):
            stack.extend((child, (*path, key)) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            stack.extend((value[index], (*path, index)) for index in reversed(range(len(value))))
        elif isinstance(value, str) and _may_hold_one(value):
            yield pointer(path), value


def _may_hold_one(text: str) -> bool:
    """Every citation that counts has a digit."""
    return (
        len(text) >= SHORTEST
        and _DIGIT.search(text) is not None
        and not (text.lstrip().startswith(("http://", "https://")) and len(text.split()) == 1)
    )


def _counts(mention: Mention) -> bool:
    if mention.normalized is None or mention.reason == "back_reference":
        return False
    return mention.kind != "cantonal" or mention.lead < mention.start


def _bounded(found: Iterator[Place]) -> tuple[list[Place], bool]:
    places: list[Place] = []
    left = MAX_CITATIONS
    for path, text, mentions in found:
        if not left:
            return places, True
        places.append((path, text, mentions[:left]))
        if len(mentions) > left:
            return places, True
        left -= len(mentions)
    return places, False


def _of_place(place: str, judgements: list[Judgement]) -> Iterator[Verdict]:
    """The verdicts of one text, without repetitions."""
    verdicts: dict[tuple[str, str, str], Verdict] = {}
    for judgement in judgements:
        for verdict in _verdicts(place, judgement):
            verdicts.setdefault((verdict.code, verdict.subject, verdict.message), verdict)
    yield from verdicts.values()


def _verdicts(place: str, judgement: Judgement) -> list[Verdict]:
    """The state of the cited work, then each finding."""
    mention, standing = judgement.mention, judgement.standing
    name = clipped(mention.normalized or mention.raw, 100)
    where: JsonObject = {
        "raw": clipped(mention.raw, 200),
        "start": mention.start,
        "end": mention.end,
        "kind": mention.kind,
    }
    evidence: JsonObject = {
        **where,
        "verdict": standing.verdict,
        "reason": standing.reason,
        "source": standing.authority,
        "url": standing.url,
        "suggestions": list(islice(standing.suggestions, 5)),
        **shown(standing.evidence),
    }
    message = _said(name, standing.message, standing.suggestions)
    existence = Verdict(
        "citation", "existence", place, name, standing.check, message, evidence, standing.as_of
    )
    findings = [
        Verdict(
            "citation",
            one.code,
            place,
            name,
            one.check,
            _said(name, one.message),
            {**where, **one.evidence},
            standing.as_of,
        )
        for one in judgement.findings
    ]
    return [existence, *findings]


def _said(name: str, message: str, suggestions: Sequence[str] = ()) -> str:
    """A sentence that names its citation, because a text may hold several."""
    perhaps = f" Perhaps {', '.join(suggestions[:3])}." if suggestions else ""
    named = message if name in message else f"{name}: {message}"
    return bounded(" ".join((named + perhaps).split()))
