import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from research.models.evidence import Document
from research.models.run import Run


class Walk(models.Model):
    """A walk through sites, view after view; a run's, a person's, or neither's: that of a command line."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.CASCADE, related_name="walks")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    number = models.PositiveIntegerField(default=0, help_text="Of the current view: v1, v2, …")
    engine = models.CharField(max_length=10, blank=True, help_text="plain or browser.")
    history = models.JSONField(default=list, help_text="The addresses that back and forward lead to.")
    position = models.IntegerField(default=-1, help_text="Where in the history it stands.")
    depths = models.JSONField(default=dict, help_text="How many links away from an opened page each is.")
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(run__isnull=True) | models.Q(person__isnull=True), name="walk_one_owner"
            ),
        ]
        indexes = [models.Index(fields=["used_at"], condition=models.Q(ended_at=None), name="walk_open")]

    def __str__(self) -> str:
        return f"walk {str(self.id)[:8]}"

    @property
    def token(self) -> str:
        return f"v{self.number}"

    @property
    def address(self) -> str:
        """Where it stands; empty before anything was opened."""
        return self.history[self.position] if 0 <= self.position < len(self.history) else ""


class WalkView(models.Model):
    """One view of a walk: what was chosen, where that led, and what could be chosen there."""

    walk = models.ForeignKey(Walk, on_delete=models.CASCADE, related_name="views", db_index=False)
    number = models.PositiveIntegerField()
    act = models.CharField(max_length=10, help_text="open, menu, choose, or where navigate led.")
    chosen = models.CharField(max_length=300, blank=True, help_text="The label of what was chosen.")
    url = models.URLField(max_length=2000)
    title = models.CharField(max_length=500, blank=True)
    engine = models.CharField(max_length=10)
    document = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="views"
    )
    items = models.JSONField(default=list)
    forms = models.JSONField(default=list)
    notes = models.JSONField(default=list)
    links = models.JSONField(default=list)
    screenshot = models.BinaryField(null=True, blank=True, help_text="JPEG.")
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["walk", "number"]
        constraints = [models.UniqueConstraint(fields=["walk", "number"], name="walk_view_number")]

    def __str__(self) -> str:
        return f"v{self.number} {self.title or self.url}"
