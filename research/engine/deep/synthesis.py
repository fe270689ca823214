"""Write the report from the researchers' findings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from research.engine.claims.claim import Judged
from research.engine.deep.brief import Brief
from research.engine.deep.citations import Entry
from research.engine.deep.supervision import Topic
from research.engine.prompt_data import DATA_RULE, fenced
from research.engine.questions.question import (
    NUMBER,
    TEXT,
    BadAnswer,
    Question,
    list_schema,
    object_schema,
    text_of,
)
from research.jsontext import JsonObject

MAX_REPORT = 200_000
FINDINGS_LIMIT = 300_000  # characters of findings in one prompt
REPORT_TOKENS = 16_000
MAX_ITEMS = 60
REPORT_STEP = "report"
_FENCE = re.compile(r"(?:<<<)?[a-z]+ \d+ [0-9a-f]{16}(?:>>>)?$")

SYNTHESISE = (
    "You write a research report for a person who will sign for it. Use nothing but the findings you are given. Behind "
    "every statement of fact stands the number of its source as [n]; several as [1][2]. A number that is not in the "
    "list of sources may not be used, and no list of sources is written: it is added. Quote figures, dates and names "
    "exactly. Where sources disagree, give both and say so. Say what was not found. Write in the language of the brief "
    "unless another is asked for, in plain prose, without praise and without talking about yourself. "
    f"{DATA_RULE}"
)
QUALITY: JsonObject = {"type": "string", "enum": ["HIGH", "MEDIUM", "LOW"]}
CONFIDENCE: JsonObject = {"type": "string", "enum": ["high", "medium", "low"]}
REPORT = object_schema(
    report={"type": "string", "description": "The report in Markdown."},
    findings=list_schema(object_schema(claim=TEXT, sources=list_schema(NUMBER), confidence=CONFIDENCE)),
    evidence=list_schema(object_schema(pointer=TEXT, source=NUMBER, quote=TEXT)),
    open_questions=list_schema(TEXT),
    limitations=list_schema(TEXT),
    search_quality=QUALITY,
)


NOTHING = {
    "en": "# Nothing was found\n\nNo source was found for any of the topics. Why is said under the limitations.",
    "de": "# Nichts gefunden\n\nZu keinem der Themen wurde eine Quelle gefunden. Warum, steht bei den Einschränkungen.",
    "fr": "# Rien n'a été trouvé\n\nAucune source n'a été trouvée, sur aucun thème. Les limites disent pourquoi.",
    "it": "# Nulla è stato trovato\n\nNessuna fonte è stata trovata per alcun tema. I limiti dicono perché.",
}


@dataclass(frozen=True)
class Draft:
    """An unfinished report. Its markers and sources are ledger numbers."""

    report: str
    findings: tuple[JsonObject, ...] = ()
    evidence: tuple[JsonObject, ...] = ()
    open_questions: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    search_quality: str = "LOW"


def synthesis(
    brief: Brief,
    topics: Sequence[Topic],
    ledger: Sequence[Entry],
    wishes: Mapping[str, str],
    feedback: str = "",
) -> Question[Draft]:
    """``wishes`` may hold language and audience. ``feedback`` is a reviewer's request on an earlier report."""
    prompt = "\n\n".join(
        [
            f"The brief:\n{fenced('brief', brief.text())}",
            f"The findings:\n\n{_findings(topics)}",
            f"The sources:\n{fenced('sources', _sources(ledger))}",
            *(f"Write for {name}: {fenced(name, value)}" for name, value in wishes.items() if value),
            *(
                [f"A reviewer asked for this change to an earlier report:\n{fenced('feedback', feedback)}"]
                * bool(feedback)
            ),
            "Begin the report with a heading and a short answer to the brief, then the details under headings of their "
            "own, tables where they help. findings: the statements that matter most, one fact each, with the numbers "
            "of their sources. evidence: for each of them the passage of the source that says it, word for word, with "
            "pointer /findings/N/claim (N counts from 0) and the source's number. open_questions: what remains open. "
            "search_quality: HIGH if good sources answered every part of the brief, LOW if most had to go without.",
        ]
    )
    return replace(reading(ledger), prompt=prompt)


