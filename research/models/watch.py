from django.db import models

from research.models.result import Decision
from research.models.run import Run
from research.models.states import WatchState, allowed

MAX_DAYS = 3_650


class Watch(models.Model):
    """A question that is kept answered: what was approved last, until when that counts, and how looking again went.

    One row for each question, which is a macro's name and parameters, whatever the macro's version.
    """

    macro_name = models.CharField(max_length=100)
    params = models.JSONField(default=dict)
    question = models.CharField(max_length=64, help_text="SHA-256 of the macro's name and the parameters.")
    decision = models.ForeignKey(
        Decision, on_delete=models.PROTECT, related_name="+", help_text="The approval that is kept fresh."
    )
    state = models.CharField(max_length=12, choices=WatchState, default=WatchState.RESTING)
    every_days = models.PositiveIntegerField("days", help_text="How long an answer counts as fresh, in days.")
    importance = models.PositiveSmallIntegerField(
        default=5, help_text="0 to 10; the highest is looked at first."
    )
    budget_usd = models.DecimalField(
        "budget (USD)",
        max_digits=10,
        decimal_places=4,
        null=True,
        blank=True,
        help_text="For one refresh; empty: as the run had.",
    )
    due_at = models.DateTimeField(help_text="When it is looked at again.")
    fresh_until = models.DateTimeField(help_text="Until when what was approved counts as fresh.")
    run = models.ForeignKey(
        Run, null=True, blank=True, on_delete=models.PROTECT, related_name="+", help_text="The last refresh."
    )
    failures = models.PositiveSmallIntegerField(default=0, help_text="Refreshes in a row that told nothing.")
    outcome = models.CharField(max_length=300, blank=True, help_text="How the last look went, in a sentence.")
    checked_at = models.DateTimeField(help_text="When the checks were last run on what was approved.")
    worsened = models.JSONField(
        default=list, blank=True, help_text="Checks that are worse than when it was approved."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["due_at", "id"]
        verbose_name_plural = "watches"
        constraints = [
            models.UniqueConstraint(fields=["question"], name="watch_question"),
            allowed("state", WatchState, "watch_state"),
            models.CheckConstraint(condition=models.Q(importance__lte=10), name="watch_importance"),
            models.CheckConstraint(
                condition=models.Q(every_days__gte=1, every_days__lte=MAX_DAYS), name="watch_every_days"
            ),
        ]
        indexes = [models.Index(fields=["state", "due_at"])]

    def __str__(self) -> str:
        return f"{self.decision.result.run.title} ({self.macro_name})"
