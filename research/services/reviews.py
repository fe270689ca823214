"""The gate: what a person decides about a result, bound to the bytes that the person saw."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction
from django.utils import timezone

from common.transactions import retried
from entities.gleif.checking import current_policy
from entities.gleif.register import Register, open_register
from research import audit
from research.checks.cited import check_cited
from research.checks.grounds import decisions_of, sources_of
from research.checks.listed import asks_about_sanctions, check_listed
from research.checks.provenance.check import check_edited
from research.checks.quotes import place_of
from research.checks.run import check_data
from research.checks.verdict import Verdict, bounded, count_distinct, needs_reason
from research.engine.results import propose_verbs
from research.engine.run_corpus import told_to_run
from research.errors import (
    InvalidEdit,
    InvalidTransition,
    InvalidVerbs,
    ReasonRequired,
    ResultExpired,
    StaleDigest,
)
from research.jsontext import (
    MAX_BYTES,
    Json,
    JsonObject,
    JsonTextError,
    canonical_json,
    check_json,
    digest,
    storable_text,
)
from research.macros.definition import MacroDefinition
from research.models import Decision, ResearchResult, Run, VerbCall
from research.models.states import CheckKind, DecisionVerdict, ResultState
from research.review.displayed import Unseen, as_displayed, read_places, titles_of, unseen_parts
from research.review.follow import follow
from research.review.patch import apply_patch, same
from research.review.pointer import join, resolve
from research.services.access import Person, require_decider
from research.services.drafts import discard_drafts
from research.services.macros import definition_of
from research.services.runs import start_run
from research.services.watches import decided
from research.verbs.calls import planned_calls

Patch = Sequence[JsonObject]
MAX_REASON = 5_000
OUTCOME = {
    DecisionVerdict.APPROVED: ResultState.APPROVED,
    DecisionVerdict.REJECTED: ResultState.REJECTED,
    DecisionVerdict.NEEDS_CHANGES: ResultState.SUPERSEDED,
}


@dataclass(frozen=True)
class Preview:
    """What a result would be with some edits: the data, what the checks say of it, and the verbs it gives."""

    data: Json
    checks: list[Verdict]
    verbs: str
    verb_faults: list[JsonObject]

    @property
    def schema_errors(self) -> dict[str, str]:
        """JSON Pointer → sentence, for every violation of the macro's schema."""
        failed = (c for c in self.checks if c.kind == CheckKind.SCHEMA and c.verdict == "fail")
        return {check.pointer: check.message for check in failed}

    @property
    def failed(self) -> list[Verdict]:
        """The checks that failed."""
        return [check for check in self.checks if check.verdict == "fail"]

    @property
    def to_explain(self) -> list[Verdict]:
        """The checks in spite of which it can be approved only with a reason."""
        return list(filter(needs_reason, self.checks))


def preview_edits(*, result: ResearchResult, edits: Patch = (), register: Register | None = None) -> Preview:
    """Apply the edits to a copy, check the outcome again and render its verbs; nothing is stored.

    Raises:
        InvalidEdit: an operation does not apply, or the outcome cannot be stored.
    """
    data = _edited(result.data, edits)
    definition = definition_of(result.run.macro)
    source = register or open_register(result.run.register)
    checks = check_data(
        data,
        definition.schema,
        source,
        today=timezone.localdate(),
        policy=current_policy(),
        evidence=_evidence(result, edits),
        find_source=sources_of(result.run_id),
        check_lists=partial(_listed, definition.schema),
        check_cited=partial(check_cited, at_hand=decisions_of(result.run_id)),
    )
    checks += _judged(result, edits, data)
    checks += _traced(result, edits, data, definition)
    proposal = propose_verbs(definition, result.run.params, data)
    return Preview(data, checks, proposal.text, proposal.faults)


def _listed(schema: Json, data: Json) -> list[Verdict]:
    """What the official lists say, for a macro that asks about sanctions."""
    return check_listed(data, now=timezone.now()) if asks_about_sanctions(schema) else []


def _evidence(result: ResearchResult, edits: Patch) -> list[JsonObject]:
    """The quotes with the places that they are given for, after the edits; what was removed needs none."""
    meant = [(item, place_of(result.data, str(item.get("pointer")))) for item in result.evidence]
    now = follow({place for _, place in meant if place}, result.data, edits)
    kept = [(item, now.get(place) if place else item.get("pointer")) for item, place in meant]
    return [{**item, "pointer": place} for item, place in kept if place is not None]


def _judged(result: ResearchResult, edits: Patch, data: Json) -> list[Verdict]:
    """What was judged with a model's help, which cannot be asked again here: not known any more where it was edited."""
    kept = _kept(result, edits, data, CheckKind.CLAIM, CheckKind.SOURCE)
    return [_as_judged(verdict, untouched) for verdict, untouched in kept]


