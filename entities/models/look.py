"""Who looked at what is known of a natural person."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from entities.models.entity import Entity, allowed


class LookHow(models.TextChoices):
    """Through which door."""

    PAGE = "page"
    OWNERS = "owners"
    EXPORT = "export"
    REST = "rest"
    AGENT = "agent"


class EntityLook(models.Model):
    """On one day somebody looked at an entity through one door, once or several times. There is one row for that."""

    How = LookHow

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="looks")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    day = models.DateField()
    how = models.CharField(max_length=10, choices=LookHow)
    times = models.PositiveIntegerField(default=1)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-last_at", "-id"]
        verbose_name = "look at a person"
        verbose_name_plural = "looks at persons"
        constraints = [
            models.UniqueConstraint(fields=["entity", "person", "day", "how"], name="entitylook_once_a_day"),
            allowed("how", LookHow, "entitylook_how"),
        ]
        indexes = [models.Index(fields=["-last_at", "-id"])]

    def __str__(self) -> str:
        return f"{self.person} on {self.day}"
