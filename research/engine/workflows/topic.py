"""One researcher on one directive of a deep run: a conversation with tools, then a summary that lost nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from research.engine.conversation import ASK, BUDGET, rebuild
from research.engine.conversing import Brief
from research.engine.deep import researcher
from research.engine.deep.guard import losses
from research.engine.deep.researcher import Cited
from research.engine.deep.supervision import Directive
from research.engine.ending import Ended
from research.engine.finish import SLIPS
from research.engine.sources import Ledger
from research.engine.worker import Worker
from research.jsontext import JsonObject
from research.llm.base import Message, Turn
from research.models import Step
from research.models.states import StepKind
from research.tools.base import COMPLETE

SEARCH = "web_search"


@dataclass(frozen=True)
class _Heard:
    """What a conversation amounts to; ``trouble`` is why it ended early."""

    messages: Sequence[Message]
    said: str
    trouble: str = ""


class Topic:
    """research → compression → output for the parent; there is no result to review."""

    def perform(self, worker: Worker) -> None:
        directive = Directive(**worker.run.params["directive"])
        worker.enter("research")
        heard = _research(worker, directive)
        steps = _tool_steps(worker)
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
            searches=sum(step.name == SEARCH and _worked(step) for step in steps),
            complete=any(step.name == COMPLETE for step in steps),
            cut=cut,
        )
        worker.end({**given, "trouble": heard.trouble, "failures": _failures(steps)})


def left_notes(steps: Sequence[Step], ledger: Ledger) -> JsonObject:
    """What a researcher that never came to its end had found; the shape of an output."""
    sources = found_sources(steps)
    messages = rebuild(steps, "", ledger.hydrate).messages
    notes = researcher.raw_notes(messages, cited_by_provider(steps)) if sources else ""
    return researcher.outcome("", notes, "", sources, searches=0, complete=False) if notes else {}


def found_sources(steps: Sequence[Step]) -> list[int]:
    """The numbers of the ledger that a conversation was given, by its tools and by its provider's own search."""
    given = [step.answer.get("sources") or () for step in steps if step.answer and _is_heard(step)]
    numbers = [item.get("number") for sources in given for item in sources]
    return list(dict.fromkeys(number for number in numbers if isinstance(number, int)))


def cited_by_provider(steps: Sequence[Step]) -> list[Cited]:
    """What the provider's own search cited, under the numbers that the ledger gave it."""
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
    """Whether a step is part of the conversation, and not what the workflow asked besides."""
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
    """Why a last word is none."""
    if turn.stop in ("end", "tools"):
        return ""
    if turn.stop == "max_tokens":
        return "its report was cut off"
    return f"the model did not give a report ({turn.stop}): {turn.text[:300]}".rstrip(" :")


def _compress(worker: Worker, directive: Directive, notes: str) -> tuple[str, list[str]]:
    """The summary, asked for once more if it lost something, and why there is none: the notes stand for it then."""
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
    """The text of an answer that came to its end, or why it did not."""
    if turn.stop == "end":
        return turn.text, []
    return "", ["It was cut off." if turn.stop == "max_tokens" else f"The model gave none ({turn.stop})."]


def _opening() -> JsonObject:
    return {"today": timezone.localdate().isoformat()}


def _tool_steps(worker: Worker) -> list[Step]:
    return [step for step in worker.journal.live if step.kind == StepKind.TOOL]


def _worked(step: Step) -> bool:
    return bool(step.answer and step.answer.get("success"))


def _failures(steps: Sequence[Step]) -> list[str]:
    """Why web tools gave nothing, each reason once."""
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
