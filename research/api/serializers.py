"""What REST and ``--json`` show. One shape for both faces; nothing here writes."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from research.jsontext import JsonObject
from research.models import (
    Check,
    Decision,
    Memo,
    ModelPrice,
    ResearchResult,
    ResearchSession,
    Rollback,
    Run,
    Source,
    Step,
    VerbCall,
    Watch,
)
from research.models.states import DecisionVerdict
from research.review.numbering import renumbered, shown_numbers
from research.services.checkpoints import progress, waiting_for
from research.services.spending import spend_of
from research.services.trouble import explain_end, explain_wait, used_by
from research.services.watches import pending_of


class Amount(serializers.DecimalField):
    """US dollars as a decimal text with six places."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=18, decimal_places=6, **options)


class SpendSerializer(serializers.Serializer[Any]):
    """US dollars. ``spent`` is null where nobody knows what any call cost: that is not zero."""

    spent = Amount(allow_null=True)
    reserved = Amount()
    possibly_paid = Amount(help_text="For calls whose answer never arrived.")
    unknown_calls = serializers.IntegerField(help_text="Calls of models without a price.")
    budget = Amount(allow_null=True)


class PriceSerializer(serializers.ModelSerializer[ModelPrice]):
    """What a model costs from a day on."""

    class Meta:
        model = ModelPrice
        fields = [
            *(
                "model",
                "valid_from",
                "input_usd",
                "cached_usd",
                "cache_write_usd",
                "output_usd",
                "search_usd",
            ),
        ]


class TroubleSerializer(serializers.Serializer[Any]):
    """Why a run ended without a result, or what it waits for, and what to do next."""

    sentence = serializers.CharField()
    advice = serializers.CharField()
    detail = serializers.CharField(help_text="The words of whoever reported it.")
    said = serializers.CharField(
        help_text="What the model said last, in its own words; empty when it said nothing."
    )


class UsedSerializer(serializers.Serializer[Any]):
    """What a run has used of what it may use."""

    turns = serializers.IntegerField()
    max_turns = serializers.IntegerField()
    tool_calls = serializers.IntegerField()
    max_tool_calls = serializers.IntegerField()


class RunSerializer(serializers.ModelSerializer[Run]):
    """A run: what was asked, how far it is, and what became of it."""

    macro = serializers.CharField(source="macro.name", read_only=True)
    macro_version = serializers.CharField(source="macro.version", read_only=True)
    subject = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True, allow_null=True)
    requested_by = serializers.SlugRelatedField[Any](slug_field="username", read_only=True)
    result = serializers.SerializerMethodField()
    spend = serializers.SerializerMethodField()
    trouble = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = [
            *("id", "macro", "macro_version", "title", "params", "subject", "session", "parent", "rerun_of"),
            *("feedback", "autonomy", "depth", "trigger", "requested_by", "model", "register"),
            *("state", "phase", "cancel_requested", "max_turns", "max_tool_calls", "budget_usd", "spent_usd"),
            *("spend", "error", "trouble", "wake_at", "result", "created_at", "started_at", "finished_at"),
        ]

    def get_result(self, run: Run) -> str | None:
        result = getattr(run, "result", None)
        return str(result.pk) if result else None

    @extend_schema_field(SpendSerializer)
    def get_spend(self, run: Run) -> JsonObject:
        return spend_of(run).as_json()

    @extend_schema_field(TroubleSerializer(allow_null=True))
    def get_trouble(self, run: Run) -> JsonObject | None:
        told = explain_wait(run, timezone.now()) or explain_end(run)
        return told.as_json() if told else None


class CheckpointSerializer(serializers.Serializer[Any]):
    """What a run waits for: ``edit`` may be sent back as ``answer``, changed; null where nothing can be."""

    phase = serializers.CharField()
    message = serializers.CharField()
    edit = serializers.DictField(allow_null=True)
    shown = serializers.DictField()


class PhaseSerializer(serializers.Serializer[Any]):
    """One phase of a deep run: done, now, waits, ahead, or ended where the run stopped in it."""

    name = serializers.CharField()
    state = serializers.CharField()


