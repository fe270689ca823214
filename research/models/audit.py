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
    witnessed = models.JSONField(
        default=dict, help_text="{kind:key: SHA-256} of the rows that it vouches for, as they then stood."
    )

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["object_type", "object_id"])]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"


class AuditSeal(models.Model):
    """The place of an event in the log, given afterwards and in order, so that writers never wait on each other."""

    ordinal = models.PositiveBigIntegerField(unique=True, help_text="From 1 on.")
    event = models.OneToOneField(AuditEvent, on_delete=models.PROTECT, related_name="seal")
    leaf = models.CharField(max_length=64, help_text="The hash of the entry in the Merkle tree (RFC 6962).")

    class Meta:
        ordering = ["ordinal"]

    def __str__(self) -> str:
        return f"{self.ordinal} {self.leaf[:12]}"


class AuditHead(models.Model):
    """What the log was at a moment, signed. The same note is kept outside the database."""

    size = models.PositiveBigIntegerField(unique=True, help_text="How many entries it had.")
    at = models.DateTimeField()
    note = models.TextField(help_text="The signed note: size, root, time.")
    frontier = models.JSONField(help_text="The roots of its complete subtrees, the largest first.")

    class Meta:
        ordering = ["size"]

    def __str__(self) -> str:
        return f"{self.size} entries at {self.at:%Y-%m-%d %H:%M:%S}"
