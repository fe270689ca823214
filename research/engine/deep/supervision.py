"""Divide the work: directives to researchers, in rounds, until the brief is covered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from research.engine.deep.brief import Brief
from research.engine.prompt_data import DATA_RULE, fenced
from research.engine.questions.question import (
    FLAG,
    TEXT,
    BadAnswer,
    Question,
    list_schema,
    object_schema,
    text_of,
)
from research.jsontext import JsonObject

ENOUGH_SOURCES = 2  # sources required to cover a topic
THRESHOLD = 0.75
MAX_TOPIC = 1_000
SUMMARY = 3_000

SUPERVISE = (
    "You lead a small team of researchers. Each gets one directive, works on it alone with a web search, sees neither "
    "the brief nor the other directives, and reports back. Directives must therefore stand alone: names written out, "
    "no references to each other, one subject each, no overlap. Few and good ones: a simple question needs one, a "
    "comparison one for each thing compared. "
    f"{DATA_RULE}"
)
DIRECTIVE = object_schema(
    research_topic={
        "type": "string",
        "description": "A paragraph that says what to find out, self-contained.",
    },
    perspective={"type": "string", "description": "From which angle, or empty."},
    evidence_needed={"type": "string", "description": "Which kind of evidence would settle it."},
    priority={"type": "integer", "description": "1 essential, 2 important, 3 would be good to know."},
)
DIRECTIVES = object_schema(directives=list_schema(DIRECTIVE), rationale=TEXT)
CRITIQUE = object_schema(sound=FLAG, faults=list_schema(TEXT))
REPLY = object_schema(research_complete=FLAG, directives=list_schema(DIRECTIVE), rationale=TEXT)


@dataclass(frozen=True)
class Directive:
    """One researcher's part. ``id`` is assigned by code and names the child run."""

    id: str
    research_topic: str
    perspective: str = ""
    evidence_needed: str = ""
    priority: int = 2

    def as_json(self) -> JsonObject:
        return dict(vars(self))


@dataclass(frozen=True)
class Reply:
    """The decision of a round of supervision."""

    research_complete: bool
    directives: tuple[Directive, ...]
    rationale: str


@dataclass(frozen=True)
class Topic:
    """The outcome of a directive. ``error`` is a sentence if its researcher failed."""

    directive: Directive
    summary: str = ""
    findings: str = ""
    sources: tuple[int, ...] = ()
    error: str = ""
    trouble: str = ""  # why its researcher stopped early
    failures: tuple[str, ...] = ()  # why its tools gave nothing
    rejected: tuple[str, ...] = ()  # what its rejected summary had lost
    complete: bool = False

    @property
    def covered(self) -> bool:
        return not self.error and len(self.sources) >= ENOUGH_SOURCES


def coverage(topics: Sequence[Topic]) -> float:
    """The share of topics with enough sources."""
    return sum(topic.covered for topic in topics) / len(topics) if topics else 0.0


def decomposition(brief: Brief, limit: int) -> Question[Reply]:
    """Round 1, first draft."""
    prompt = (
        f"The brief:\n\n{fenced('brief', brief.text())}\n\n"
        f"Divide it into directives, at most {limit}. Priority 1 is what the brief cannot do without."
    )
    return Question("round.1.draft", SUPERVISE, prompt, DIRECTIVES, partial(_read_directives, 1, limit, ()))


def critique(brief: Brief, draft: Reply) -> Question[list[str]]:
    """Round 1: the faults of the draft. Empty if there are none."""
    prompt = (
        f"The brief:\n\n{fenced('brief', brief.text())}\n\nThe proposed directives:\n\n{_shown(draft.directives)}\n\n"
        "Look for what is wrong: a part of the brief that none covers, two that overlap, one that cannot be understood "
        "alone, one that the brief did not ask for, one that is too wide for a few searches. Set sound if nothing is; "
        "else list the faults, a sentence each."
    )
    return Question("round.1.critique", SUPERVISE, prompt, CRITIQUE, _read_critique)


def revision(brief: Brief, draft: Reply, faults: Sequence[str], limit: int) -> Question[Reply]:
    """Round 1: the corrected draft."""
    told = "\n".join(f"- {fault}" for fault in faults)
    prompt = (
        f"The brief:\n\n{fenced('brief', brief.text())}\n\nThe proposed directives:\n\n{_shown(draft.directives)}\n\n"
        f"A critic found:\n\n{fenced('faults', told)}\n\nGive the directives anew, at most {limit}, with these faults "
        "put right where the critic is right."
    )
    return Question(
        "round.1.revision", SUPERVISE, prompt, DIRECTIVES, partial(_read_directives, 1, limit, ())
    )


