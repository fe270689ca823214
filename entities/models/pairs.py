import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from entities.models.entity import Entity, allowed


class PairState(models.TextChoices):
    """``open`` → ``later`` | ``same`` | ``different``; ``later`` → ``later`` | ``same`` | ``different``.

    ``same`` → ``open`` when the merge is undone. ``different`` is final.
    """

    OPEN = "open"
    LATER = "later"
    SAME = "same"
    DIFFERENT = "different"


WAITING = (PairState.OPEN, PairState.LATER)


class EntityPair(models.Model):
    """Two entities that may be the same one, and what a person said of them. There is one undecided row for two.

    ``score`` is 0 to 100, ``explanation`` says which names were compared and why they are alike. When one of the two is
    merged into a third entity, the row moves there, so that what was judged different stays so.
    """

    State = PairState

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entity = models.ForeignKey(
        Entity,
        on_delete=models.CASCADE,
        related_name="pairs",
        help_text="The one that was found to be alike.",
    )
    other = models.ForeignKey(
        Entity, on_delete=models.CASCADE, related_name="pairs_as_other", help_text="The one known before."
    )
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    score = models.FloatField()
    explanation = models.TextField()
    found_at = models.DateTimeField(default=timezone.now)
    found_by = models.CharField(
        max_length=300, blank=True, help_text="A run, a register, a person; if known."
    )
    judged_at = models.DateTimeField(null=True, blank=True)
    judged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-score", "id"]
        verbose_name = "pair of entities"
        verbose_name_plural = "pairs of entities"
        constraints = [
            models.UniqueConstraint(
                Least("entity", "other"),
                Greatest("entity", "other"),
                condition=models.Q(state__in=WAITING),
                name="entitypair_undecided",
            ),
            models.CheckConstraint(
                condition=~models.Q(entity=models.F("other")), name="entitypair_not_with_itself"
            ),
            models.CheckConstraint(condition=models.Q(score__gte=0, score__lte=100), name="entitypair_score"),
            models.CheckConstraint(
                condition=models.Q(state=PairState.OPEN)
                | models.Q(judged_by__isnull=False, judged_at__isnull=False),
                name="entitypair_judged_by_someone",
            ),
            allowed("state", PairState, "entitypair_state"),
        ]
        indexes = [models.Index(fields=["state", "-score", "id"])]

    def __str__(self) -> str:
        return f"{self.entity} and {self.other}"
