"""From the final document to a checked result."""

from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from entities.gleif.register import Register
from research import audit
from research.checks.base import Verdict
from research.checks.run import check_data
from research.engine import lease
from research.engine.answer import FinalDocument
from research.engine.conversation import live_steps
from research.engine.journal import Journal, give_connection_back
from research.errors import InvalidVerbs
from research.jsontext import JsonObject, digest
from research.macros.definition import MacroDefinition
from research.models import Check, ResearchResult, Run, Source, Step
from research.models.states import CheckKind, RunState, StepKind
from research.verbs.check import verb_faults
from research.verbs.render import render_verbs


@dataclass(frozen=True)
class Proposal:
    """The verbs that the data suggests, and what the catalogue says against them."""

    text: str = ""
    faults: list[JsonObject] = field(default_factory=list)


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
    run: Run, definition: MacroDefinition, document: FinalDocument, journal: Journal, register: Register
) -> ResearchResult:
    """Check the document, store it with its verdicts, and end the run: one transaction after the checks are done."""
    step = journal.intend(StepKind.CHECK, "checks", {"digest": digest(document.data)})
    give_connection_back()
    verdicts = check_data(document.data, definition.schema, register, today=timezone.localdate())
    proposal = propose_verbs(definition, run.params, document.data)
    journal.answer(step, _tally(verdicts))
    with transaction.atomic():
        result = _store_result(run, definition, document, verdicts, proposal, register)
        lease.release(
            run.pk, journal.fence, RunState.SUCCEEDED, phase="done", error=None, finished_at=timezone.now()
        )
        audit.record("run.succeeded", run, result=str(result.pk))
    return result


def store_checks(result: ResearchResult, verdicts: list[Verdict]) -> None:
    """Write the verdicts in their order."""
    now = timezone.now()
    Check.objects.bulk_create(
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
    )


def _store_result(
    run: Run,
    definition: MacroDefinition,
    document: FinalDocument,
    verdicts: list[Verdict],
    proposal: Proposal,
    register: Register,
) -> ResearchResult:
    errors = [v for v in verdicts if v.kind == CheckKind.SCHEMA and v.verdict == "fail"]
    result = ResearchResult.objects.create(
        run=run,
        session_id=run.session_id,
        data=document.data,
        digest=digest(document.data),
        schema_valid=not errors,
        schema_errors=[{"pointer": error.pointer, "message": error.message} for error in errors],
        repaired=document.repaired,
        ungrounded=not Source.objects.filter(run=run).exists(),
        search_quality=_search_quality(document.data),
        limitations=_limitations(run, register),
        suggested_verbs=proposal.text,
        verb_faults=proposal.faults,
        review=definition.review,
        expires_at=timezone.now() + timedelta(days=settings.DOSSIER_RESULT_TTL_DAYS),
    )
    store_checks(result, verdicts)
    return result


def _search_quality(data: JsonObject) -> str:
    quality = str(data.get("search_quality", "")).upper()
    return quality if quality in {"HIGH", "MEDIUM", "LOW"} else ""


def _limitations(run: Run, register: Register) -> list[str]:
    """Sentences on what was not to be had: tools that failed, and a register that is not the live one."""
    failed = [
        f"{step.name} gave no answer: {step.answer['error'].get('message', 'no reason given')}"
        for step in live_steps(list(Step.objects.filter(run=run, kind=StepKind.TOOL).order_by("seq")))
        if step.answer and not step.answer.get("success", True)
    ]
    demo = [f"Not the live register: {register.label}"] if register.name == "demo" else []
    return list(dict.fromkeys(demo + failed))


def _tally(verdicts: list[Verdict]) -> JsonObject:
    counts = dict.fromkeys(("pass", "warn", "fail", "unknown"), 0)
    for verdict in verdicts:
        counts[verdict.verdict] += 1
    return counts
