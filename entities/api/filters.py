"""What the lists of entities, of their representations and of their timelines can be narrowed by."""

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters

from entities.models import Entity, EntityEvent, Relationship, Representation, name_key


class PlainFilter(filters.CharFilter):  # type: ignore[misc]
    """What is kept in capitals and without blanks is also found by somebody who types it otherwise."""

    def filter(self, rows: QuerySet[Entity], value: str) -> QuerySet[Entity]:
        """Narrow to the value in capitals."""
        found: QuerySet[Entity] = super().filter(rows, "".join((value or "").split()).upper())
        return found


class TruthField(forms.Field):
    """True or false; what is neither is a fault, since to overlook it would show all where a part was meant."""

    def to_python(self, value: Any) -> bool | None:
        text = "" if value is None else str(value).strip().lower()
        if text and text not in ("true", "false", "1", "0"):
            raise forms.ValidationError("must be true or false")
        return text in ("true", "1") if text else None


class Truth(filters.BooleanFilter):  # type: ignore[misc]  # django-filter is untyped
    """A filter that is true, false, or not given."""

    field_class = TruthField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, widget=forms.TextInput, **kwargs)


class EntityFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter is untyped
    """``q`` is part of the name, or the whole of an alias, symbol, slug or key. What was merged is left out."""

    q = filters.CharFilter(method="search", max_length=200)
    type = filters.CharFilter()
    lei = PlainFilter()
    jurisdiction = PlainFilter()
    merged = Truth(
        field_name="merged_into",
        lookup_expr="isnull",
        exclude=True,
        label="Only those that went into another.",
    )
    created_after = filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="gte")
    created_before = filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="lt")

    class Meta:
        model = Entity
        fields = ["type", "jurisdiction", "lei", "verified", "pending_verification"]

    def search(self, rows: QuerySet[Entity], name: str, text: str) -> QuerySet[Entity]:
        """Narrow to what the text fits."""
        keyed = Representation.objects.filter(key=text, active=True).values("entity")
        named = Entity.objects.filter(name_keys__key=name_key(text)).values("pk")
        whole = Q(symbol__iexact=text) | Q(slug=text.lower()) | Q(pk__in=keyed) | Q(pk__in=named)
        return rows.filter(whole | Q(name__icontains=text))

    def filter_queryset(self, queryset: QuerySet[Entity]) -> QuerySet[Entity]:
        rows: QuerySet[Entity] = super().filter_queryset(queryset)
        asked = self.form.cleaned_data.get("merged") is not None
        return rows if asked else rows.filter(merged_into__isnull=True)


class FormFilter(filters.FilterSet):  # type: ignore[misc]
    """Representations by type, and whether they are still active."""

    class Meta:
        model = Representation
        fields = ["type", "active"]


class EventFilter(filters.FilterSet):  # type: ignore[misc]
    """Events by type, several separated by commas, and by what matters at least so much."""

    type = filters.CharFilter(method="of_types")
    min_importance = filters.NumberFilter(
        field_name="importance", lookup_expr="gte", min_value=0, max_value=10
    )

    class Meta:
        model = EntityEvent
        fields: list[str] = []

    def of_types(self, rows: QuerySet[EntityEvent], name: str, value: str) -> QuerySet[EntityEvent]:
        """Narrow to types separated by commas."""
        return rows.filter(type__in=[word.strip() for word in value.split(",")])


class RelatedFilter(filters.FilterSet):  # type: ignore[misc]
    """Relationships by type, and whether they are current."""

    current = Truth(field_name="valid_to", lookup_expr="isnull")

    class Meta:
        model = Relationship
        fields = ["type"]
