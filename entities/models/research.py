from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from entities.models.entity import Entity


class EntityResearch(models.Model):
    """Findings about an entity with their time to live. History is kept. See ``current_research``
    for which row is the current one.

    ``findings`` are ``{summary, confidence, sentiment?, risks?, opportunities?, metadata?}``; ``sources`` are
    ``[{tool, success, timestamp?, dataFreshness?, reference?, error?}]``, failed ones too. A row that was invalidated
    is never fresh again, whatever its expiry.
    """

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="research")
    at = models.DateTimeField(default=timezone.now)
    ttl = models.PositiveIntegerField(help_text="Seconds, 5 minutes to 90 days.")
    expires_at = models.DateTimeField()
    findings = models.JSONField()
    sources = models.JSONField(default=list)
    confidence = models.PositiveSmallIntegerField()
    reference = models.CharField(max_length=64, blank=True, help_text="The result or run it came from.")
    invalidated_at = models.DateTimeField(null=True, blank=True)
    invalidated_why = models.CharField(max_length=300, blank=True)
    invalidated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name_plural = "entity research"
        constraints = [
            models.CheckConstraint(condition=models.Q(confidence__lte=100), name="research_confidence"),
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("at")), name="research_expires_after_it_is_stored"
            ),
        ]
        indexes = [models.Index(fields=["entity", "-at"])]

    def __str__(self) -> str:
        return f"{self.entity} {self.at:%Y-%m-%d}"

    @property
    def completeness(self) -> int:
        """Per cent of the sources that answered."""
        asked: list[Any] = self.sources
        answered = sum(isinstance(one, dict) and bool(one.get("success")) for one in asked)
        return round(100 * answered / len(asked)) if asked else 0
