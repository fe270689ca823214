from django.db import models

from research.models.run import Run
from research.models.states import CheckKind, Verdict, allowed


class Document(models.Model):
    """The archive: the text of something that was fetched, stored once under the hash of its bytes."""

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the text in UTF-8.")
    url = models.URLField(max_length=2000, blank=True)
    host = models.CharField(max_length=255, blank=True, db_index=True)
    title = models.CharField(max_length=500, blank=True)
    mime = models.CharField(max_length=100)
    language = models.CharField(max_length=10, blank=True)
    size = models.PositiveIntegerField(help_text="Bytes of the text in UTF-8.")
    text = models.TextField()
    warnings = models.JSONField(default=list, help_text="What is suspicious about the text, in sentences.")
    fetched_at = models.DateTimeField()
    indexed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-fetched_at", "-id"]
        indexes = [
            models.Index(
                fields=["id"], name="document_not_indexed", condition=models.Q(indexed_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return self.title or self.url or self.digest[:12]


class Page(models.Model):
    """What lay at an address when it was last fetched: how the next fetch asks whether it has changed."""

    url_hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the canonical URL.")
    url = models.URLField(max_length=2000, help_text="Canonical.")
    final_url = models.URLField(max_length=2000, blank=True, help_text="After redirects.")
    status = models.PositiveSmallIntegerField()
    etag = models.CharField(max_length=300, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    links = models.JSONField(default=list, blank=True, help_text="Where it led to.")
    document = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="pages"
    )
    fetched_at = models.DateTimeField()

    class Meta:
        ordering = ["-fetched_at", "-id"]

    def __str__(self) -> str:
        return self.url


class Source(models.Model):
    """A document or register record as one run used it, under a number that never changes."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="sources", db_index=False)
    number = models.PositiveIntegerField()
    document = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="uses"
    )
    kind = models.CharField(max_length=20, default="register")
    url = models.URLField(max_length=2000, blank=True)
    title = models.CharField(max_length=500)
    snippet = models.TextField(blank=True)
    quality = models.CharField(max_length=10, blank=True)
    novelty = models.CharField(max_length=10, blank=True)
    domain = models.CharField(max_length=255, blank=True, help_text="The registrable domain of the URL.")
    found_by = models.CharField(max_length=40, blank=True, help_text="The search provider or tool.")
    warnings = models.JSONField(default=list, help_text="What is suspicious about it, in sentences.")
    as_of = models.CharField(max_length=40, blank=True, help_text="The register's own publish date.")
    key = models.CharField(max_length=200, help_text="What makes it one source, for example an LEI.")

    class Meta:
        ordering = ["run", "number"]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="source_number"),
            models.UniqueConstraint(fields=["run", "kind", "key"], name="source_once_per_run"),
        ]

    def __str__(self) -> str:
        return f"[{self.number}] {self.title}"


class Check(models.Model):
    """One verdict about one claim of a result, with the evidence it rests on."""

    result = models.ForeignKey(
        "research.ResearchResult", on_delete=models.CASCADE, related_name="checks", db_index=False
    )
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=CheckKind)
    code = models.CharField(max_length=40)
    pointer = models.CharField(max_length=500, blank=True, help_text="RFC 6901; empty is the whole document.")
    subject = models.CharField(max_length=300, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict)
    message = models.TextField()
    evidence = models.JSONField(default=dict)
    as_of = models.CharField(max_length=40, blank=True)
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ["result", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["result", "ordinal"], name="check_ordinal"),
            allowed("kind", CheckKind, "check_kind"),
            allowed("verdict", Verdict, "check_verdict"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.verdict}: {self.subject}"
