"""What looks wrong about an entity and waits for a person, and what people did about it."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from common.salt import new_salt
from entities.models.entity import Entity, allowed


class AnomalyKind(models.TextChoices):
    """What looks wrong."""

    REGISTER_LEFT = "register-left", "no longer in the register"
    REGISTER_ENDED = "register-ended", "registration ended"
    REGISTER_LAPSED = "register-lapsed", "registration lapsed"
    RENAMED = "renamed", "another name in the register"
    OWNER_CHANGED = "owner-changed", "another parent in the register"
    SHARES = "shares", "shares over 100 %"
    CONTRADICTION = "contradiction", "sources contradict each other"


class AnomalyState(models.TextChoices):
    """``open`` → ``decided`` by a person, or ``gone`` by itself; either is open again when the evidence changes."""

    OPEN = "open"
    DECIDED = "decided"
    GONE = "gone"


class Anomaly(models.Model):
    """One thing that looks wrong about an entity. ``matter`` tells two of one kind apart: an LEI, a relationship.

    ``digest`` is that of the evidence. A person decides about the evidence: it is not shown again until it changes.
    """

    Kind = AnomalyKind
    State = AnomalyState

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="anomalies")
    kind = models.CharField(max_length=30, choices=Kind)
    matter = models.CharField(max_length=200, blank=True)
    summary = models.TextField()
    evidence = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the evidence.")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    found_at = models.DateTimeField(default=timezone.now, help_text="When this evidence was first seen.")
    seen_at = models.DateTimeField(default=timezone.now, help_text="When it was last seen.")

    class Meta:
        ordering = ["-found_at", "id"]
        verbose_name_plural = "anomalies"
        permissions = [("decide_anomaly", "Can assign and decide anomalies")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "entity", "matter"], name="anomaly_once"),
            allowed("kind", AnomalyKind, "anomaly_kind"),
            allowed("state", AnomalyState, "anomaly_state"),
        ]
        indexes = [models.Index(fields=["state", "-found_at"])]

    def __str__(self) -> str:
        return self.summary[:200]


class AnomalyActKind(models.TextChoices):
    """What happened to an anomaly."""

    FOUND = "found"
    CHANGED = "changed"
    GONE = "gone"
    ASSIGNED = "assigned"
    DECIDED = "decided"


class AnomalyAct(models.Model):
    """What happened to an anomaly: the database refuses UPDATE and DELETE on this table.

    ``actor`` is empty where Dossier found it by itself. ``evidence`` is what was known at that moment.
    """

    Kind = AnomalyActKind

    anomaly = models.ForeignKey(Anomaly, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=10, choices=Kind)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField(blank=True)
    evidence = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    salt = models.CharField(max_length=22, default=new_salt, editable=False)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            allowed("kind", AnomalyActKind, "anomalyact_kind"),
            models.CheckConstraint(
                condition=~models.Q(kind="decided") | (models.Q(actor__isnull=False) & ~models.Q(reason="")),
                name="anomalyact_decided_by_someone",
            ),
        ]
        indexes = [models.Index(fields=["anomaly", "-at"])]

    def __str__(self) -> str:
        return f"{self.kind} by {self.actor}" if self.actor else self.kind
