import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils import timezone

from research.models.macro import Macro
from research.models.run import ResearchSession, Run
from research.models.states import (
    DecisionVerdict,
    ResultState,
    ReviewRequirement,
    VerbState,
    allowed,
)


class ResearchResult(models.Model):
    """What a run found. ``data`` is exactly what the researcher gave and never changes; edits live in the Decision."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="result")
    session = models.ForeignKey(
        ResearchSession,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="results",
    )
    data = models.JSONField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the canonical JSON of the data.")
    schema_valid = models.BooleanField()
    schema_errors = models.JSONField(default=list)
    repaired = models.BooleanField(default=False)
    ungrounded = models.BooleanField(default=False, help_text="No source stands behind the data.")
    register_label = models.CharField(
        max_length=200, blank=True, help_text="The register that was asked: which, how many records, of when."
    )
    search_quality = models.CharField(max_length=10, blank=True)
    partial = models.BooleanField(default=False, help_text="A budget ended the research before it was done.")
    limitations = models.JSONField(default=list, help_text="What was not available, in sentences.")
    evidence = models.JSONField(
        default=list, help_text="[{pointer, source, quote}] as the researcher gave it."
    )
    coverage = models.JSONField(
        default=dict,
        help_text="{claims, quoted, found}: leaves, leaves with a quote, quotes found in a source.",
    )
    fidelity = models.JSONField(
        null=True, blank=True, help_text="Claim verification: {score, supported, partial, unsupported, ...}."
    )
    suggested_verbs = models.TextField(blank=True)
    verb_faults = models.JSONField(default=list)
    review = models.CharField(max_length=10, choices=ReviewRequirement, default=ReviewRequirement.REQUIRED)
    state = models.CharField(max_length=20, choices=ResultState, default=ResultState.PENDING_REVIEW)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    baseline = models.ForeignKey(
        "research.Decision",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The approval of the same question that it was compared with.",
    )
    execution_asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    execution_asked_at = models.DateTimeField(
        null=True, blank=True, help_text="When a worker was last rung for to execute the verbs."
    )

    class Meta:
        ordering = ["-created_at", "id"]
        permissions = [("decide_researchresult", "Can approve or reject research results")]
        constraints = [
            allowed("state", ResultState, "result_state"),
            allowed("review", ReviewRequirement, "result_review"),
            models.UniqueConstraint(
                fields=["session"],
                condition=models.Q(state="pending_review"),
                name="result_one_pending_per_session",
            ),
        ]
        indexes = [models.Index(fields=["state", "-created_at"]), models.Index(fields=["-created_at"])]

    def __str__(self) -> str:
        return f"{self.run.title} ({self.run.macro})"

    def expired(self, now: datetime) -> bool:
        """Whether it waited so long for a decision that it may no longer be approved."""
        waits = self.state == ResultState.PENDING_REVIEW
        return waits and self.expires_at is not None and self.expires_at <= now


class Decision(models.Model):
    """What a person decided, once and for ever: the database refuses UPDATE and DELETE on this table."""

    result = models.OneToOneField(ResearchResult, on_delete=models.PROTECT, related_name="decision")
    verdict = models.CharField(max_length=15, choices=DecisionVerdict)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    edits = models.JSONField(default=list, help_text="RFC 6902 operations on the result's data.")
    data = models.JSONField(null=True, help_text="The approved data; null unless approved.")
    result_digest = models.CharField(max_length=64, help_text="Digest of the data the person saw.")
    digest = models.CharField(max_length=64, blank=True, help_text="Digest of the approved data.")
    macro = models.ForeignKey(Macro, on_delete=models.PROTECT, related_name="+")
    checks = models.JSONField(default=list, help_text="The checks on the decided data, as they stood.")
    displayed = models.JSONField(
        default=dict, help_text="What of the approved data the person had opened: {places, values, of}."
    )
    verbs = models.TextField(blank=True, help_text="Rendered from the approved data.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            allowed("verdict", DecisionVerdict, "decision_verdict"),
            models.CheckConstraint(
                condition=models.Q(verdict="approved", data__isnull=False) & ~models.Q(digest="")
                | ~models.Q(verdict="approved") & models.Q(data__isnull=True, digest=""),
                name="decision_approves_data",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by {self.reviewer}"


class VerbCall(models.Model):
    """One verb of an approved decision, executed exactly once."""

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="verb_calls")
    ordinal = models.PositiveIntegerField()
    verb = models.CharField(max_length=100)
    text = models.TextField(help_text="The call as printed.")
    arguments = models.JSONField(default=dict)
    binding = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=12, choices=VerbState, default=VerbState.PENDING)
    output = models.JSONField(null=True, blank=True)
    changed = models.JSONField(default=list, help_text="[{entity, field, old, new}]")
    recorded = models.BooleanField(default=False, help_text="Every row it wrote is on record (VerbEffect).")
    error = models.JSONField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    executed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    started_at = models.DateTimeField(null=True, blank=True)
    alive_at = models.DateTimeField(
        null=True, blank=True, help_text="The last sign of life of whoever executes it."
    )
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["decision", "ordinal"]
        permissions = [("execute_verbs", "Can execute approved verbs")]
        constraints = [
            models.UniqueConstraint(fields=["decision", "ordinal"], name="verbcall_ordinal"),
            allowed("state", VerbState, "verbcall_state"),
        ]

    def __str__(self) -> str:
        return f"{self.ordinal} {self.verb} {self.state}"
