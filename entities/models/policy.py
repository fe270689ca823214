from django.conf import settings
from django.db import models
from django.utils import timezone


class LeiPolicy(models.Model):
    """A version of what counts as pass, warning or failure when an LEI is verified.

    Rows are never changed: the newest is in force, the others are the history.
    """

    values = models.JSONField(default=dict, help_text="What differs from the defaults, name by name.")
    note = models.CharField(max_length=500, help_text="Why it was changed.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        verbose_name = "LEI policy"
        verbose_name_plural = "LEI policies"

    def __str__(self) -> str:
        return f"LEI policy {self.pk} of {self.created_at:%Y-%m-%d %H:%M}"
