from datetime import date
from decimal import Decimal

from django.db import models


class ModelPrice(models.Model):
    """What a model costs from a day on, in US dollars. A model without a price cannot be used under a budget."""

    model = models.CharField(
        max_length=100, help_text="As the provider writes it, without the protocol before the colon."
    )
    valid_from = models.DateField()
    input_usd = models.DecimalField(max_digits=10, decimal_places=4, help_text="Per million input tokens.")
    cached_usd = models.DecimalField(
        max_digits=10, decimal_places=4, help_text="Per million input tokens read from the cache."
    )
    cache_write_usd = models.DecimalField(
        max_digits=10, decimal_places=4, help_text="Per million input tokens written to the cache."
    )
    output_usd = models.DecimalField(max_digits=10, decimal_places=4, help_text="Per million output tokens.")
    search_usd = models.DecimalField(
        max_digits=10, decimal_places=4, default=Decimal(0), help_text="Per thousand searches on the server."
    )

    class Meta:
        ordering = ["model", "-valid_from"]
        constraints = [models.UniqueConstraint(fields=["model", "valid_from"], name="modelprice_once_a_day")]

    def __str__(self) -> str:
        return f"{self.model} from {self.valid_from}"

    @classmethod
    def on(cls, model: str, day: date) -> "ModelPrice | None":
        """The price that holds on a day; None when nobody has entered one."""
        return cls.objects.filter(model=model, valid_from__lte=day).order_by("-valid_from").first()
