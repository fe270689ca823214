"""Why a run ended without a result, or waits, as a person reads it: what happened, and what to do next.

The codes are those of ``Run.error``: of the engine, of the faults of language models
(``research/llm/interface.py``), of the register and of the register researcher. A code that is not here keeps the
sentence it came with.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.timesince import timeuntil

from common.program import typed
from research.engine.outages import OUTAGES
from research.jsontext import JsonObject
from research.models import Run, Step
from research.models.states import OPEN_RUN_STATES, RunState, StepKind
from research.services.checkpoints import least_budget

AGAIN = "Resume the run: what it has learnt and paid for is kept."
SAME_AGAIN = (
    "Start it anew with other words, or with another model: asked again, the answer would be the same."
)
THEN_RESUME = "then resume the run"  # in advice on what has to be put right before
KEY = "Whoever runs Dossier has to look at the key and the account behind DOSSIER_MODEL; then resume the run."

DEMO_SENTENCE = "The demo register knows nobody by that name."
DEMO_ADVICE = (
    "It holds only a small selection of real entities, such as Allianz SE or Shell plc. For any other one Dossier "
    f"has to reach GLEIF, or its register is imported: {typed('lei sync')}."
)

_EXPLAINED: dict[str, tuple[str, str]] = {
    "refusal": ("The model declined to answer.", SAME_AGAIN),
    "content_filter": ("The provider's content filter stopped the answer.", SAME_AGAIN),
    "max_tokens": (
        "The answer was longer than one answer of the model may be, and was cut off. A cut document is never used.",
        "Ask for less, for example fewer entities, or use a model that may write longer answers; then start a new run.",
    ),
    "context": (
        "The research became longer than the model can read.",
        "Start it anew with a smaller question or a lower depth, or use a model that reads more.",
    ),
    "quota": ("The account with the provider of the model is used up.", KEY),
    "auth": ("The provider of the model does not accept the key.", KEY),
    "no_price": (
        "Nobody has entered what this model costs, and a run with a budget in USD may not guess it.",
        f"Enter it under Model prices in the admin, or with {typed('research prices --set')}; then resume the run.",
    ),
    "invalid": (
        "The provider of the model did not understand the request.",
        "This is a fault of Dossier or of the model's name in DOSSIER_MODEL; the log says more.",
    ),
    "unsupported": (
        "The model cannot do what this macro needs.",
        "Use another model, or list this one in DOSSIER_MODEL_TEXT_PROTOCOL; then resume the run.",
    ),
    "rate_limit": ("The provider of the model had no room for more requests.", AGAIN),
    "overloaded": ("The provider of the model was overloaded.", AGAIN),
    "server": ("The provider of the model had a fault of its own.", AGAIN),
    "timeout": ("The model did not answer in time.", AGAIN),
    "network": ("The provider of the model could not be reached.", AGAIN),
    "truncated": ("The answer of the model broke off on its way.", AGAIN),
    "interrupted": ("Workers died again and again while the model was asked.", AGAIN),
    "model_unavailable": ("No model could be asked.", AGAIN),
    "unknown_model": (
        "There is no model of that name.",
        "Look at DOSSIER_MODEL: docs/tasks/connect-a-model.md has what it may say.",
    ),
    "invalid_json": ("The final answer is not a document that can be read.", AGAIN),
    "no_answer": ("The model did not come to an answer.", AGAIN),
    "error": ("The model stopped without an answer.", SAME_AGAIN),
    "budget": (
        "The budget of the run is spent.",
        "Start it anew with a greater depth or budget.",
    ),
    "deadline": ("The time for this run is over.", AGAIN),
    "not_found": (
        "The register knows nobody by that name.",
        "Look at the nearest names, or give the LEI itself or the jurisdiction.",
    ),
    "ambiguous": (
        "Several entities could be meant.",
        "Give the LEI of the one that is meant, or its jurisdiction.",
    ),
    "register_unavailable": ("The LEI register could not be asked.", AGAIN),
    "invalid_question": (
        "Nothing in the question can be searched for.",
        "Ask anew with a legal term, an article, or words that say what it is about.",
    ),
    "internal": ("A fault of Dossier's own ended the run.", AGAIN),
}
_LOOK = "Look at it on its page, change what is wrong, and go on; or cancel."
_WAITS: dict[str, tuple[str, str]] = {
    "budget": (
        "The budget does not suffice for the next call. What was found is kept.",
        "Give it a larger budget to go on, or cancel the run.",
    ),
    "plan": ("The run shows its plan and waits.", "Look at the plan on its page, then confirm or cancel."),
    "clarification": ("The run has a question before it begins.", "Answer it and go on, or cancel."),
    "understand": ("The run shows how it understood the question and waits.", _LOOK),
    "brief": ("The run shows what it is going to find out and waits.", _LOOK),
    "directives": ("The run shows what its researchers are to look for and waits.", _LOOK),
    "search": ("The run shows what it found so far and waits.", _LOOK),
    "sources": (
        "What the run asked gave nothing, or not all of it could be reached, and it waits.",
        "Look at why on its page; then have it go on, or finish with what there is, or cancel.",
    ),
    "verify": ("The run shows which citations it could verify and waits.", _LOOK),
    "synthesis": ("The run is about to write its report and waits.", _LOOK),
    "synthesize": ("The run shows a draft of its findings and waits.", _LOOK),
    "deliver": ("The run shows a draft of its memo and waits.", _LOOK),
}
_ANY_WAIT = ("The run waits for a person.", "Confirm it, or cancel it.")


@dataclass(frozen=True)
class Trouble:
    """A sentence on what happened, one on what to do, the words of whoever reported it, and the model's last ones."""

    sentence: str
    advice: str
    detail: str = ""
    said: str = ""

    def as_json(self) -> JsonObject:
        return dict(vars(self))


