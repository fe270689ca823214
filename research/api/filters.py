"""What lists can be narrowed by."""

from django_filters import rest_framework as filters

from research.models import Macro, ResearchResult, ResearchSession, Run
from research.models.states import MacroStatus, ResultState, RunState, Trigger


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


class SessionFilter(CreatedFilter):
    class Meta:
        model = ResearchSession
        fields: list[str] = []
