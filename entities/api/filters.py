"""What the list of entities can be narrowed by."""

from django_filters import rest_framework as filters

from entities.models import Entity


class EntityFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter is untyped
    """``q`` is part of the name."""

    q = filters.CharFilter(field_name="name", lookup_expr="icontains")
    type = filters.CharFilter()
    created_after = filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="gte")
    created_before = filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="lt")

    class Meta:
        model = Entity
        fields = ["type", "jurisdiction", "lei", "verified"]
