"""``macros`` and ``macros/{name}``."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.generics import ListAPIView, RetrieveAPIView

from entities.api.permissions import CanView
from research.api.filters import MacroFilter
from research.api.macro_serializers import MacroDetailSerializer, MacroSerializer
from research.models import Macro
from research.models.states import MacroStatus


class MacroList(ListAPIView[Macro]):
    """The questions that can be asked. Active versions, unless ``status`` asks for others."""

    permission_classes = [CanView]
    may_view = "research.view_macro"
    serializer_class = MacroSerializer
    filterset_class = MacroFilter
    queryset = Macro.objects.all()

    def get_queryset(self) -> QuerySet[Macro]:
        macros = super().get_queryset()
        return macros if "status" in self.request.query_params else macros.filter(status=MacroStatus.ACTIVE)


class MacroDetail(RetrieveAPIView[Macro]):
    """The active version of a name."""

    permission_classes = [CanView]
    may_view = "research.view_macro"
    serializer_class = MacroDetailSerializer
    queryset = Macro.objects.filter(status=MacroStatus.ACTIVE)
    lookup_field = "name"
    filter_backends: list[Any] = []

    def get_object(self) -> Macro:
        return get_object_or_404(self.get_queryset(), name=self.kwargs["name"])
