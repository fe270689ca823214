"""From the final document to a checked and stored result."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from entities.gleif.register import Register
from research import audit
from research.audit.witness import fingerprint_of_new
from research.checks.cited import remember_citations
from research.checks.provenance.check import limitations_of
from research.checks.quotes import coverage
from research.checks.verdict import Verdict, clipped
from research.engine import children, lease
from research.engine.answer import FinalDocument
from research.engine.check_steps import Subject, verify
from research.engine.conversation import REFLECTION, REPEATED
from research.engine.journal import Journal
from research.engine.run_corpus import question_of, told
from research.errors import InvalidVerbs
from research.jsontext import JsonObject, digest
from research.macros.definition import MacroDefinition
from research.macros.quality import FIELD, Outcome, no_better, quality_of
from research.models import Check, ResearchResult, Run, Step
from research.models.states import CheckKind, RunState, StepKind
from research.store import run_store
from research.tools.tool import COMPLETE, REGISTRY, THINK
from research.verbs.check import verb_faults
from research.verbs.render import render_verbs

MAX_NAMED = 5  # names of a search that are listed in a limitation
SLIPS = (REFLECTION, REPEATED, "unknown_tool")  # errors of the model, which say nothing about sources
SEARCHING = ("deep", "legal")  # workflows whose search quality is always reported
NONE = ("not_found", "not_listed")  # error codes that mean: the source answered and has nothing


@dataclass(frozen=True)
class Proposal:
    """The verbs that the data suggests, and their faults."""

    text: str = ""
    faults: list[JsonObject] = field(default_factory=list)


@dataclass(frozen=True)
class Extras:
    """Facts a workflow adds to its document. ``ungrounded`` None: derive it from the sources."""

    evidence: list[JsonObject] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    fidelity: JsonObject | None = None
    partial: bool = False
    ungrounded: bool | None = None
    limitations: list[str] = field(default_factory=list)
    quality: str = ""
    register: str = ""


def early(budget: str) -> list[str]:
    """The sentence for a result whose research a budget ended. None for an empty name."""
    if budget == REPEATED:
        return ["The model went on making the same calls, which ended the research before it was done."]
    words = {"turns": "model turns", "tool_calls": "tool calls", "time": "time"}
    sentence = f"The budget of {words.get(budget, budget)} ended the research before it was done."
    return [sentence] if budget else []


def propose_verbs(definition: MacroDefinition, params: JsonObject, data: JsonObject) -> Proposal:
    """Render and check the macro's verbs. A fault is returned, so that a person can correct it."""
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
    kinds = run_store().kinds_of_sources(journal.root_id)
    subject = _subject(run, definition, document, journal, register, extras=extras, kinds=kinds)
    quality, overstated = _judged_search(definition, document.data, journal, kinds)
    verdicts = [*verify(journal, subject), *overstated, *extras.verdicts]
    proposal = propose_verbs(definition, run.params, document.data)
    asked = register.label if _asked_register(journal, verdicts, kinds) else ""
    named = [f"Not the live register: {asked}"] if asked and register.name == "demo" else []
    limitations = list(
        dict.fromkeys([*extras.limitations, *named, *_limitations(journal.live), *limitations_of(verdicts)])
    )
    ungrounded = not kinds if extras.ungrounded is None else extras.ungrounded
    extras = replace(
        extras,
        verdicts=verdicts,
        limitations=limitations,
        ungrounded=ungrounded,
        quality=quality,
        register=asked,
    )
    journal.abandon()
    with run_store().one_transaction(alone=run.parent_id is None), children.family(run, RunState.SUCCEEDED):
        result = _result(run, definition, document, extras, proposal)
        new = (
            journal.remarks(),
            [result],
            checks_of(result, extras.verdicts),
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


def _subject(
    run: Run,
    definition: MacroDefinition,
    document: FinalDocument,
    journal: Journal,
    register: Register,
    *,
    extras: Extras,
    kinds: set[str],
) -> Subject:
    """The subject of the checks. Builds the corpus only for checks that need it."""
    today = timezone.localdate()
    return Subject(
        data=document.data,
        schema=definition.schema,
        register=register,
        root_id=journal.root_id,
        today=today,
        told=lambda: told(
            journal.root_id,
            journal.live,
            question_of(run),
            children=definition.workflow != "direct",
            pages=bool(kinds - {"register"}),
            today=today,
        ),
        evidence=extras.evidence,
    )


def checks_of(result: ResearchResult, verdicts: list[Verdict]) -> list[Check]:
    """The verdicts as rows, in order."""
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
        register_label=extras.register[:200],
        search_quality=extras.quality,
        limitations=extras.limitations,
        suggested_verbs=proposal.text,
        verb_faults=proposal.faults,
        review=definition.review,
        expires_at=timezone.now() + timedelta(days=settings.DOSSIER_RESULT_TTL_DAYS),
    )


