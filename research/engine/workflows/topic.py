"""One researcher on one directive of a deep run: a conversation with tools, then a summary without losses."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from research.engine.agent_loop import Brief
from research.engine.conversation import ASK, BUDGET, rebuild
from research.engine.deep import researcher
from research.engine.deep.guard import losses
from research.engine.deep.researcher import Cited
from research.engine.deep.supervision import Directive
from research.engine.results import SLIPS
from research.engine.sources import Ledger
from research.engine.stops import Ended
from research.engine.worker import Worker
from research.jsontext import JsonObject
from research.llm.interface import Message, Turn
from research.models import Step
from research.models.states import StepKind
from research.tools.tool import COMPLETE

SEARCH = "web_search"


@dataclass(frozen=True)
class _Heard:
    """The result of a conversation. ``trouble`` is the reason if it ended early."""

    messages: Sequence[Message]
    said: str
    trouble: str = ""


class Topic:
    """Research → compression → output for the parent. No result to review."""

    def perform(self, worker: Worker) -> None:
        directive = Directive(**worker.run.params["directive"])
        worker.enter("research")
        heard = _research(worker, directive)
        steps = [step for step in worker.journal.live if step.kind == StepKind.TOOL]
        sources = found_sources(worker.journal.live)
        cited = cited_by_provider(worker.journal.live)
        notes = researcher.raw_notes(heard.messages, cited) if sources else ""
        worker.enter("compression")
        compressed, cut = _compress(worker, directive, notes) if notes else (heard.said, [])
        given = researcher.outcome(
            compressed,
            notes,
            heard.said,
            sources,
            searches=sum(
                step.name == SEARCH and bool(step.answer and step.answer.get("success")) for step in steps
            ),
            complete=any(step.name == COMPLETE for step in steps),
            cut=cut,
        )
        worker.end({**given, "trouble": heard.trouble, "failures": _failures(steps)})


def left_notes(steps: Sequence[Step], ledger: Ledger) -> JsonObject:
    """The notes of an unfinished researcher, in the shape of an output."""
    sources = found_sources(steps)
    messages = rebuild(steps, "", ledger.hydrate).messages
    notes = researcher.raw_notes(messages, cited_by_provider(steps)) if sources else ""
    return researcher.outcome("", notes, "", sources, searches=0, complete=False) if notes else {}


def found_sources(steps: Sequence[Step]) -> list[int]:
    """Ledger numbers of the sources in a conversation, from tools and from the provider's own search."""
    given = [step.answer.get("sources") or () for step in steps if step.answer and _is_heard(step)]
    numbers = [item.get("number") for sources in given for item in sources]
    return list(dict.fromkeys(number for number in numbers if isinstance(number, int)))


def cited_by_provider(steps: Sequence[Step]) -> list[Cited]:
    """Citations of the provider's own search, with ledger numbers."""
    turns = [step.answer for step in steps if step.answer and _is_heard(step) and step.kind == StepKind.MODEL]
    return [
        Cited(entry["number"], one["title"], one["url"], one["quote"])
        for turn in turns
        for one, entry in zip(
            filter(_has_address, turn.get("citations", ())), turn.get("sources", ()), strict=False
        )
        if "number" in entry
    ]


def _is_heard(step: Step) -> bool:
    """Whether a step belongs to the conversation, rather than to other questions of the workflow."""
    return step.kind == StepKind.TOOL or (step.kind == StepKind.MODEL and ASK not in step.intent)


def _has_address(citation: JsonObject) -> bool:
    return bool(citation["url"])


def _research(worker: Worker, directive: Directive) -> _Heard:
    run = worker.run
    today = date.fromisoformat(worker.once("opening", _opening)["today"])
    prompt = researcher.assignment(directive, str(run.params.get("briefing", "")))
    brief = Brief(
        system=researcher.system_prompt(run.max_tool_calls, today),
        prompt=prompt,
        tools=worker.tools,
        schema=None,
        max_turns=run.max_turns,
        max_tool_calls=run.max_tool_calls,
    )
    try:
        talk = worker.converse(brief)
    except Ended as end:
        if not found_sources(worker.journal.live):
            raise
        return _Heard(rebuild(worker.journal.live, prompt, worker.ledger.hydrate).messages, "", str(end))
    trouble = _trouble(talk.last_turn)
    if trouble and not found_sources(worker.journal.live):
        raise Ended(talk.last_turn.stop, trouble)
    last = "" if talk.last_turn.stop == "refusal" else talk.last_turn.text
    said = "\n\n".join(dict.fromkeys(part for part in (last, talk.summary) if part))
    return _Heard(talk.messages, said, trouble)


def _trouble(turn: Turn) -> str:
    """Why a turn is no final answer."""
    if turn.stop in ("end", "tools"):
        return ""
    if turn.stop == "max_tokens":
        return "its report was cut off"
    return f"the model did not give a report ({turn.stop}): {turn.text[:300]}".rstrip(" :")


def _compress(worker: Worker, directive: Directive, notes: str) -> tuple[str, list[str]]:
    """The summary, repeated once if it lost something, and the reason if there is none: then the notes are used."""
    try:
        system, prompt = researcher.compression(directive, notes)
        compressed, cut = _whole(worker.ask("compression", worker.request(system, prompt)))
        if lost := cut or losses(notes, compressed):
            system, prompt = researcher.compression(directive, notes, lost)
            compressed, cut = _whole(worker.ask("compression.again", worker.request(system, prompt)))
    except Ended as end:
        return "", [str(end)]
    return compressed, cut


def _whole(turn: Turn) -> tuple[str, list[str]]:
    """The text of a complete answer, or why it is incomplete."""
    if turn.stop == "end":
        return turn.text, []
    return "", ["It was cut off." if turn.stop == "max_tokens" else f"The model gave none ({turn.stop})."]


def _opening() -> JsonObject:
    return {"today": timezone.localdate().isoformat()}


def _failures(steps: Sequence[Step]) -> list[str]:
    """Why web tools gave nothing, without repetitions."""
    said = [
        f"{step.name}: {(step.answer or {}).get('error', {}).get('message', 'no answer')}"
        for step in steps
        if step.answer
        and not step.answer.get("success", True)
        and step.answer["error"].get("code") not in (BUDGET, *SLIPS)
    ]
    said += [
        f"{step.name}: {part['message']}"
        for step in steps
        for part in (step.answer or {}).get("data", {}).get("failed", ())
        if "message" in part
    ]
    return list(dict.fromkeys(said))[:5]
