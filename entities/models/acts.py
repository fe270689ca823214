from django.conf import settings
from django.db import models
from django.utils import timezone

from common.salt import new_salt
from entities.models.entity import Entity, allowed


class ActKind(models.TextChoices):
    """What a person can do to an entity."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    MERGED = "merged"
    MERGE_UNDONE = "merge-undone"
    TOLD_APART = "told-apart"
    PUT_OFF = "put-off"
    EXPORTED = "exported"
    HELD = "held"
    RELEASED = "released"


class EntityAct(models.Model):
    """What a person did to an entity, and why: the database refuses UPDATE and DELETE on this table.

    ``changes`` hold what is needed to tell the story and to undo it. A merge is recorded on the entity that stays, with
    the one that went into it as ``other``; undoing it is another act, once. What was said of a pair that may be the
    same is recorded on the one that was found to be alike.
    """

    Kind = ActKind

    entity = models.ForeignKey(Entity, on_delete=models.PROTECT, related_name="acts")
    other = models.ForeignKey(
        Entity, null=True, blank=True, on_delete=models.PROTECT, related_name="acts_as_other"
    )
    kind = models.CharField(max_length=20, choices=Kind)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    changes = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    undoes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by"
    )
    salt = models.CharField(max_length=22, default=new_salt, editable=False)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            allowed("kind", ActKind, "entityact_kind"),
            models.CheckConstraint(condition=~models.Q(reason=""), name="entityact_reason"),
        ]
        indexes = [models.Index(fields=["entity", "-at"])]

    def __str__(self) -> str:
        return f"{self.kind} by {self.actor}"
