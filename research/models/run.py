import re
import uuid
from decimal import Decimal

from django.conf import settings
from django.db import models

from research.models.macro import Macro
from research.models.states import (
    OPEN_RUN_STATES,
    Autonomy,
    Depth,
    ResultState,
    RunState,
    StepKind,
    Trigger,
    allowed,
)

MAX_TITLE = 120  # characters


class ResearchSession(models.Model):
    """Groups the runs of one conversation or case. Its status is derived from its latest run and result."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.title or str(self.id)

    @property
    def status(self) -> str:
        """idle | pending_review | verbs_ready | executed."""
        state = self.results.order_by("-created_at").values_list("state", flat=True).first()
        return {
            ResultState.PENDING_REVIEW.value: "pending_review",
            ResultState.APPROVED.value: "verbs_ready",
            ResultState.EXECUTED.value: "executed",
        }.get(state or "", "idle")


class Run(models.Model):
    """One execution of a macro. Whoever works on it holds the lease; every write carries the fence of that lease."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    macro = models.ForeignKey(Macro, on_delete=models.PROTECT, related_name="runs")
    params = models.JSONField(default=dict)
    subject = models.ForeignKey(
        "entities.Entity",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    session = models.ForeignKey(
        ResearchSession,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="runs",
    )
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="children"
    )
    rerun_of = models.ForeignKey(
        "research.ResearchResult",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="reruns",
    )
    feedback = models.TextField(blank=True, help_text="What the reviewer asked for in a re-run.")
    workflow = models.CharField(max_length=20, default="direct")
    autonomy = models.CharField(max_length=12, choices=Autonomy, default=Autonomy.BALANCED)
    depth = models.CharField(max_length=10, choices=Depth, default=Depth.STANDARD)
    trigger = models.CharField(max_length=10, choices=Trigger)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    directive = models.CharField(
        max_length=40, blank=True, help_text="Which part of the parent's work this is."
    )
    model = models.CharField(max_length=400, help_text="The researchers that may answer, in fallback order.")
    register = models.CharField(
        max_length=10, help_text="live (the API of GLEIF), local (the golden copy) or demo."
    )
    state = models.CharField(max_length=24, choices=RunState, default=RunState.QUEUED)
    phase = models.CharField(max_length=30, blank=True)
    cancel_requested = models.BooleanField(default=False)

    lease_owner = models.CharField(max_length=100, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    wake_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)

    max_turns = models.PositiveIntegerField()
    max_tool_calls = models.PositiveIntegerField()
    budget_usd = models.DecimalField(max_digits=10, decimal_places=4, null=True, blank=True)
    reserved_usd = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))
    spent_usd = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))
    lost_usd = models.DecimalField(
        max_digits=12,
        decimal_places=6,
        default=Decimal(0),
        help_text="Possibly paid: reserved for calls whose answer never arrived.",
    )

    error = models.JSONField(null=True, blank=True, help_text="{code, message, ...} when failed.")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(
        null=True, blank=True, help_text="When a person dismissed its failure: it waits for nobody any more."
    )
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )

    class Meta:
        ordering = ["-created_at", "id"]
        permissions = [("start_run", "Can start, resume and cancel research")]
        constraints = [
            allowed("state", RunState, "run_state"),
            allowed("autonomy", Autonomy, "run_autonomy"),
            allowed("depth", Depth, "run_depth"),
            allowed("trigger", Trigger, "run_trigger"),
            models.UniqueConstraint(
                fields=["session"],
                condition=models.Q(
                    state__in=[state.value for state in OPEN_RUN_STATES],
                    parent__isnull=True,
                ),
                name="run_one_open_per_session",
            ),
            models.UniqueConstraint(
                fields=["parent", "directive"],
                condition=~models.Q(directive=""),
                name="run_one_child_per_directive",
            ),
        ]
        indexes = [
            # without lease_until, which every write of the journal renews: PostgreSQL would then write all indexes anew
            models.Index(fields=["state"]),
            models.Index(fields=["-created_at"]),
            models.Index(fields=["finished_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.macro} {str(self.id)[:8]}"

    @property
    def title(self) -> str:
        """What is asked about: the first text parameter in the macro's order, or list of texts, or the macro's name."""
        named = sorted(self.params, key=self._declared_at)  # PostgreSQL keeps no order of keys
        return next(filter(None, (_told(self.params[name]) for name in named)), self.macro.name)

    def _declared_at(self, name: str) -> int:
        """Where the macro's text declares a parameter; past its end for one that it does not know."""
        declared = re.search(rf"name:\s*[\"']?{re.escape(name)}[\"']?\s*[,}}\n]", self.macro.text)
        return declared.start() if declared else len(self.macro.text)


def _told(value: object) -> str:
    """A parameter as a title: a text, or the first of a list of texts and how many there are besides."""
    texts = [
        text for text in (value if isinstance(value, list) else [value]) if text and isinstance(text, str)
    ]
    more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
    first = texts[0] if texts else ""
    return (first if len(first) <= MAX_TITLE else f"{first[: MAX_TITLE - 1]}…") + more


class Step(models.Model):
    """One entry of the journal: the intent is committed before the call, the answer right after it."""

    # the unique index of (run, seq) finds it; another for the run alone was a tenth of the journal
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=StepKind)
    name = models.CharField(max_length=100)
    intent = models.JSONField(default=dict)
    answer = models.JSONField(null=True, blank=True)
    raw = models.JSONField(null=True, blank=True, help_text="The provider's blocks verbatim.")
    usage = models.JSONField(null=True, blank=True)
    reserved_usd = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))
    lost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=Decimal(0))
    fence = models.PositiveIntegerField()
    attempt = models.PositiveSmallIntegerField(default=1)
    started_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["run", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["run", "seq"], name="step_seq"),
            allowed("kind", StepKind, "step_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind} {self.name}"
