from django.db import models
from django.utils import timezone


class LeiRecord(models.Model):
    """A record of the LEI register as it was last read (ISO 17442; attributes in the shape of GLEIF's API v1)."""

    lei = models.CharField(max_length=20, primary_key=True)
    legal_name = models.TextField()
    jurisdiction = models.CharField(max_length=10, blank=True)
    category = models.CharField(max_length=40, blank=True)
    entity_status = models.CharField(max_length=20, blank=True)
    registration_status = models.CharField(max_length=30, blank=True)
    next_renewal = models.DateField(null=True, blank=True)
    successor = models.CharField(max_length=20, blank=True)
    attributes = models.JSONField()
    register = models.CharField(max_length=10, help_text="gleif or demo.")
    as_of = models.CharField(max_length=40, blank=True, help_text="The register's publish date.")
    fetched_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["lei"]
        verbose_name = "LEI record"

    def __str__(self) -> str:
        return f"{self.lei} {self.legal_name[:200]}"


class LeiRelationship(models.Model):
    """A relationship record of the register: ``start`` is the child or fund, ``end`` the parent or manager."""

    start = models.CharField(max_length=20)
    end = models.CharField(max_length=20)
    type = models.CharField(max_length=40)
    status = models.CharField(max_length=20, blank=True)
    attributes = models.JSONField(default=dict)
    register = models.CharField(max_length=10)
    as_of = models.CharField(max_length=40, blank=True)
    fetched_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["start", "type"]
        verbose_name = "LEI relationship"
        constraints = [models.UniqueConstraint(fields=["start", "end", "type"], name="lei_relationship")]

    def __str__(self) -> str:
        return f"{self.start} {self.type} {self.end}"


class ReportingException(models.Model):
    """Why an entity reports no accounting parent of one level."""

    lei = models.CharField(max_length=20)
    category = models.CharField(max_length=60)
    reason = models.CharField(max_length=60)
    register = models.CharField(max_length=10)
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
    register = models.CharField(max_length=10)
    as_of = models.CharField(max_length=40, blank=True)
    counts = models.JSONField(default=dict)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        verbose_name = "GLEIF import"

    def __str__(self) -> str:
        return f"{self.kind} {self.root}"
