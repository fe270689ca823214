from django.db import models

from research.models.result import Decision, ResearchResult
from research.models.states import allowed


class MemoStyle(models.TextChoices):
    """How much a memo says."""

    MEMO = "memo"
    BULLETS = "bullets"
    JSON = "json"


class MemoFormat(models.TextChoices):
    """What a memo is written in."""

    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"


class MemoLanguage(models.TextChoices):
    """The languages of the fixed words."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    ITALIAN = "it"


class Memo(models.Model):
    """A document made from a result and its decision. The same input gives the same bytes."""

    Style, Format, Language = MemoStyle, MemoFormat, MemoLanguage

    result = models.ForeignKey(ResearchResult, on_delete=models.PROTECT, related_name="memos")
    decision = models.ForeignKey(
        Decision, null=True, blank=True, on_delete=models.PROTECT, related_name="memos"
    )
    style = models.CharField(max_length=10, choices=MemoStyle)
    format = models.CharField(max_length=10, choices=MemoFormat)
    language = models.CharField(max_length=5, choices=MemoLanguage, default=MemoLanguage.ENGLISH)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the bytes.")
    body = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            allowed("style", MemoStyle, "memo_style"),
            allowed("format", MemoFormat, "memo_format"),
            allowed("language", MemoLanguage, "memo_language"),
            models.UniqueConstraint(
                fields=["result", "style", "format", "language", "digest"],
                name="memo_same_bytes_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.result} {self.style} {self.format}"
