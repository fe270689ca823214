from django.db import models

from research.models.result import Decision, ResearchResult


class Memo(models.Model):
    """A document made from a result and its decision. The same input gives the same bytes."""

    class Style(models.TextChoices):
        MEMO = "memo"
        BULLETS = "bullets"
        JSON = "json"

    class Format(models.TextChoices):
        MARKDOWN = "md"
        HTML = "html"
        JSON = "json"

    result = models.ForeignKey(ResearchResult, on_delete=models.PROTECT, related_name="memos")
    decision = models.ForeignKey(
        Decision, null=True, blank=True, on_delete=models.PROTECT, related_name="memos"
    )
    style = models.CharField(max_length=10, choices=Style)
    format = models.CharField(max_length=10, choices=Format)
    language = models.CharField(max_length=5, default="en")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bytes.")
    body = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["result", "style", "format", "language", "digest"],
                name="memo_same_bytes_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.result} {self.style} {self.format}"
