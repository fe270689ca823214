"""What models cost: the one table that people fill in by a stock form, through the services all the same."""

from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from research.admin.readonly import Base
from research.errors import InvalidParameters
from research.models import ModelPrice
from research.services.access import Person
from research.services.prices import model_id, models_without_price, read_price, remove_price, set_price

if TYPE_CHECKING:
    FormBase = forms.ModelForm[ModelPrice]
else:
    FormBase = forms.ModelForm

AMOUNTS = {
    "input": ("input_usd", "Per million input tokens."),
    "cached": ("cached_usd", "Per million input tokens read from the cache; empty: as input."),
    "cache_write": ("cache_write_usd", "Per million input tokens written to the cache; empty: as input."),
    "output": ("output_usd", "Per million output tokens."),
    "search": ("search_usd", "Per thousand searches that the provider makes itself; empty: none."),
}


class PriceForm(FormBase):
    """Amounts in US dollars as the provider's price list states them."""

    class Meta:
        model = ModelPrice
        fields = ["model", "valid_from", *(field for field, _ in AMOUNTS.values())]
        labels = {
            field: f"{name.replace('_', ' ').capitalize()} (USD)" for name, (field, _) in AMOUNTS.items()
        }
        help_texts = {
            "model": "As the provider writes it, for example what stands after “anthropic:” in DOSSIER_MODEL.",
            **dict(AMOUNTS.values()),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("cached_usd", "cache_write_usd", "search_usd"):
            if name in self.fields:
                self.fields[name].required = False
        if "valid_from" in self.fields:
            self.fields["valid_from"].initial = timezone.localdate

    def clean(self) -> dict[str, Any]:
        """Read by the rules of the service, so that form, file and command line agree."""
        cleaned = dict(super().clean() or self.cleaned_data)
        given = {name: cleaned.get(field) for name, (field, _) in AMOUNTS.items()}
        try:
            if "model" in self.fields:  # else it stands already
                cleaned["model"] = model_id(cleaned.get("model", ""))
            price = asdict(read_price(given))
        except InvalidParameters as error:
            for fault in error.errors:
                field = AMOUNTS[fault.name][0] if fault.name in AMOUNTS else fault.name
                if field not in self.errors:
                    self.add_error(field, fault.message)
            return cleaned
        return cleaned | {field: price[name] for name, (field, _) in AMOUNTS.items()}


@admin.register(ModelPrice)
class ModelPriceAdmin(Base):
    """Dossier ships no prices: whoever runs it enters those of their own contract, with the day they hold from."""

    form = PriceForm
    list_display = (
        "model",
        "valid_from",
        "input_usd",
        "cached_usd",
        "cache_write_usd",
        "output_usd",
        "search_usd",
    )
    list_filter = ("valid_from",)
    search_fields = ("model",)
    change_list_template = "admin/research/modelprice/change_list.html"

    def get_readonly_fields(self, request: HttpRequest, obj: ModelPrice | None = None) -> tuple[str, ...]:
        """A price is of one model from one day on; another day is another price."""
        return ("model", "valid_from") if obj else ()

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        more = {"missing": models_without_price(), "empty": not ModelPrice.objects.exists()}
        return super().changelist_view(request, {**(extra_context or {}), **more})

    def save_model(self, request: HttpRequest, obj: ModelPrice, form: Any, change: bool) -> None:
        stored = set_price(
            model=obj.model,
            price=read_price(
                {name: getattr(obj, field) or Decimal(0) for name, (field, _) in AMOUNTS.items()}
            ),
            valid_from=obj.valid_from,
            actor=cast(Person, request.user),
        )
        obj.pk = stored.pk

    def delete_model(self, request: HttpRequest, obj: ModelPrice) -> None:
        remove_price(price=obj, actor=cast(Person, request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ModelPrice]) -> None:
        for price in queryset:
            self.delete_model(request, price)
