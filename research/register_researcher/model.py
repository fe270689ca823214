"""The register researcher as a model: stateless, deterministic, no key.

Every turn replays the playbook over the tool answers in the conversation and returns what it wants next. The same
conversation therefore always gives the same turn, on any machine.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from research.jsontext import JsonObject, digest, storable_json
from research.llm.interface import Abilities, ModelRequest, Task, ToolAnswer, ToolCall, Turn
from research.macros.quality import FIELD, Outcome, no_better, quality_of
from research.register_researcher.discovery import client_discovery
from research.register_researcher.entity import entity_research
from research.register_researcher.ownership import ubo_investigation
from research.register_researcher.playbook import Refusal, Steps, error_of
from research.register_researcher.regulatory import regulatory_check

Playbook: TypeAlias = Callable[[Task, frozenset[str]], Steps[JsonObject]]
"""The task, and the names of the tools that are offered: what an installation has not set up is not among them."""

PLAYBOOKS: Mapping[str, Playbook] = {
    "client-discovery-result": lambda task, _offered: client_discovery(task),
    "ubo-investigation-result": ubo_investigation,
    "regulatory-check-result": regulatory_check,
    "entity-research-result": entity_research,
}
NEEDED = {
    "client-discovery-result": {
        "lei_search",
        "lei_record",
        "lei_parents",
        "lei_children",
        "lei_managed_funds",
    },
    "ubo-investigation-result": {"lei_search", "lei_record", "lei_parents"},
    "regulatory-check-result": {"lei_search", "lei_record", "lei_parents"},
    "entity-research-result": {"lei_search", "lei_record", "lei_parents"},
}


class RegisterModel:
    """Holds the playbooks of the built-in macros. Refuses any other task with a sentence on what to do."""

    name = "register"
    abilities = Abilities(tools=True, schema=True, language=False)

    def complete(self, request: ModelRequest) -> Turn:
        """The next turn: tool calls, the final JSON document as text, or a refusal. Never raises."""
        try:
            schema_name = request.task.schema_name
            playbook = PLAYBOOKS.get(schema_name)
            if playbook is None:
                raise Refusal(
                    "unsupported_macro",
                    f"The register researcher has no playbook for the macro {request.task.macro!r}. "
                    "Configure a language model (DOSSIER_MODEL) to run it.",
                    supported=sorted(PLAYBOOKS),
                )
            missing = sorted(NEEDED[schema_name] - {tool.name for tool in request.tools})
            if missing:
                raise Refusal(
                    "unsupported_macro",
                    f"The macro {request.task.macro!r} does not offer {', '.join(missing)}, without which the register "
                    "researcher cannot work. Add them to its tools, or configure a language model (DOSSIER_MODEL).",
                    missing_tools=missing,
                )
            offered = frozenset(tool.name for tool in request.tools)
            return _replay(
                playbook(request.task, offered),
                {answer.call_id: answer for message in request.messages for answer in message.answers},
                request.schema or {},
            )
        except Refusal as refusal:
            return Turn(text=refusal.message, stop="refusal", detail=storable_json(refusal.detail))


def _replay(steps: Steps[JsonObject], answers: Mapping[str, ToolAnswer], schema: JsonObject) -> Turn:
    try:
        asks = next(steps)
        turn = 1
        while True:
            # Ids hold turn, place and a digest of the arguments, so an answer can only match its own call.
            calls = tuple(
                ToolCall(
                    f"{turn}.{place}-{ask.tool}-{digest(storable_json(ask.arguments))[:8]}",
                    ask.tool,
                    ask.arguments,
                )
                for place, ask in enumerate(asks, start=1)
            )
            if any(call.id not in answers for call in calls):
                return Turn(tool_calls=calls, stop="tools")
            asks = steps.send([answers[call.id] for call in calls])
            turn += 1
    except StopIteration as end:
        document = _judged(end.value, list(answers.values()), schema)
        return Turn(text=json.dumps(storable_json(document), ensure_ascii=False, indent=2), stop="end")


def _judged(document: JsonObject, answers: Sequence[ToolAnswer], schema: JsonObject) -> JsonObject:
    """The document with its search quality, judged as for every researcher."""
    if FIELD not in document:
        return document
    quality, _ = quality_of([_outcome(answer) for answer in answers], document, schema)
    return {**document, FIELD: no_better(document[FIELD], quality)}


def _outcome(answer: ToolAnswer) -> Outcome:
    if error_of(answer):
        return "failed"
    data = answer.content.get("data") or {}
    candidates = data.get(
        "candidates", [one for each in data.get("registers", ()) for one in each.get("candidates", ())]
    )
    in_vain = answer.name.endswith("_search") and (not candidates or data.get("outcome") == "none")
    return "nothing" if in_vain else "found"
