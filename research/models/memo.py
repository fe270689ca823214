from django.conf import settings
from django.db import models
from django.utils import timezone

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
    PDF = "pdf"
    DOCX = "docx"
    JSON = "json"


class MemoLanguage(models.TextChoices):
    """The languages of the fixed words."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    ITALIAN = "it"


class MemoTemplate(models.Model):
    """A version of how memos are put together: sections, words, looks. It never changes: an edit makes the next one.

    At most one version of a name is active; to undo an edit is to activate an earlier version.
    """

    name = models.SlugField(max_length=60, db_index=False)
    version = models.PositiveIntegerField()
    language = models.CharField(
        max_length=5, choices=MemoLanguage, blank=True, help_text="Of its own words; empty is any language."
    )
    values = models.JSONField(help_text="Parts in their order, header, disclaimer, typeface, size, accent.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the values.")
    note = models.CharField(max_length=500, help_text="Why it was changed.")
    active = models.BooleanField(default=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="memo_template_version"),
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(active=True), name="memo_template_one_active_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


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
    template = models.ForeignKey(
        MemoTemplate,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="memos",
        help_text="Empty is the one that comes with Dossier.",
    )
    template_digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the template's values."
    )
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
                fields=["result", "style", "format", "language", "template_digest", "digest"],
                name="memo_same_bytes_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.result} {self.style} {self.format}"