def next_round(
    number: int, brief: Brief, topics: Sequence[Topic], limit: int, *, rounds: int, insist: bool = False
) -> Question[Reply]:
    """What is still missing, if anything. ``insist``: it was declared complete with too few sources."""
    thin = [topic.directive.research_topic[:200] for topic in topics if not topic.covered]
    prompt = (
        f"The brief:\n\n{fenced('brief', brief.text())}\n\nSo far:\n\n{_reported(topics)}\n\n"
        f"{coverage(topics):.0%} of the topics rest on at least {ENOUGH_SOURCES} sources. This is round {number} of at "
        f"most {rounds}. Compare the brief with what was found, part by part. If every part is answered, or cannot be "
        "answered by more searching, set research_complete and name no directives. Otherwise name directives for what "
        f"is missing or contradictory, at most {limit}; never repeat one that was worked on, put it differently. Say "
        "why in rationale."
    )
    if insist:
        told = "\n".join(f"- {topic}" for topic in thin)
        prompt += (
            f"\n\nYou called this complete, but these topics have fewer than {ENOUGH_SOURCES} sources:\n\n"
            f"{fenced('thin', told)}\n\nName directives that come at them from another side, or set research_complete "
            "again and say in rationale why no more can be found."
        )
    done = tuple(topic.directive for topic in topics)
    name = f"round.{number}.again" if insist else f"round.{number}.supervision"
    return Question(name, SUPERVISE, prompt, REPLY, partial(_read_reply, number, limit, done))


def check_directives(value: object, number: int, limit: int) -> tuple[Directive, ...]:
    """Directives edited by a person. After round 1, none means enough. Raises BadAnswer."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadAnswer(
            "directives must be a list of objects with research_topic, perspective, evidence_needed, priority"
        )
    found = _directives(value, number, limit, (), strict=True)
    if not found and number == 1:
        raise BadAnswer("at least one directive is needed; to stop the run, cancel it")
    return found


def _read_directives(number: int, limit: int, done: tuple[Directive, ...], data: JsonObject) -> Reply:
    found = _directives(data["directives"], number, limit, done)
    if not found:
        raise BadAnswer("There is no directive: name at least one.")
    return Reply(False, found, text_of(data, "rationale", SUMMARY))


def _read_reply(number: int, limit: int, done: tuple[Directive, ...], data: JsonObject) -> Reply:
    rationale = text_of(data, "rationale", SUMMARY)
    if data["research_complete"]:
        return Reply(True, (), rationale)
    found = _directives(data["directives"], number, limit, done)
    if not found:
        raise BadAnswer(
            "research_complete is false, but there is no directive that was not worked on already: name one, or set it."
        )
    return Reply(False, found, rationale)


def _read_critique(data: JsonObject) -> list[str]:
    faults = [fault.strip()[:500] for fault in data["faults"] if fault.strip()][:10]
    if not data["sound"] and not faults:
        raise BadAnswer("sound is false, but no fault is named: name it, or set sound.")
    return [] if data["sound"] else faults


def _directives(
    items: list[JsonObject], number: int, limit: int, done: tuple[Directive, ...], *, strict: bool = False
) -> tuple[Directive, ...]:
    """The most important directives, numbered, without topics already researched."""
    seen = {_key(directive.research_topic) for directive in done}
    found: list[Directive] = []
    for item in items:
        priority = item.get("priority")
        directive = Directive(
            "",
            text_of(item, "research_topic", MAX_TOPIC),
            text_of(item, "perspective", MAX_TOPIC),
            text_of(item, "evidence_needed", MAX_TOPIC),
            min(max(priority, 1), 3) if isinstance(priority, int) else 2,
        )
        if not directive.research_topic:
            if strict:
                raise BadAnswer("every directive needs a research_topic")
            continue
        if _key(directive.research_topic) not in seen:
            seen.add(_key(directive.research_topic))
            found.append(directive)
    if strict and len(found) > limit:
        raise BadAnswer(f"there are {len(found)} directives; at most {limit} fit into a round")
    chosen = sorted(found, key=lambda directive: directive.priority)[:limit]
    return tuple(replace(one, id=f"dir-{number}-{place}") for place, one in enumerate(chosen, start=1))


def _key(topic: str) -> str:
    return " ".join(topic.lower().split()).strip(" .?!")


def _shown(directives: Sequence[Directive]) -> str:
    lines = [
        f"{number}. (priority {one.priority}) {one.research_topic}\n   Angle: {one.perspective or '-'}\n"
        f"   Evidence: {one.evidence_needed or '-'}"
        for number, one in enumerate(directives, start=1)
    ]
    return fenced("directives", "\n".join(lines))


def _reported(topics: Sequence[Topic]) -> str:
    parts = []
    for topic in topics:
        head = f"Directive {topic.directive.id}, {len(topic.sources)} sources"
        told = f"Not done: {topic.error}" if topic.error else topic.summary[:SUMMARY]
        parts.append(
            f"{head}\n{fenced('report', f'{topic.directive.research_topic}{chr(10)}{chr(10)}{told}')}"
        )
    return "\n\n".join(parts) or "Nothing was worked on yet."
