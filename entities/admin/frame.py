"""What all pages about one entity share: who sees it, the frame around it, and how a change is told."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse

from common.admin import ReadOnly
from entities import memory
from entities.admin.page import entity_url
from entities.memory.people import may_see_people, without_people
from entities.models import Entity, EntityAct

Change = Callable[[], EntityAct]


class EntityPages(ReadOnly):
    """The base of the pages about an entity."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entity]:
        """Without natural persons, for whoever may not see them."""
        rows = super().get_queryset(request)
        return rows if may_see_people(request.user) else without_people(rows, "")

    def _frame(self, request: HttpRequest, entity: Entity) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": entity,
            "entity": entity,
            "title": str(entity),
        }

    def _visible(self, request: HttpRequest, pk: str) -> Entity:
        entity = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_view_permission(request, entity):
            raise PermissionDenied
        return entity

    def _do(self, request: HttpRequest, entity: Entity, change: Change, again: str = "") -> HttpResponse:
        """Let the service do it, and show what came of it; a refusal is a sentence on the page."""
        try:
            act = change()
        except memory.RefusedWrite as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(again or entity_url(entity))
        self.message_user(request, f"{entity}: {act.get_kind_display().lower()}.", messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:entities_entity_change", args=[act.entity_id]))