def reading(ledger: Sequence[Entry]) -> Question[Draft]:
    """How the answer is read. Its prompt is ``synthesis``."""
    read = partial(_read_draft, frozenset(entry.number for entry in ledger))
    return Question(REPORT_STEP, SYNTHESISE, "", REPORT, read, max_tokens=REPORT_TOKENS)


def rewriting(first: Question[Draft], draft: Draft, judged: Sequence[Judged]) -> Question[Draft]:
    """Rewrite the report with the faults found by verification."""
    faults = "\n".join(
        f"- {one.claim.text} ({one.finding.lower().replace('_', ' ')}. {one.reason} {one.quote})"
        for one in judged
        if one.finding in ("UNSUPPORTED", "CONTRADICTED", "PARTIALLY_SUPPORTED")
    )
    prompt = (
        f"{first.prompt}\n\nYou wrote:\n{fenced('draft', draft.report)}\n\nA check against the stored sources found "
        f"these statements wanting:\n{fenced('faults', faults)}\n\nWrite the report again: put each right from the "
        "findings, name the source that really says it, weaken it to what the source says, or leave it out."
    )
    return replace(first.named(f"{REPORT_STEP}.again"), prompt=prompt)


def from_topics(topics: Sequence[Topic]) -> Draft:
    """A report made by code, if budget or time ended before one was written."""
    parts = ["# What was found so far"]
    for topic in topics:
        if topic.findings:
            heading = " ".join(topic.directive.research_topic.split())[:120]
            parts += [f"## {heading}", _lowered(topic.findings)]
    limits = ("The report was not written by a model: these are the notes of the topics that were finished.",)
    return Draft("\n\n".join(parts), limitations=limits)


def of_nothing(language: str) -> Draft:
    """A report made by code, if no topic has a source."""
    return Draft(NOTHING.get(language[:2].lower(), NOTHING["en"]))


def _findings(topics: Sequence[Topic]) -> str:
    told = [topic for topic in topics if topic.findings]
    room = FINDINGS_LIMIT // max(len(told), 1)
    return "\n\n".join(
        fenced(
            f"findings {topic.directive.id}",
            f"{topic.directive.research_topic}\n\n{topic.findings}",
            limit=room,
        )
        for topic in told
    )


def _sources(ledger: Sequence[Entry]) -> str:
    return "\n".join(f"[{entry.number}] {' '.join(entry.title.split())} {entry.url}" for entry in ledger)


def _lowered(markdown: str) -> str:
    """Headings two levels down, below that of their topic, and without fences of raw notes."""
    lines = [line for line in markdown.splitlines() if not _FENCE.match(line)]
    return "\n".join(f"##{line}" if re.match("#{1,4} ", line) else line for line in lines)


def _read_draft(known: frozenset[int], data: JsonObject) -> Draft:
    report = text_of(data, "report", MAX_REPORT)
    if len(report) < 100:
        raise BadAnswer("report is shorter than a hundred characters: write the report.")
    findings = tuple(
        {
            "claim": claim,
            "sources": [n for n in item["sources"] if n in known],
            "confidence": item["confidence"],
        }
        for item in data["findings"][:MAX_ITEMS]
        if (claim := item["claim"].strip())
    )
    evidence = tuple(
        item
        for item in data["evidence"][: 4 * MAX_ITEMS]
        if item["source"] in known and item["quote"].strip()
    )
    return Draft(
        report,
        findings,
        evidence,
        _texts(data["open_questions"]),
        _texts(data["limitations"]),
        data["search_quality"],
    )


def _texts(items: Sequence[str]) -> tuple[str, ...]:
    return tuple(item.strip()[:1_000] for item in items[:MAX_ITEMS] if item.strip())
