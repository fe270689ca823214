"""The document of a deep run: the model's text with numbers, sources and limitations added by code."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from research.engine.deep.citations import Entry, Finished, finish_report
from research.engine.deep.supervision import Topic
from research.engine.deep.synthesis import Draft
from research.engine.parts import unanswered
from research.jsontext import JsonObject

QUALITIES = ("high", "medium", "low", "unknown")


def compose(
    question: str,
    draft: Draft,
    ledger: Sequence[Entry],
    notes: Sequence[str],
    *,
    topics: Sequence[Topic] = (),
    language: str = "en",
) -> tuple[JsonObject, Finished]:
    """The document and its numbering. ``notes`` are limitations known to the code."""
    also = [number for finding in draft.findings for number in finding["sources"]]
    done = finish_report(draft.report, ledger, also=also, language=language)
    gaps = gaps_of(question, draft, topics, done.numbering.keys()) if done.sources else []
    stated = list(dict.fromkeys([*notes, *gaps, *draft.limitations, *dangling_note(done.dangling)]))
    data: JsonObject = {
        "question": question,
        "report": done.report,
        "findings": [_finding(finding, done.numbering) for finding in draft.findings],
        "sources": [_source(entry) for entry in done.sources],
        "open_questions": list(draft.open_questions),
        "search_quality": draft.search_quality,
        "limitations": stated,
    }
    return data, done


def evidence_of(draft: Draft, data: JsonObject) -> list[JsonObject]:
    """Quotes with pointers into the document. Sources keep their ledger numbers."""
    pointers = {f"/findings/{place}/claim" for place in range(len(data["findings"]))} | {"/report"}
    return [dict(item) for item in draft.evidence if item["pointer"] in pointers]


def read_only(draft: Draft, clean: Callable[[JsonObject], JsonObject]) -> Draft:
    """The draft with ``clean`` applied to all text of the model."""
    names = ("report", "findings", "open_questions", "limitations")
    return replace(draft, **clean({name: getattr(draft, name) for name in names}))


def limitations_of(topics: Sequence[Topic], *, ended: str = "") -> list[str]:
    """Sentences on the limits of the research."""
    said = [ended] if ended else []
    for topic in topics:
        name = " ".join(topic.directive.research_topic.split())[:160]
        if topic.error:
            said.append(f"Not researched: “{name}” ({topic.error})")
        elif topic.trouble:
            said.append(f"Not finished: “{name}” ({topic.trouble})")
        elif not topic.sources:
            told = "; ".join(reason.rstrip(".") for reason in topic.failures)
            why = f" ({told})" if told else ""
            said.append(f"No source was found for “{name}”{why}.")
    failures = dict.fromkeys(reason for topic in topics if topic.sources for reason in topic.failures)
    said += [f"Not all of what was asked gave an answer. {reason}" for reason in failures]
    raw = sum(bool(topic.rejected) for topic in topics)
    if raw:
        said.append(
            f"The notes of {raw} of {len(topics)} topics were used uncut, because their summary had lost facts."
        )
    return said


def gaps_of(question: str, draft: Draft, topics: Sequence[Topic], cited: Collection[int]) -> list[str]:
    """Sentences on what a report omits: parts of the question, and topics without a cited source.

    A part is also answered by what a topic brought that has its words.
    """
    written_up = [topic for topic in topics if not topic.sources or set(cited).intersection(topic.sources)]
    topics_told = [topic.directive.research_topic for topic in written_up if topic.sources]
    claims = [str(finding["claim"]) for finding in draft.findings]
    told = " ".join([draft.report, *claims, *draft.open_questions, *topics_told])
    said = [
        f"The report has no words of this part of the question; look whether it answers it: “{part}”"
        for part in unanswered(question, told)
    ]
    for topic in topics:
        if topic not in written_up:
            name = " ".join(topic.directive.research_topic.split())[:160]
            said.append(f"Sources were found for “{name}”, and the report cites none of them.")
    return said


def _finding(finding: JsonObject, numbering: Mapping[int, int]) -> JsonObject:
    numbers = sorted({numbering[number] for number in finding["sources"] if number in numbering})
    confidence = finding["confidence"] if numbers else "low"  # no source that was read supports it
    return {"claim": finding["claim"], "sources": numbers, "confidence": confidence}


def _source(entry: Entry) -> JsonObject:
    quality = entry.quality if entry.quality in QUALITIES else "unknown"
    return {
        "number": entry.number,
        "title": entry.title,
        "url": entry.url,
        "accessed": entry.accessed,
        "quality": quality,
    }


def dangling_note(numbers: Sequence[int]) -> tuple[str, ...]:
    """A sentence on removed citations. Empty if there were none."""
    if not numbers:
        return ()
    listed = ", ".join(map(str, numbers[:10]))
    return (f"Citations of sources that do not exist were taken out of the report ({listed}).",)
