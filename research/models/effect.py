from django.conf import settings
from django.db import models
from django.utils import timezone

from research.models.result import Decision, VerbCall
from research.models.states import allowed


class EffectHow(models.TextChoices):
    """What a call did to a row: met ones were there and said what was to be said."""

    MADE = "made"
    CHANGED = "changed"
    MET = "met"


class VerbEffect(models.Model):
    """One row of entity memory that a call made, changed or rests on. The database refuses UPDATE and DELETE.

    ``old`` and ``new`` are values by field; see ``entities.memory.written``.
    """

    How = EffectHow

    call = models.ForeignKey(VerbCall, on_delete=models.PROTECT, related_name="effects")
    table = models.CharField(max_length=30)
    row = models.CharField(max_length=40)
    how = models.CharField(max_length=7, choices=EffectHow)
    entity = models.CharField(max_length=120, help_text="The slug of the entity that the row is about.")
    what = models.TextField()
    old = models.JSONField(default=dict)
    new = models.JSONField(default=dict)

    class Meta:
        ordering = ["call", "id"]
        constraints = [
            allowed("how", EffectHow, "verbeffect_how"),
            models.UniqueConstraint(fields=["call", "table", "row"], name="verbeffect_row"),
        ]
        indexes = [models.Index(fields=["table", "row"], name="verbeffect_by_row")]

    def __str__(self) -> str:
        return f"{self.how} {self.what}"


class Rollback(models.Model):
    """What the verbs of a decision wrote was taken back, once. The database refuses UPDATE and DELETE.

    ``steps`` are what happened to each row, what was kept first; ``counts`` are of all rows, by action.
    """

    decision = models.OneToOneField(Decision, on_delete=models.PROTECT, related_name="rollback")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    counts = models.JSONField(default=dict)
    steps = models.JSONField(default=list)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [models.CheckConstraint(condition=~models.Q(reason=""), name="rollback_reason")]

    def __str__(self) -> str:
        return f"rolled back by {self.actor}"