def _traced(result: ResearchResult, edits: Patch, data: Json, definition: MacroDefinition) -> list[Verdict]:
    """Where the values come from: as the run's end found it, and anew for what was edited."""
    kept = _kept(result, edits, data, CheckKind.ORIGIN)
    if not kept or not edits:
        return [verdict for verdict, _ in kept]
    return check_edited(
        result.data,
        data,
        definition.schema,
        [verdict for verdict, untouched in kept if untouched],
        lambda: told_to_run(result.run, today=timezone.localdate()),
    )


def _kept(result: ResearchResult, edits: Patch, data: Json, *kinds: CheckKind) -> list[tuple[Verdict, bool]]:
    """The stored verdicts at the places they have after the edits, and whether what they speak of was left alone."""
    fields = ("kind", "code", "pointer", "subject", "verdict", "message", "evidence", "as_of")
    stored = [Verdict(**check) for check in result.checks.filter(kind__in=kinds).values(*fields)]
    now = follow({verdict.pointer for verdict in stored}, result.data, edits)
    return [
        (replace(verdict, pointer=place), same(list(resolve(result.data, old)), list(resolve(data, place))))
        for verdict in stored
        if (place := now[old := verdict.pointer]) is not None
    ]


def _as_judged(verdict: Verdict, untouched: bool) -> Verdict:
    if untouched:
        return verdict
    message = bounded(f"Judged before this was edited: {verdict.message}")
    return replace(verdict, verdict="unknown", message=message)


def _edited(document: Json, edits: Patch) -> JsonObject:
    """The outcome of the edits. The edits are stored too, so what is said of the outcome is asked of them as well."""
    data = apply_patch(document, list(edits))
    try:
        check_json(data)
        check_json(list(edits))
    except JsonTextError as error:
        raise InvalidEdit({"": error.message}) from None
    if not isinstance(data, dict):
        raise InvalidEdit({"": "the document must stay a JSON object"})
    if edits and len(canonical_json(data)) > MAX_BYTES:
        raise InvalidEdit({"": f"the document would be larger than {MAX_BYTES:,} characters"})
    return data


@retried
def approve_result(
    *,
    result: ResearchResult,
    reviewer: Person,
    digest: str,
    edits: Patch = (),
    reason: str = "",
    shown: Sequence[str] = (),
) -> Decision:
    """Approve what the person saw, with their edits; the verbs are rendered from the approved data.

    ``shown`` are the places of the approved data that were opened, as JSON Pointers; "" is all of it. What was not
    opened and is not sound has to be named in the reason.

    Raises:
        NotPermitted, InvalidTransition, StaleDigest, ResultExpired, InvalidEdit, InvalidVerbs, ReasonRequired: nothing
            was stored.
    """
    _may_decide(result, reviewer, digest)
    _refuse_expired(result, timezone.now())
    preview = preview_edits(result=result, edits=edits)
    _refuse_unsound(preview, reason)
    places, faults = read_places(shown, preview.data)
    if faults:
        raise InvalidEdit(faults)
    _refuse_unseen(unseen_of(result, preview, places), reason)
    with transaction.atomic():
        return _decide(result, reviewer, DecisionVerdict.APPROVED, reason, edits, preview, places=places)


def unseen_of(result: ResearchResult, preview: Preview, places: Sequence[str]) -> list[Unseen]:
    """The parts of the data in which something that is not sound was not opened."""
    titles = titles_of(definition_of(result.run.macro).schema)
    return unseen_parts(((check.pointer, check.verdict) for check in preview.checks), places, titles)


@retried
def reject_result(*, result: ResearchResult, reviewer: Person, digest: str, reason: str) -> Decision:
    """Turn a result down; the reason is kept with the decision."""
    _may_decide(result, reviewer, digest)
    _require_reason(reason, "Say why the result is rejected.")
    with transaction.atomic():
        return _decide(result, reviewer, DecisionVerdict.REJECTED, reason)


@retried
def request_changes(
    *,
    result: ResearchResult,
    reviewer: Person,
    digest: str,
    feedback: str,
    trigger: str = "admin",
    enqueue: bool = True,
) -> Run:
    """Send a result back: it is superseded, and a new run starts with what the person asked for."""
    _may_decide(result, reviewer, digest)
    _require_reason(feedback, "Say what the new run should do differently.")
    with transaction.atomic():
        _decide(result, reviewer, DecisionVerdict.NEEDS_CHANGES, feedback)
        run = result.run
        return start_run(
            macro=run.macro.name,
            params=run.params,
            trigger=trigger,
            requested_by=reviewer,
            session=run.session,
            autonomy=run.autonomy,
            depth=run.depth,
            budget_usd=run.budget_usd,
            register=run.register,
            rerun_of=result,
            feedback=storable_text(feedback),
            enqueue=enqueue,
        )


