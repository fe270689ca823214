from django.db import models

from research.models.states import MacroStatus, allowed


class Macro(models.Model):
    """One version of a research question. A published version never changes: an edit makes the next one."""

    name = models.CharField(max_length=100)
    version = models.CharField(max_length=20)
    status = models.CharField(max_length=10, choices=MacroStatus, default=MacroStatus.DRAFT)
    description = models.TextField()
    tags = models.JSONField(default=list, blank=True)
    schema_name = models.CharField(max_length=100)
    text = models.TextField(help_text="The YAML exactly as published.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the text.")
    origin = models.CharField(max_length=200, blank=True, help_text="The file or person it came from.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="macro_version"),
            models.UniqueConstraint(
                fields=["name"],
                condition=models.Q(status="active"),
                name="macro_one_active_version",
            ),
            allowed("status", MacroStatus, "macro_status"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"