class TopicSerializer(serializers.Serializer[Any]):
    """One researcher of a deep run, which is a run of its own."""

    run = serializers.UUIDField()
    directive = serializers.CharField()
    round = serializers.IntegerField()
    title = serializers.CharField()
    state = serializers.CharField()
    phase = serializers.CharField()
    calls = serializers.IntegerField()
    sources = serializers.IntegerField()
    error = serializers.CharField()


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a deep run is."""

    phases = PhaseSerializer(many=True)
    round = serializers.IntegerField()
    rounds = serializers.IntegerField()
    topics = TopicSerializer(many=True)
    counts = serializers.DictField(child=serializers.IntegerField())


class RunDetailSerializer(RunSerializer):
    """A run with what it has used, what it waits for and, for deep research, how far it is."""

    used = serializers.SerializerMethodField()
    checkpoint = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = [*RunSerializer.Meta.fields, "used", "workflow", "directive", "checkpoint", "progress"]

    @extend_schema_field(UsedSerializer)
    def get_used(self, run: Run) -> JsonObject:
        return used_by(run)

    @extend_schema_field(CheckpointSerializer(allow_null=True))
    def get_checkpoint(self, run: Run) -> JsonObject | None:
        checkpoint = waiting_for(run)
        return checkpoint.as_json() if checkpoint else None

    @extend_schema_field(ProgressSerializer(allow_null=True))
    def get_progress(self, run: Run) -> JsonObject | None:
        return progress(run)


class StepSerializer(serializers.ModelSerializer[Step]):
    """One entry of the journal."""

    class Meta:
        model = Step
        fields = [
            *("seq", "kind", "name", "intent", "answer", "usage", "cost_usd", "lost_usd", "attempt"),
            *("started_at", "answered_at"),
        ]


class CheckSerializer(serializers.ModelSerializer[Check]):
    """One verdict about one claim."""

    class Meta:
        model = Check
        fields = [
            "kind",
            "code",
            "pointer",
            "subject",
            "verdict",
            "message",
            "evidence",
            "as_of",
            "checked_at",
        ]


class SourceSerializer(serializers.ModelSerializer[Source]):
    """What a run read. A result that numbers its sources itself shows that ``number``; ``run_number`` is the run's.

    ``warnings`` says in sentences what is suspicious about the text, such as orders to a machine that reads it.
    """

    run_number = serializers.IntegerField(source="number", read_only=True)

    class Meta:
        model = Source
        fields = [
            "number",
            "run_number",
            "kind",
            "key",
            "url",
            "title",
            "snippet",
            "quality",
            "novelty",
            "as_of",
            "warnings",
        ]


class VerbCallSerializer(serializers.ModelSerializer[VerbCall]):
    """One approved verb and what became of it."""

    executed_by = serializers.SlugRelatedField[Any](slug_field="username", read_only=True)

    class Meta:
        model = VerbCall
        fields = [
            *("ordinal", "verb", "text", "arguments", "binding", "state", "output", "changed", "error"),
            *("attempts", "executed_by", "started_at", "finished_at"),
        ]


class TakenStepSerializer(serializers.Serializer[Any]):
    """What happens to one row of memory; ``why`` says why it is kept."""

    action = serializers.ChoiceField(["remove", "restore", "mark", "keep"])
    table = serializers.CharField()
    row = serializers.CharField()
    entity = serializers.CharField()
    what = serializers.CharField()
    why = serializers.CharField(allow_blank=True)
    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]  # hides what we do not use


class RollbackPlanSerializer(serializers.Serializer[Any]):
    """What a roll back would do now; ``left`` are calls whose rows are not on record."""

    result = serializers.UUIDField()
    digest = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())
    steps = TakenStepSerializer(many=True)
    left = serializers.ListField(child=serializers.DictField())


class RollbackSerializer(serializers.ModelSerializer[Rollback]):
    """That what was executed was taken back: by whom, why, what, and what was kept."""

    by = serializers.SlugRelatedField[Any](source="actor", slug_field="username", read_only=True)

    class Meta:
        model = Rollback
        fields = ["at", "by", "reason", "counts", "steps"]


class DecisionSerializer(serializers.ModelSerializer[Decision]):
    """What a person decided."""

    reviewer = serializers.SlugRelatedField[Any](slug_field="username", read_only=True)
    macro = serializers.CharField(source="macro.name", read_only=True)
    macro_version = serializers.CharField(source="macro.version", read_only=True)

    class Meta:
        model = Decision
        fields = [
            *("id", "verdict", "reviewer", "reason", "edits", "data", "result_digest", "digest"),
            *("macro", "macro_version", "checks", "displayed", "verbs", "created_at"),
        ]


class ResultSerializer(serializers.ModelSerializer[ResearchResult]):
    """A result in a list."""

    macro = serializers.CharField(source="run.macro.name", read_only=True)
    macro_version = serializers.CharField(source="run.macro.version", read_only=True)
    title = serializers.CharField(source="run.title", read_only=True)

    class Meta:
        model = ResearchResult
        fields = [
            *("id", "run", "macro", "macro_version", "title", "session", "state", "digest", "schema_valid"),
            *("repaired", "ungrounded", "search_quality", "review", "created_at", "expires_at"),
        ]


def _cited_as(evidence: JsonObject, numbers: Mapping[int, int]) -> JsonObject:
    number = evidence.get("source")
    return {**evidence, "source": numbers.get(number, number)} if isinstance(number, int) else evidence


class ResultDetailSerializer(ResultSerializer):
    """A result with everything a reviewer needs; ``digest`` is what a decision must name."""

    checks = CheckSerializer(many=True, read_only=True)
    sources = SourceSerializer(source="run.sources", many=True, read_only=True)
    decision = serializers.SerializerMethodField()
    rollback = serializers.SerializerMethodField()

    class Meta(ResultSerializer.Meta):
        fields = [
            *ResultSerializer.Meta.fields,
            *("data", "schema_errors", "limitations", "partial", "evidence", "coverage", "fidelity"),
            *("suggested_verbs", "verb_faults"),
            *("checks", "sources", "decision", "rollback"),
        ]

    def to_representation(self, instance: ResearchResult) -> JsonObject:
        """Sources, quotes and evidence by the numbers that a reader of the document sees."""
        told: JsonObject = dict(super().to_representation(instance))
        known = [(source["number"], source["url"]) for source in told["sources"]]
        numbers = shown_numbers(instance.data, known)
        if not numbers:
            return told
        sources = [{**each, "number": numbers[each["number"]]} for each in told["sources"]]
        evidence = [_cited_as(each, numbers) for each in told["evidence"]]
        checks = [renumbered(dict(check), numbers) for check in told["checks"]]
        return {
            **told,
            "sources": sorted(sources, key=lambda each: int(each["number"])),
            "evidence": evidence,
            "checks": checks,
        }

    def get_decision(self, result: ResearchResult) -> JsonObject | None:
        decision = Decision.objects.filter(result=result).select_related("reviewer", "macro").first()
        return dict(DecisionSerializer(decision).data) if decision else None

    @extend_schema_field(RollbackSerializer(allow_null=True))
    def get_rollback(self, result: ResearchResult) -> JsonObject | None:
        return rollback_of(result)


class VerbPlanSerializer(serializers.Serializer[Any]):
    """The verbs of a result. ``calls`` is empty until a person has approved them."""

    result = serializers.UUIDField()
    state = serializers.CharField()
    text = serializers.CharField()
    faults = serializers.ListField(child=serializers.DictField())
    calls = VerbCallSerializer(many=True)
    rollback = RollbackSerializer(allow_null=True)


class SessionSerializer(serializers.ModelSerializer[ResearchSession]):
    """A conversation or case; ``status`` is idle, pending_review, verbs_ready or executed."""

    created_by = serializers.SlugRelatedField[Any](slug_field="username", read_only=True)
    status = serializers.CharField(read_only=True)

    class Meta:
        model = ResearchSession
        fields = ["id", "title", "status", "created_by", "created_at"]


class SessionDetailSerializer(SessionSerializer):
    """A session with its runs and results."""

    runs = RunSerializer(many=True, read_only=True)
    results = ResultSerializer(many=True, read_only=True)

    class Meta(SessionSerializer.Meta):
        fields = [*SessionSerializer.Meta.fields, "runs", "results"]


class MemoSerializer(serializers.ModelSerializer[Memo]):
    """A composed memo, without its bytes; ``template`` is null for the one that comes with Dossier."""

    template = serializers.SerializerMethodField()

    class Meta:
        model = Memo
        fields = [
            *("id", "result", "decision", "style", "format", "language"),
            *("template", "template_digest", "digest", "created_at"),
        ]

    def get_template(self, memo: Memo) -> str | None:
        return str(memo.template) if memo.template else None


def verb_plan(result: ResearchResult) -> JsonObject:
    """What stands in ``VerbPlanSerializer``: the approved text if there is one, else what the macro suggests."""
    decision = Decision.objects.filter(result=result).first()
    approved = decision is not None and decision.verdict == DecisionVerdict.APPROVED
    calls = VerbCall.objects.filter(decision__result=result).select_related("executed_by")
    return {
        "result": str(result.pk),
        "state": result.state,
        "text": decision.verbs if decision and approved else result.suggested_verbs,
        "faults": [] if approved else result.verb_faults,
        "calls": VerbCallSerializer(calls, many=True).data,
        "rollback": rollback_of(result),
    }


def rollback_of(result: ResearchResult) -> JsonObject | None:
    """That its verbs were rolled back, if they were."""
    found = Rollback.objects.filter(decision__result=result).select_related("actor").first()
    return dict(RollbackSerializer(found).data) if found else None


class WatchSerializer(serializers.ModelSerializer[Watch]):
    """A question that is kept answered: what was approved, until when it is fresh, and how looking again went."""

    title = serializers.CharField(source="decision.result.run.title", read_only=True)
    macro = serializers.CharField(source="macro_name", read_only=True)
    approved = serializers.UUIDField(source="decision.result_id", read_only=True)
    approved_at = serializers.DateTimeField(source="decision.created_at", read_only=True)
    pending = serializers.SerializerMethodField(help_text="The result that waits for review, if one does.")

    class Meta:
        model = Watch
        fields = [
            *("id", "title", "macro", "params", "state", "approved", "approved_at", "pending", "due_at"),
            *("fresh_until", "every_days", "importance", "budget_usd", "failures", "outcome"),
            *("checked_at", "worsened", "run"),
        ]

    @extend_schema_field(serializers.UUIDField(allow_null=True))
    def get_pending(self, watch: Watch) -> str | None:
        found = pending_of(watch)
        return str(found.pk) if found else None