def _judged_search(
    definition: MacroDefinition, data: JsonObject, journal: Journal, kinds: set[str]
) -> tuple[str, list[Verdict]]:
    """The search quality, including its researchers, and a verdict if the document claims a better one.

    Deep and legal research are judged also where the document says nothing of it.
    """
    claimed = str(data.get(FIELD) or "").upper()
    steps = [*journal.live]
    if definition.workflow == "deep":
        steps += Step.objects.filter(run__parent=journal.root_id, kind=StepKind.TOOL)
    outcomes = [outcome for step in steps if (outcome := _outcome(step))]
    if not outcomes and kinds:
        outcomes = ["found"]  # the provider's own search leaves sources but no calls
    judged, why = quality_of(outcomes, data, definition.schema)
    quality = no_better(claimed, judged) or (judged if definition.workflow in SEARCHING else "")
    if not claimed or quality == claimed:
        return quality, []
    message = (
        f"The researcher calls its search {claimed}; by what was asked and answered it is {judged}: {why}."
    )
    evidence: JsonObject = {"claimed": claimed, "judged": judged, "why": why}
    return quality, [
        Verdict(CheckKind.ORIGIN, "search-quality", f"/{FIELD}", claimed, "warn", message, evidence)
    ]


def _outcome(step: Step) -> Outcome | None:
    """The outcome of a call. None if it was not a look-up, or failed through an error of the model."""
    if step.kind != StepKind.TOOL or not step.answer or step.name in (THINK, COMPLETE):
        return None
    if not step.answer.get("success", True):
        return None if step.answer["error"].get("code") in SLIPS else "failed"
    return "nothing" if _found_nothing(step) else "found"


def _found_nothing(step: Step) -> bool:
    """Whether a search returned nothing."""
    tool, data = REGISTRY.get(step.name), (step.answer or {}).get("data")
    return bool(tool and tool.hits and data and not tool.hits(data))


def _asked_register(journal: Journal, verdicts: Sequence[Verdict], kinds: set[str]) -> bool:
    """Whether a tool or a check of the family asked the register."""
    if any(verdict.kind == CheckKind.LEI for verdict in verdicts):
        return True
    calls = [step.answer for step in journal.live if step.kind == StepKind.TOOL and step.answer]
    return "register" in kinds or any("register" in answer.get("data", {}) for answer in calls)


def _limitations(live: Sequence[Step]) -> list[str]:
    """Sentences about tools that failed completely or in part."""
    calls = [step for step in live if step.kind == StepKind.TOOL and step.answer]
    lacking = [sentence for step in calls for sentence in _lacking(step.name, step.answer or {})]
    return [*lacking, *_not_found([step for step in calls if _found_nothing(step)])]


def _not_found(calls: Sequence[Step]) -> list[str]:
    """A sentence for each tool that found nothing."""
    wanted: dict[str, dict[str, None]] = {}
    for step in calls:
        arguments = step.intent.get("arguments", {})
        queries = arguments.get("queries") or [arguments.get("name") or arguments.get("query")]
        wanted.setdefault(step.name, {}).update(
            dict.fromkeys(clipped(query, 100) for query in queries if query)
        )
    return [
        f"{tool} found nothing for {', '.join(f'“{one}”' for one in list(queries)[:MAX_NAMED])}"
        + (f" and {len(queries) - MAX_NAMED} more." if len(queries) > MAX_NAMED else ".")
        for tool, queries in wanted.items()
        if queries
    ]


def _lacking(tool: str, answer: JsonObject) -> list[str]:
    """The missing part of an answer: all of it, or the ``failed`` parts and ``limitation`` that it names.

    That there is none is an answer; only of what may exist all the same a reader is told that it was not found.
    """
    if not answer.get("success", True):
        error = answer["error"]
        reason = error.get("message", "no reason given")
        if error.get("code") in NONE:
            more = f" That does not mean that there is none: {error['why']}." if error.get("why") else ""
            return [f"{tool}: {reason}{more}"] if error.get("may_exist") else []
        return [] if error.get("code") in SLIPS else [f"{tool} gave no answer: {reason}"]
    data = answer.get("data", {})
    parts = [*data.get("failed", []), *([data["limitation"]] if "limitation" in data else [])]
    return [f"{tool}: {_place(part)}{part['message']}" for part in parts if "message" in part]


def _place(part: JsonObject) -> str:
    return f"{part['url']}: " if "url" in part else ""
