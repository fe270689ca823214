"""The authorities' indexes, imported from their lists and replaced as a whole."""

from django.db import models


class BgeSeries(models.Model):
    """The start pages of one volume and division of the official collection."""

    volume = models.PositiveSmallIntegerField()
    division = models.CharField(max_length=4)
    starts = models.JSONField()
    window = models.PositiveSmallIntegerField(help_text="pages of the longest decision")

    class Meta:
        ordering = ["volume", "division"]
        verbose_name_plural = "BGE series"
        constraints = [models.UniqueConstraint(fields=["volume", "division"], name="bge_series_once")]

    def __str__(self) -> str:
        return f"BGE {self.volume} {self.division}"


class LawCode(models.Model):
    """A federal or cantonal act with its abbreviations; an abbreviation that it lacks is empty."""

    canton = models.CharField(max_length=2, blank=True)
    number = models.CharField(max_length=60)
    abbr_de = models.CharField(max_length=80, blank=True)
    abbr_fr = models.CharField(max_length=80, blank=True)
    abbr_it = models.CharField(max_length=80, blank=True)
    title = models.TextField(blank=True)

    class Meta:
        ordering = ["canton", "number", "pk"]
        indexes = [models.Index(fields=["canton", "number"], name="law_code_number")]

    def __str__(self) -> str:
        return f"{self.canton or 'SR'} {self.number} {self.abbr_de or self.abbr_fr or self.abbr_it}".strip()
