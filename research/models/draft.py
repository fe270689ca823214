from django.conf import settings
from django.db import models


class Draft(models.Model):
    """What a person has typed on a page and not yet sent or decided; nobody else sees it."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    page = models.CharField(
        max_length=300, help_text="The address of the page, or result: and the key of the result it is about."
    )
    digest = models.CharField(
        max_length=64, help_text="Digest of the data that the page showed; else of where its form is sent to."
    )
    typed = models.JSONField(help_text="The fields of the form that hold something of the person's own.")
    revision = models.PositiveIntegerField(
        default=1, help_text="Raised by each save, so that two windows do not write over each other."
    )
    window = models.CharField(max_length=16, help_text="Which of the person's windows saved it.")
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["-saved_at"]
        constraints = [
            models.UniqueConstraint(fields=["person", "page", "digest"], name="draft_once"),
        ]

    def __str__(self) -> str:
        return f"draft of {self.person} on {self.page}"
