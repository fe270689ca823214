"""Language models: each is asked the shortest conversation that a run could have, a call of a tool and a document."""

import time
from functools import partial

from django.conf import settings
from django.db import DatabaseError

from common.commands.progress import duration
from common.program import typed
from research.doctor.findings import Examination, Finding
from research.llm.interface import Message, Model, ModelFault, ModelRequest, Task, ToolAnswer, ToolSpec, Turn
from research.llm.models import UnknownModel, model_names, open_model, without
from research.services.prices import models_without_price
from research.services.system_checks import missing_key

ROOM = "Models"
LIMIT = 90.0  # seconds: a model of one's own may have to be loaded first
TOKENS = 1_000  # of one answer; what a model thinks counts
TOOL = ToolSpec(
    "look_up",
    "Look up the legal name of a company.",
    {
        "type": "object",
        "properties": {"company": {"type": "string"}},
        "required": ["company"],
        "additionalProperties": False,
    },
)
SCHEMA = {
    "type": "object",
    "properties": {"legal_name": {"type": "string"}},
    "required": ["legal_name"],
    "additionalProperties": False,
}
NAME = "Example Aktiengesellschaft"
ASKED = Message(
    "user", 'Call the tool look_up once with the company "Example". Then answer with its legal name.'
)
LACKS = {"tools": "writes its calls of tools as text", "schema": "its server knows no JSON schema"}
FAULTS = {
    "auth": "Look at {key} and the account behind it.",
    "quota": "Look at the account behind {key}: its credit is used up.",
    "invalid": "Look at the name of the model in DOSSIER_MODEL: it has to be the provider's own.",
    "network": "Look at the base URL of the provider, and whether this machine gets there.",
    "timeout": "Look whether the server of the model runs and has loaded it.",
    "rate_limit": "Ask again in a while; it has nothing to do with Dossier.",
    "unsupported": "Name it in DOSSIER_MODEL_TEXT_PROTOCOL, or use another model.",
}


def examinations() -> list[Examination]:
    """Prices are looked up here: what asks outside touches no database."""
    try:
        priceless = set(models_without_price())
    except DatabaseError:
        priceless = set()
    return [_of(name, priced=name not in priceless) for name in model_names(settings.DOSSIER_MODEL)]


def _of(name: str, *, priced: bool) -> Examination:
    if name == "register":
        told = "The rule-based researcher, which needs no key and knows the macros that come with Dossier."
        return Examination(ROOM, name, lambda: Finding("ok", told))
    try:
        model = open_model(name)
    except UnknownModel as error:
        return Examination(
            ROOM,
            name,
            partial(Finding, "broken", str(error), "docs/tasks/connect-a-model.md says what it may be."),
        )
    if variable := missing_key(model):
        lacking = Finding("broken", f"{variable} is not set.", f"Set {variable} (or {variable}_FILE).")
        return Examination(ROOM, name, lambda: lacking)
    return Examination(ROOM, name, partial(_asked, model, priced=priced), outside=True, limit=LIMIT)


def _asked(model: Model, *, priced: bool) -> Finding:
    """One small conversation as a run has it: what its server refuses is left away, and told."""
    lacks: list[str] = []
    started = time.monotonic()
    try:
        model, first = _complete(model, (ASKED,), (TOOL,), None, lacks)
        called = next((call for call in first.tool_calls if call.name == TOOL.name), None)
        if called is None:
            return Finding("broken", f"It answers, and called no tool ({first.stop}).", _no_tools(model))
        answer = ToolAnswer(called.id, called.name, {"success": True, "data": {"legal_name": NAME}})
        talk = (ASKED, Message("assistant", turn=first), Message("tool", answers=(answer,)))
        model, last = _complete(model, talk, (), SCHEMA, lacks)
    except ModelFault as fault:
        key = model_key(model)
        return Finding("broken", fault.message, FAULTS.get(fault.kind, "").format(key=key))
    seconds = time.monotonic() - started
    return _judged(model, (first, last), seconds, lacks, priced=priced)


def _complete(
    model: Model, talk: tuple[Message, ...], tools: tuple[ToolSpec, ...], schema: object, lacks: list[str]
) -> tuple[Model, Turn]:
    """A turn, of the model without what its server refuses; that is added to ``lacks``. Raises ModelFault."""
    task = Task("doctor", "doctor", {})
    request = ModelRequest("You are being tested. Be brief.", talk, tools, schema, task, TOKENS)  # type: ignore[arg-type]
    while True:
        try:
            return model, model.complete(request)
        except ModelFault as fault:
            fewer = without(model, fault)
            if fewer is None:
                raise
            lacks.append(LACKS.get(fault.feature, f"its server refuses {fault.feature}"))
            model = fewer


def _judged(
    model: Model, turns: tuple[Turn, Turn], seconds: float, lacks: list[str], *, priced: bool
) -> Finding:
    usage = [turn.usage for turn in turns if turn.usage and turn.usage.known]
    written = sum(one.output_tokens for one in usage)
    speed = (
        f"{written / seconds:.0f} tokens a second"
        if written and seconds
        else "how many tokens it used is not told"
    )
    answered = turns[1].model or turns[0].model
    parts = [
        f"It called the tool and wrote the document in {duration(seconds)} ({speed})",
        f"reads {model.abilities.context_tokens:,} tokens as far as Dossier knows",
        *lacks,
        *([f"answered as {answered}"] if answered and answered not in model.name else []),
    ]
    told = "; ".join(parts) + "."
    if NAME not in turns[1].text:
        return Finding(
            "warning", f"{told} The document does not say what the tool had said.", "Use a stronger model."
        )
    if not priced:
        return Finding(
            "warning",
            f"{told} Nobody has entered what it costs.",
            f"Run: {typed('research prices --set MODEL …')}",
        )
    return Finding("ok", told)


def model_key(model: Model) -> str:
    """The variable that holds its key."""
    endpoint = getattr(getattr(model, "inner", model), "endpoint", None)
    return getattr(endpoint, "needs", "") or "its key"


def _no_tools(model: Model) -> str:
    name = model.name.partition(":")[2]
    return f"Name it in DOSSIER_MODEL_TEXT_PROTOCOL ({name}), or use a model that calls tools."
