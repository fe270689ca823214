"""That somebody was erased: by whom, when, why, and which rows. Nothing of what stood in them."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from common.salt import new_salt


class Erasure(models.Model):
    """An entity and what was known of it were erased: the database refuses UPDATE and DELETE on this table.

    ``actor`` is empty where a rule of retention did it.

    ``entity`` is the key that it had: what the trail says of it leads here. ``counts`` are rows by table:
    {table: {deleted, emptied}}.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entity = models.UUIDField(null=True, blank=True, help_text="Empty where a rule let go what several left.")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField()
    counts = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    salt = models.CharField(max_length=22, default=new_salt, editable=False)

    class Meta:
        ordering = ["-at"]
        constraints = [models.CheckConstraint(condition=~models.Q(reason=""), name="erasure_reason")]
        indexes = [models.Index(fields=["-at"]), models.Index(fields=["entity"])]

    def __str__(self) -> str:
        return f"erasure {self.pk}"


class ErasedRow(models.Model):
    """A row that an erasure deleted, or took words out of. The triggers of append-only tables let such a row go.

    ``row`` is its key without hyphens, as SQLite keeps a UUID.
    """

    erasure = models.ForeignKey(Erasure, on_delete=models.PROTECT, related_name="rows")
    table = models.CharField(max_length=60)
    row = models.CharField(max_length=64)
    deleted = models.BooleanField(help_text="Else words were taken out of it, and it was vouched for anew.")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["table", "row", "erasure"], name="erasedrow_once")]

    def __str__(self) -> str:
        return f"{self.table} {self.row}"
