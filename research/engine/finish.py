"""From the final document to a checked result."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from entities.gleif.register import Register
from research import audit, rows
from research.audit.witness import fingerprint_of_new
from research.checks.base import Verdict
from research.checks.cited import remember_citations
from research.checks.quotes import coverage
from research.engine import children, lease, statements
from research.engine.answer import FinalDocument
from research.engine.conversation import REFLECTION, REPEATED
from research.engine.journal import Journal
from research.engine.verifying import Subject, verify
from research.errors import InvalidVerbs
from research.jsontext import JsonObject, digest
from research.macros.definition import MacroDefinition
from research.models import Check, ResearchResult, Run, Step
from research.models.states import CheckKind, RunState, StepKind
from research.verbs.check import verb_faults
from research.verbs.render import render_verbs

SLIPS = (REFLECTION, REPEATED, "unknown_tool")  # of the model; they say nothing about the sources
NONE = ("not_found", "not_listed")  # the source has answered: there is none


@dataclass(frozen=True)
class Proposal:
    """The verbs that the data suggests, and what the catalogue says against them."""

    text: str = ""
    faults: list[JsonObject] = field(default_factory=list)


@dataclass(frozen=True)
class Extras:
    """What a workflow knows of its document beside the document itself. ``ungrounded`` None: look at the sources."""

    evidence: list[JsonObject] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    fidelity: JsonObject | None = None
    partial: bool = False
    ungrounded: bool | None = None
    limitations: list[str] = field(default_factory=list)


def early(budget: str) -> list[str]:
    """The sentence a reader of a result needs whose research was ended by a budget; none for an empty name."""
    if budget == REPEATED:
        return ["The model went on making the same calls, which ended the research before it was done."]
    words = {"turns": "model turns", "tool_calls": "tool calls", "time": "time"}
    sentence = f"The budget of {words.get(budget, budget)} ended the research before it was done."
    return [sentence] if budget else []


def propose_verbs(definition: MacroDefinition, params: JsonObject, data: JsonObject) -> Proposal:
    """Render and check the macro's verbs; a fault is a value, so that a person can see and mend it."""
    if not definition.suggested_verbs:
        return Proposal()
    try:
        text = render_verbs(definition.suggested_verbs, params=params, data=data)
    except InvalidVerbs as error:
        return Proposal("", [{"line": 0, "column": 0, "message": error.message}])
    return Proposal(text, verb_faults(text))


def finish_run(
    run: Run,
    definition: MacroDefinition,
    document: FinalDocument,
    journal: Journal,
    register: Register,
    extras: Extras | None = None,
) -> ResearchResult:
    """Check the document, then store it with its verdicts and end the run in one transaction."""
    extras = extras or Extras(evidence=document.evidence)
    subject = Subject(
        data=document.data,
        schema=definition.schema,
        register=register,
        root_id=journal.root_id,
        today=timezone.localdate(),
        evidence=extras.evidence,
    )
    verdicts = [*verify(journal, subject), *extras.verdicts]
    proposal = propose_verbs(definition, run.params, document.data)
    kinds = statements.kinds_of_sources(journal.root_id)
    demo = register.name == "demo" and _asked_register(journal, verdicts, kinds)
    named = [f"Not the live register: {register.label}"] if demo else []
    limitations = list(dict.fromkeys([*extras.limitations, *named, *_limitations(journal.live)]))
    ungrounded = not kinds if extras.ungrounded is None else extras.ungrounded
    extras = replace(extras, verdicts=verdicts, limitations=limitations, ungrounded=ungrounded)
    journal.abandon()
    with _one_transaction(run), children.family(run, RunState.SUCCEEDED):
        result = _result(run, definition, document, extras, proposal)
        new = (
            journal.remarks(),
            [result],
            _checks(result, extras.verdicts),
            [
                audit.about(
                    "run.succeeded",
                    run,
                    None,
                    fingerprint_of_new(result),
                    result=str(result.pk),
                    digest=result.digest,
                )
            ],
        )
        besides = [group for group in new if group]
        over = {"phase": "done", "error": None, "finished_at": timezone.now()}
        lease.release(run.pk, journal.fence, RunState.SUCCEEDED, changes=over, besides=besides)
        if any(verdict.kind == CheckKind.CITATION for verdict in extras.verdicts):
            transaction.on_commit(partial(remember_citations, result.pk, document.data), robust=True)
    return result


