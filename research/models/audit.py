from django.conf import settings
from django.db import models
from django.utils import timezone


class AuditEvent(models.Model):
    """One thing that happened. The database refuses UPDATE and DELETE on this table."""

    at = models.DateTimeField(default=timezone.now)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    action = models.CharField(max_length=60)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["object_type", "object_id"])]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"


class AuditSeal(models.Model):
    """The hash chain over the events, made afterwards and in order, so that writers never wait on each other."""

    ordinal = models.PositiveBigIntegerField(unique=True)
    event = models.OneToOneField(AuditEvent, on_delete=models.PROTECT, related_name="seal")
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["ordinal"]

    def __str__(self) -> str:
        return f"{self.ordinal} {self.digest[:12]}"
