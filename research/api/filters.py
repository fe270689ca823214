"""What lists can be narrowed by."""

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from research.api.faults import unknown_name, unknown_word
from research.models import Macro, ResearchResult, ResearchSession, Run, WebhookDelivery
from research.models.states import DeliveryState, MacroStatus, ResultState, RunState, Trigger

OF_EVERY_LIST = ("cursor", "page_size")


class Known(filters.DjangoFilterBackend):  # type: ignore[misc]  # django-filter is untyped
    """A filter that a list does not have is refused by name: left unread, it would show all where a part was meant."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: APIView) -> QuerySet[Any]:
        narrowing = self.get_filterset(request, queryset, view)
        require_known(request, narrowing)
        if narrowing is None:
            return queryset
        rows: QuerySet[Any] = narrowing.qs
        return rows


def require_known(request: Request, narrowing: filters.FilterSet | None, *also: str) -> None:
    """Raises ValidationError for parameters that are neither filters nor those of every list, and for wrong values."""
    names = [*(narrowing.filters if narrowing else ()), *also, *OF_EVERY_LIST]
    unknown = sorted(set(request.query_params) - set(names))
    if unknown:
        raise ValidationError({name[:80]: unknown_name(names) for name in unknown})
    if narrowing is not None and not narrowing.is_valid():
        raise ValidationError({name: _fault(narrowing, name) for name in narrowing.errors})


def _fault(narrowing: filters.FilterSet, name: str) -> Any:
    """A word that is not offered is answered with those that are."""
    allowed = [str(value) for value, _ in getattr(narrowing.form.fields[name], "choices", []) if value]
    return unknown_word(narrowing.data[name], allowed) if allowed else narrowing.errors[name]


class CreatedFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter is untyped
    """``created_after`` and ``created_before``, as ISO 8601 times."""

    created_after = filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="gte")
    created_before = filters.IsoDateTimeFilter(field_name="created_at", lookup_expr="lt")


class MacroFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter is untyped
    """Active versions, unless another ``status`` is asked for."""

    status = filters.ChoiceFilter(choices=MacroStatus.choices)

    class Meta:
        model = Macro
        fields = ["name", "status"]


class RunFilter(CreatedFilter):
    """Several states may be given: ``state=queued&state=running``."""

    state = filters.MultipleChoiceFilter(choices=RunState.choices, distinct=False)
    macro = filters.CharFilter(field_name="macro__name")
    session = filters.UUIDFilter(field_name="session_id")
    trigger = filters.ChoiceFilter(choices=Trigger.choices)

    class Meta:
        model = Run
        fields = ["state", "macro", "session", "trigger"]


class ResultFilter(CreatedFilter):
    """Several states may be given: ``state=approved&state=executed``."""

    state = filters.MultipleChoiceFilter(choices=ResultState.choices, distinct=False)
    macro = filters.CharFilter(field_name="run__macro__name")
    session = filters.UUIDFilter(field_name="session_id")
    run = filters.UUIDFilter(field_name="run_id")

    class Meta:
        model = ResearchResult
        fields = ["state", "macro", "session", "run"]


class DeliveryFilter(CreatedFilter):
    """Several states may be given: ``state=queued&state=failed``."""

    state = filters.MultipleChoiceFilter(choices=DeliveryState.choices)
    type = filters.CharFilter()

    class Meta:
        model = WebhookDelivery
        fields = ["state", "type"]


class SessionFilter(CreatedFilter):
    class Meta:
        model = ResearchSession
        fields: list[str] = []