def _one_transaction(run: Run) -> AbstractContextManager[object]:
    """The end of a run that works for no other is one statement on PostgreSQL, and needs none around it."""
    alone = run.parent_id is None and statements.on_postgresql()
    return nullcontext() if alone else transaction.atomic()


def store_checks(result: ResearchResult, verdicts: list[Verdict]) -> None:
    """Write the verdicts in their order."""
    rows.insert(*_checks(result, verdicts))


def _checks(result: ResearchResult, verdicts: list[Verdict]) -> list[Check]:
    now = timezone.now()
    return [
        Check(
            result=result,
            ordinal=ordinal,
            kind=verdict.kind,
            code=verdict.code,
            pointer=verdict.pointer[:500],
            subject=verdict.subject[:300],
            verdict=verdict.verdict,
            message=verdict.message,
            evidence=verdict.evidence,
            as_of=verdict.as_of[:40],
            checked_at=now,
        )
        for ordinal, verdict in enumerate(verdicts, start=1)
    ]


def _result(
    run: Run,
    definition: MacroDefinition,
    document: FinalDocument,
    extras: Extras,
    proposal: Proposal,
) -> ResearchResult:
    errors = [v for v in extras.verdicts if v.kind == CheckKind.SCHEMA and v.verdict == "fail"]
    return ResearchResult(
        run=run,
        session_id=run.session_id,
        data=document.data,
        digest=digest(document.data),
        schema_valid=not errors,
        schema_errors=[{"pointer": error.pointer, "message": error.message} for error in errors],
        repaired=document.repaired,
        ungrounded=bool(extras.ungrounded),
        partial=extras.partial,
        evidence=extras.evidence,
        coverage=coverage(document.data, definition.schema, extras.verdicts),
        fidelity=extras.fidelity,
        search_quality=_search_quality(document.data),
        limitations=extras.limitations,
        suggested_verbs=proposal.text,
        verb_faults=proposal.faults,
        review=definition.review,
        expires_at=timezone.now() + timedelta(days=settings.DOSSIER_RESULT_TTL_DAYS),
    )


def _search_quality(data: JsonObject) -> str:
    quality = str(data.get("search_quality", "")).upper()
    return quality if quality in {"HIGH", "MEDIUM", "LOW"} else ""


def _asked_register(journal: Journal, verdicts: Sequence[Verdict], kinds: set[str]) -> bool:
    """Whether a tool or a check of the family has asked the register anything."""
    if any(verdict.kind == CheckKind.LEI for verdict in verdicts):
        return True
    calls = [step.answer for step in journal.live if step.kind == StepKind.TOOL and step.answer]
    return "register" in kinds or any("register" in answer.get("data", {}) for answer in calls)


def _limitations(live: Sequence[Step]) -> list[str]:
    """Sentences on what was not to be had: tools that failed in whole or in part."""
    return [
        sentence
        for step in live
        if step.kind == StepKind.TOOL and step.answer
        for sentence in _lacking(step.name, step.answer)
    ]


def _lacking(tool: str, answer: JsonObject) -> list[str]:
    """What one answer did not give: all of it, or the ``failed`` parts and the ``limitation`` that it names.

    That there is none is an answer; only of what may exist all the same a reader is told that it was not found.
    """
    if not answer.get("success", True):
        error = answer["error"]
        reason = error.get("message", "no reason given")
        if error.get("code") in NONE:
            return [f"{tool}: {reason}"] if error.get("may_exist") else []
        return [] if error.get("code") in SLIPS else [f"{tool} gave no answer: {reason}"]
    data = answer.get("data", {})
    parts = [*data.get("failed", []), *([data["limitation"]] if "limitation" in data else [])]
    return [f"{tool}: {_place(part)}{part['message']}" for part in parts if "message" in part]


def _place(part: JsonObject) -> str:
    return f"{part['url']}: " if "url" in part else ""
