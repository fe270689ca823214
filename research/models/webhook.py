import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from research.models.audit import AuditEvent
from research.models.states import DeliveryState, allowed


class Webhook(models.Model):
    """An address that is told what happens, in the name of the person who entered it."""

    url = models.CharField(max_length=2000)
    description = models.CharField(max_length=200, blank=True)
    events = models.JSONField(default=list, help_text="The kinds of events that are sent.")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    active = models.BooleanField(default=True)
    secret = models.CharField(max_length=100, editable=False)
    former_secret = models.CharField(max_length=100, blank=True, editable=False)
    former_until = models.DateTimeField(null=True, blank=True, editable=False)
    position = models.PositiveBigIntegerField(
        default=0, editable=False, help_text="Up to which seal of the audit trail deliveries were made."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One event for one webhook. What was sent never changes; ``attempts`` tells each time it was tried."""

    State = DeliveryState

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(AuditEvent, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    type = models.CharField(max_length=40)
    payload = models.JSONField()
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    attempts = models.JSONField(
        default=list, help_text="{at, status, answer, trouble, milliseconds} of each."
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at", "-id"]
        verbose_name_plural = "webhook deliveries"
        constraints = [
            allowed("state", DeliveryState, "webhook_delivery_state"),
            models.UniqueConstraint(fields=["webhook", "event"], name="webhook_event_once"),
        ]
        indexes = [
            models.Index(fields=["state", "next_at"]),
            models.Index(fields=["created_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.state}"
