"""Anomalies in the admin: what looks wrong, who looks at it, and what was decided."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from common.admin import in_words, link_to
from entities.admin.memory import WithoutPeople
from entities.memory import RefusedWrite
from entities.memory.access import ANOMALY
from entities.models import Anomaly
from entities.services.anomalies import assign_anomaly, decide_anomaly

CHIPS = {"open": "warn", "decided": "pass", "gone": ""}


class StateFilter(SimpleListFilter):
    """Open anomalies unless the person asks for others."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("decided", "Decided"), ("gone", "Gone"), ("all", "All")]

    def choices(self, changelist: ChangeList) -> Any:
        first, *rest = super().choices(changelist)
        return [{**first, "display": "Open"}, *rest]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Anomaly]) -> QuerySet[Anomaly]:
        chosen = self.value() or "open"
        return queryset if chosen == "all" else queryset.filter(state=chosen)


@admin.register(Anomaly)
class AnomalyAdmin(WithoutPeople):
    """What looks wrong about entities."""

    list_display = ("summary", "who", "kind", "standing", "assigned_to", "found_at")
    list_filter = (StateFilter, "kind", "found_at", "assigned_to")
    search_fields = ("summary", "matter", "entity__name", "entity__slug", "entity__lei")
    list_select_related = ("entity", "assigned_to")

    @admin.display(description="entity", ordering="entity__name")
    def who(self, row: Anomaly) -> str | SafeString:
        return link_to(row.entity)

    @admin.display(description="state", ordering="state")
    def standing(self, row: Anomaly) -> SafeString:
        return format_html('<span class="dossier-chip is-{}">{}</span>', CHIPS[row.state], row.state)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("<uuid:pk>/assign/", wrap(self.assign), name="entities_anomaly_assign"),
            path("<uuid:pk>/decide/", wrap(self.decide), name="entities_anomaly_decide"),
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The page; nothing is changed here."""
        row = self.get_object(request, object_id)
        if not self.has_view_permission(request, row) or request.method == "POST":
            raise PermissionDenied
        if row is None:
            return super().change_view(
                request, object_id, form_url, extra_context
            )  # says that it is not there
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": row,
            "anomaly": row,
            "title": row.get_kind_display().capitalize(),
            "chip": CHIPS[row.state],
            "evidence": [(name.replace("_", " "), in_words(value)) for name, value in row.evidence.items()],
            "acts": row.acts.select_related("actor")[:50],
            "may_decide": row.state == Anomaly.State.OPEN and request.user.has_perm(ANOMALY),
        }
        return TemplateResponse(request, "admin/entities/anomaly/page.html", context)

    @method_decorator(require_POST)
    def assign(self, request: HttpRequest, pk: str) -> HttpResponse:
        to = request.user if request.POST.get("to") == "me" else None
        done = "You look at it." if to else "Nobody looks at it now."
        return self._do(
            request,
            pk,
            done,
            lambda row: assign_anomaly(anomaly=row, actor=request.user, to=to),  # type: ignore[arg-type]
        )

    @method_decorator(require_POST)
    def decide(self, request: HttpRequest, pk: str) -> HttpResponse:
        reason, digest = request.POST.get("reason", ""), request.POST.get("digest", "")
        return self._do(
            request,
            pk,
            "Decided. It is not shown again unless its evidence changes.",
            lambda row: decide_anomaly(
                anomaly=row,
                actor=request.user,  # type: ignore[arg-type]  # a known person: the admin lets nobody else in
                reason=reason,
                digest=digest,
            ),
        )

    def _do(
        self, request: HttpRequest, pk: str, done: str, change: Callable[[Anomaly], Anomaly]
    ) -> HttpResponse:
        row = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_view_permission(request, row) or not request.user.has_perm(ANOMALY):
            raise PermissionDenied
        try:
            change(row)
        except RefusedWrite as error:
            self.message_user(request, str(error), messages.ERROR)
        else:
            self.message_user(request, done, messages.SUCCESS)
        return HttpResponseRedirect(f"../../{pk}/change/")
