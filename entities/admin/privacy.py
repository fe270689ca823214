"""Pages that erase an entity and hold it; and lists of what was erased, and of who looked at persons."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST

from common.admin import ReadOnly
from entities import memory
from entities.admin.frame import EntityPages
from entities.admin.memory import WithoutPeople
from entities.memory.access import ERASE, HOLD, PERSON
from entities.memory.holds import holds_on, lift_hold, place_hold
from entities.models import Entity, EntityAct, EntityLook, Erasure
from entities.services.erasure import erase_entity, plan_erasure


class Privacy(EntityPages):
    """What the page of an entity offers besides: erase it, hold it, lift a hold."""

    def erase(self, request: HttpRequest, pk: str) -> HttpResponse:
        """GET shows what goes and what stays, POST lets it go, as it was shown."""
        entity = self._visible(request, pk)
        if not request.user.has_perms((ERASE, PERSON)):
            raise PermissionDenied
        if request.method == "POST":
            try:
                erasure = erase_entity(
                    entity=entity,
                    actor=request.user,  # type: ignore[arg-type]  # a known person: the admin lets nobody else in
                    reason=request.POST.get("reason", ""),
                    confirmed=request.POST.get("confirmed", ""),
                    digest=request.POST.get("digest", ""),
                )
            except memory.RefusedWrite as error:
                self.message_user(request, str(error), messages.ERROR)
                return HttpResponseRedirect(request.path)
            self.message_user(request, f"Erased: {erasure}.", messages.SUCCESS)
            return HttpResponseRedirect(reverse("admin:entities_erasure_change", args=[erasure.pk]))
        context = {**self._frame(request, entity), "title": f"Erase {entity}", "plan": plan_erasure(entity)}
        return TemplateResponse(request, "admin/entities/entity/erase.html", context)

    @method_decorator(require_POST)
    def hold(self, request: HttpRequest, pk: str) -> HttpResponse:
        entity, reason = self._visible(request, pk), request.POST.get("reason", "")
        return self._do(
            request,
            entity,
            lambda: place_hold(entity=entity, actor=request.user, reason=reason),  # type: ignore[arg-type]
        )

    @method_decorator(require_POST)
    def lift(self, request: HttpRequest, pk: str, act: int) -> HttpResponse:
        entity, reason = self._visible(request, pk), request.POST.get("reason", "")
        hold = get_object_or_404(EntityAct, pk=act, entity=entity)
        return self._do(
            request,
            entity,
            lambda: lift_hold(hold=hold, actor=request.user, reason=reason),  # type: ignore[arg-type]
        )


def privacy_context(request: HttpRequest, entity: Entity) -> dict[str, Any]:
    """The holds that stand, and what the person may do."""
    return {
        "holds": holds_on([entity.pk]),
        "may_hold": request.user.has_perm(HOLD),
        "may_erase": request.user.has_perms((ERASE, PERSON)),
    }


@admin.register(Erasure)
class ErasureAdmin(ReadOnly):
    """What was erased: by whom, when, why, how many rows of what."""

    list_display = ("__str__", "actor", "reason", "rows", "at")
    list_filter = ("at", "actor")
    search_fields = ("reason", "actor__username")
    list_select_related = ("actor",)
    fields = ("entity", "actor", "reason", "at", "rows", "counts")

    @admin.display(description="rows")
    def rows(self, erasure: Erasure) -> int:
        return sum(sum(each.values()) for each in erasure.counts.values())


@admin.register(EntityLook)
class LookAdmin(WithoutPeople):
    """Who looked at what is known of natural persons."""

    about = ("entity",)
    list_display = ("entity", "person", "day", "how", "times", "last_at")
    list_filter = ("how", "day", "person")
    search_fields = ("entity__name", "entity__slug", "person__username")
    list_select_related = ("entity", "person")
