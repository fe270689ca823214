from django.db import models
from django.utils import timezone

from entities.models.fields import DocumentField


class RegisterName(models.TextChoices):
    """Where a row was read."""

    LOCAL = "local", "golden copy"  # imported from a file; only the import writes these
    GLEIF = "gleif", "GLEIF's API"
    DEMO = "demo", "demo register"


class LeiRecord(models.Model):
    """A record of the LEI register as it was last read (ISO 17442; attributes in the shape of GLEIF's API v1).

    What the register leaves empty may be missing in ``attributes``. Every name of a local record is a ``LeiName``.
    """

    lei = models.CharField(max_length=20, primary_key=True)
    legal_name = models.TextField()
    jurisdiction = models.CharField(max_length=10, blank=True)
    category = models.CharField(max_length=40, blank=True)
    entity_status = models.CharField(max_length=20, blank=True)
    registration_status = models.CharField(max_length=30, blank=True)
    next_renewal = models.DateField(null=True, blank=True)
    successor = models.CharField(max_length=20, blank=True)
    attributes = DocumentField()
    register = models.CharField(max_length=10, choices=RegisterName.choices)
    as_of = models.CharField(max_length=40, blank=True, help_text="The register's publish date.")
    fetched_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Until when an answer of the API stands for it; empty: it is not asked again.",
    )

    class Meta:
        ordering = ["lei"]
        verbose_name = "LEI record"

    def __str__(self) -> str:
        return f"{self.lei} {self.legal_name[:200]}"


class LeiName(models.Model):
    """One name of one record of the golden copy: the legal name and every other, as GLEIF types them.

    ``type`` is LEGAL_NAME or the register's own word, ``key`` is ``entities.names.keys.search_key(name)``: what a
    name is looked up by. A full import builds this table anew with the indexes it finds on the old one and puts it in
    its place, so an index may be added by any migration; triggers and foreign keys would be lost.
    """

    lei = models.CharField(max_length=20)
    name = models.TextField()
    type = models.CharField(max_length=60)
    language = models.CharField(max_length=20, blank=True)
    key = models.CharField(max_length=300)

    class Meta:
        ordering = ["lei", "id"]
        verbose_name = "LEI name"
        indexes = [
            models.Index(fields=["lei"], name="lei_name_lei"),
            models.Index(fields=["key"], name="lei_name_key"),
        ]

    def __str__(self) -> str:
        return f"{self.lei} {self.name[:200]}"


class LeiRelationship(models.Model):
    """A relationship record of the register: ``start`` is the child or fund, ``end`` the parent or manager."""

    start = models.CharField(max_length=20)
    end = models.CharField(max_length=20)
    type = models.CharField(max_length=40)
    status = models.CharField(max_length=20, blank=True)
    attributes = models.JSONField(default=dict)
    register = models.CharField(max_length=10, choices=RegisterName.choices)
    as_of = models.CharField(max_length=40, blank=True)
    fetched_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["start", "type"]
        verbose_name = "LEI relationship"
        constraints = [models.UniqueConstraint(fields=["start", "end", "type"], name="lei_relationship")]
        indexes = [models.Index(fields=["end", "type"], name="lei_relationship_end")]

    def __str__(self) -> str:
        return f"{self.start} {self.type} {self.end}"


class ReportingException(models.Model):
    """Why an entity reports no accounting parent of one level."""

    lei = models.CharField(max_length=20)
    category = models.CharField(max_length=60)
    reason = models.CharField(max_length=60)
    reference = models.TextField(blank=True)
    register = models.CharField(max_length=10, choices=RegisterName.choices)
    as_of = models.CharField(max_length=40, blank=True)
    fetched_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["lei", "category"]
        constraints = [models.UniqueConstraint(fields=["lei", "category"], name="reporting_exception")]

    def __str__(self) -> str:
        return f"{self.lei} {self.category} {self.reason}"


class GleifImport(models.Model):
    """One import from the register: what was asked for and what it changed."""

    kind = models.CharField(max_length=30, help_text="tree, managed-funds or client-group.")
    root = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    register = models.CharField(max_length=10, choices=RegisterName.choices)
    as_of = models.CharField(max_length=40, blank=True)
    counts = models.JSONField(default=dict)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        verbose_name = "GLEIF import"

    def __str__(self) -> str:
        return f"{self.kind} {self.root}"


class GoldenCopyImport(models.Model):
    """One import of a file of GLEIF's golden copy: ``running`` → ``live`` or ``failed``; at most one is running.

    The newest live row of a ``kind`` says what the local register holds. A running one that has not given a sign of
    life (``beat_at``) for long has died; its old register is still live.
    """

    class Kind(models.TextChoices):
        """Which of GLEIF's three files."""

        LEI = "lei2", "LEI records"
        RELATIONSHIP = "rr", "relationships"
        EXCEPTION = "repex", "reporting exceptions"

    class Scope(models.TextChoices):
        """How much of the register the file holds: all, or what changed within a span."""

        FULL = "full", "everything"
        INTRA_DAY = "IntraDay", "8 hours"
        LAST_DAY = "LastDay", "24 hours"
        LAST_WEEK = "LastWeek", "7 days"
        LAST_MONTH = "LastMonth", "31 days"

    class State(models.TextChoices):
        """``running`` → ``live`` | ``failed``."""

        RUNNING = "running"
        LIVE = "live"
        FAILED = "failed"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    scope = models.CharField(max_length=10, choices=Scope.choices)
    source = models.TextField(help_text="The file's name.")
    publish_date = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    phase = models.CharField(max_length=40, blank=True)
    done = models.BigIntegerField(default=0, help_text="Bytes of the file that are read.")
    total = models.BigIntegerField(default=0, help_text="Bytes of the file.")
    counts = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    left_out = models.JSONField(
        default=list, blank=True, help_text="Records that were wrong and are not imported, a sentence each."
    )
    owner = models.CharField(max_length=120, blank=True, help_text="Host and process.")
    started_at = models.DateTimeField(default=timezone.now)
    beat_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at", "-id"]
        verbose_name = "golden copy import"
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=models.Q(state="running"), name="golden_copy_one_running"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["running", "live", "failed"]), name="golden_copy_state"
            ),
        ]
        indexes = [models.Index(fields=["kind", "state", "-id"], name="golden_copy_newest")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.publish_date:%Y-%m-%d %H:%M}"