def _may_decide(result: ResearchResult, reviewer: Person, seen: str) -> None:
    require_decider(reviewer, result)
    result.refresh_from_db()
    if result.state != ResultState.PENDING_REVIEW:
        raise InvalidTransition(_already(result), state=result.state)
    if seen != result.digest or digest(result.data) != seen:
        raise StaleDigest(
            "The decision was made on other data than what is stored; look at the result again.",
            expected=result.digest,
        )


def _refuse_expired(result: ResearchResult, now: datetime) -> None:
    if result.expired(now):
        raise ResultExpired(
            f"This result has been out of date since {result.expires_at:%Y-%m-%d}: run it again, "
            "so that what is signed for is true today.",
            expired_at=f"{result.expires_at:%Y-%m-%dT%H:%M:%SZ}",
        )


def _already(result: ResearchResult) -> str:
    decision = Decision.objects.filter(result=result).select_related("reviewer").first()
    by = (
        f" by {decision.reviewer.get_username()} on {decision.created_at:%Y-%m-%d %H:%M} UTC"
        if decision
        else ""
    )
    return f"This result is already {result.get_state_display().lower()}{by}."


def _refuse_unsound(preview: Preview, reason: str) -> None:
    if preview.schema_errors:
        raise InvalidEdit(preview.schema_errors)
    if preview.verb_faults:
        sentences = "; ".join(fault["message"] for fault in preview.verb_faults)
        raise InvalidVerbs(f"The verbs of this data are not sound: {sentences}", preview.verb_faults)
    if preview.failed:
        count = count_distinct(preview.failed)
        _require_reason(reason, f"{count} check{'s' * (count > 1)} failed: approving needs a reason.")
    if preview.to_explain:
        count = count_distinct(preview.to_explain)
        told = "1 number or date has" if count == 1 else f"{count} numbers or dates have"
        _require_reason(reason, f"{told} no source: approving needs a reason.")


def _refuse_unseen(unseen: Sequence[Unseen], reason: str) -> None:
    unnamed = [part for part in unseen if not part.is_named(reason)]
    if unnamed:
        listed = "; ".join(map(str, unnamed))
        raise ReasonRequired(
            f"Not opened and not sound: {listed}. Open it, or name it in the reason.",
            unseen=[{"place": join("", part.key), **part.counts} for part in unnamed],
        )


def _require_reason(reason: str, sentence: str) -> None:
    if not reason.strip():
        raise ReasonRequired(sentence)
    if len(reason) > MAX_REASON:
        raise ReasonRequired(f"The reason is longer than {MAX_REASON} characters.")


def _decide(
    result: ResearchResult,
    reviewer: Person,
    verdict: DecisionVerdict,
    reason: str,
    edits: Patch = (),
    preview: Preview | None = None,
    *,
    places: Sequence[str] = (),
) -> Decision:
    """The conditional UPDATE and the append-only row; one of two simultaneous reviewers gets InvalidTransition."""
    pending = ResearchResult.objects.filter(
        pk=result.pk, state=ResultState.PENDING_REVIEW, digest=result.digest
    )
    if not pending.update(state=OUTCOME[verdict]):
        result.refresh_from_db()
        raise InvalidTransition(_already(result), state=result.state)
    try:
        decision = Decision.objects.create(
            result=result,
            verdict=verdict,
            reviewer_id=reviewer.pk,
            reason=storable_text(reason.strip()),
            edits=list(edits),
            data=preview.data if preview else None,
            result_digest=result.digest,
            digest=digest(preview.data) if preview else "",
            macro=result.run.macro,
            checks=_snapshot(result, preview),
            displayed=as_displayed(places, preview.data) if preview else {},
            verbs=preview.verbs if preview else "",
        )
    except IntegrityError:
        raise InvalidTransition("This result has a decision already.", state=result.state) from None
    calls = _plan_calls(decision)
    audit.record(
        f"result.{verdict.value}",
        result,
        reviewer,
        decision,
        *calls,
        digest=decision.digest or decision.result_digest,
        edits=len(decision.edits),
    )
    decided(decision)
    discard_drafts(about=result, person=reviewer)
    result.refresh_from_db()
    return decision


def _snapshot(result: ResearchResult, preview: Preview | None) -> list[JsonObject]:
    if preview:
        return [check.as_json() for check in preview.checks]
    fields = ("kind", "code", "pointer", "subject", "verdict", "message", "evidence", "as_of")
    return list(result.checks.values(*fields))


def _plan_calls(decision: Decision) -> list[VerbCall]:
    return VerbCall.objects.bulk_create(
        VerbCall(
            decision=decision,
            ordinal=ordinal,
            verb=call.verb,
            text=call.text,
            arguments=call.arguments,
            binding=call.binding,
        )
        for ordinal, call in enumerate(planned_calls(decision.verbs), start=1)
    )