def explain_error(error: JsonObject | None) -> Trouble | None:
    """What ended a run, from its ``error``; None when nothing did."""
    if not error:
        return None
    detail, said = str(error.get("message") or ""), str(error.get("said") or "")
    known = _EXPLAINED.get(str(error.get("reason") or "")) or _EXPLAINED.get(str(error.get("code") or ""))
    if known is None:
        return Trouble(detail or "The run failed.", AGAIN if error.get("retryable") else "", said=said)
    return Trouble(*known, detail=detail, said=said)


@dataclass(frozen=True)
class Resuming:
    """Whether a run is to be resumed ``first``, before it is asked anew, and in which words that is offered."""

    first: bool
    words: str = "Resume"
    why: str = ""


def resuming(run: Run) -> Resuming:
    """Of a run that is over without a result; ``why`` is what has to be done before, or would help more."""
    told = explain_end(run)
    if told is None or told.advice == AGAIN:
        return Resuming(first=True)
    if THEN_RESUME in told.advice:
        return Resuming(first=True, words="Resume, once that is done", why=told.advice)
    return Resuming(first=False, words="Resume all the same", why=told.advice or "It would end the same way.")


def explain_wait(run: Run, now: datetime) -> Trouble | None:
    """What a run that is not over waits for; None while somebody works on it, and when it is over."""
    if run.state == RunState.QUEUED:
        return Trouble("The run waits for a worker.", "One takes it up as soon as one runs and is free.")
    if run.state == RunState.AWAITING_CHILDREN:
        over = run.children.exclude(state__in=OPEN_RUN_STATES).count()
        return Trouble(f"The run waits for its parts: {over} of {run.children.count()} are over.", "")
    if run.state == RunState.AWAITING_CONFIRMATION:
        asked = what_it_asks(run)
        if run.parent_id:
            return Trouble(asked.sentence, "This is decided at the run it works for.")
        least = least_budget(run)
        return replace(asked, detail=f"The new budget {least.sentence}.") if least else asked
    return _parked(run, now) if run.state == RunState.WAITING else None


def what_it_asks(run: Run) -> Trouble:
    """What a run wants of a person, from the run alone."""
    return Trouble(*_WAITS.get(run.phase.partition(".")[0], _ANY_WAIT))


def what_it_does(run: Run) -> Trouble:
    """What a run that is under way does or waits for, in a word or two and from the run alone; then its phase."""
    words = {
        RunState.QUEUED: "waits for a worker",
        RunState.AWAITING_CHILDREN: "its parts are at work",
        RunState.WAITING: f"goes on by itself at {run.wake_at:%H:%M} UTC" if run.wake_at else "rests",
    }
    return Trouble(words.get(RunState(run.state), "a worker is at it"), run.phase.replace(".", " "))


def explain_end(run: Run) -> Trouble | None:
    """What ended a run; of one that asked the demo register also that this is not the whole register."""
    told = explain_error(run.error)
    if told and run.register == "demo" and (run.error or {}).get("code") == "not_found":
        return replace(told, sentence=DEMO_SENTENCE, advice=DEMO_ADVICE)
    return told


def _parked(run: Run, now: datetime) -> Trouble:
    """A provider that wants to be left alone for longer than a worker waits."""
    why = explain_error(last_failure(run) or _outage(run))
    until = ""
    if run.wake_at:
        left = timeuntil(run.wake_at, now)
        until = f" It goes on by itself at {run.wake_at:%Y-%m-%d %H:%M} UTC, in {left}."
    sentence = f"{why.sentence if why else 'A provider wants to be asked later.'}{until}"
    return Trouble(
        sentence, "There is nothing to do; cancel it if you no longer need it.", why.detail if why else ""
    )


def _outage(run: Run) -> JsonObject | None:
    """Why nobody asks the model of a run for the moment, as other runs have found out."""
    outage = OUTAGES.known(run.model.rpartition(",")[2].strip())
    return outage.error if outage else None


def last_failure(run: Run) -> JsonObject | None:
    """The error of the last attempt to ask a model, if it failed."""
    steps: Any = Step.objects.filter(run=run, kind=StepKind.MODEL, answer__isnull=False)
    answer = steps.order_by("-seq").values_list("answer", flat=True).first() or {}
    error = answer.get("error") if answer.get("success") is False else None
    return error if isinstance(error, dict) else None


def used_by(run: Run) -> JsonObject:
    """How far a run is within what it may use: ``{turns, max_turns, tool_calls, max_tool_calls}``.

    An attempt that failed is no turn: a run may wait for its provider as often as it must.
    """
    steps: Any = Step.objects.filter(run=run, answer__isnull=False)
    told = steps.values_list("kind", "answer__success")
    kinds = [kind for kind, success in told if kind != StepKind.MODEL or success is not False]
    return {
        "turns": kinds.count(StepKind.MODEL),
        "max_turns": run.max_turns,
        "tool_calls": kinds.count(StepKind.TOOL),
        "max_tool_calls": run.max_tool_calls,
    }


def used_words(run: Run) -> str:
    """The same in words."""
    return "{turns} of {max_turns} turns, {tool_calls} of {max_tool_calls} tool calls".format(**used_by(run))
