"""The queue of pairs that may be the same: two entities side by side, and what a person says of them."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from entities import memory
from entities.admin.entity import standing_of
from entities.admin.memory import WithoutPeople
from entities.models import WAITING, Entity, EntityPair

LIST = "admin:entities_entitypair_changelist"
SHOWN = 8  # names and keys of each side
CHIPS = {"open": "warn", "later": "", "same": "approved", "different": "failed"}


class StateFilter(admin.SimpleListFilter):
    """Without a choice the list is the queue."""

    title = "judgement"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [*EntityPair.State.choices, ("all", "All")]

    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            yield (
                {**choice, "display": "Waiting"}
                if choice["display"] == "All" and not choice["query_string"].count("state=")
                else choice
            )

    def queryset(self, request: HttpRequest, queryset: QuerySet[EntityPair]) -> QuerySet[EntityPair]:
        if self.value() == "all":
            return queryset
        if self.value():
            return queryset.filter(state=self.value())
        return queryset.filter(pk__in=memory.waiting_pairs().order_by().values("pk"))


@admin.register(EntityPair)
class PairAdmin(WithoutPeople):
    """Entities that may be the same."""

    about = ("entity", "other")

    list_display = ("__str__", "likeness", "judgement", "found_at", "found_by", "judged_by")
    list_filter = (StateFilter, "found_at")
    search_fields = ("entity__name", "other__name", "entity__slug", "other__slug", "found_by")
    list_select_related = ("entity", "other", "judged_by")

    @admin.display(description="alike", ordering="score")
    def likeness(self, pair: EntityPair) -> str:
        return f"{pair.score:.0f} of 100"

    @admin.display(description="judgement", ordering="state")
    def judgement(self, pair: EntityPair) -> SafeString:
        return format_html('<span class="dossier-chip is-{}">{}</span>', CHIPS[pair.state], pair.state)

    def get_urls(self) -> list[URLPattern]:
        judge = path(
            "<uuid:pk>/judge/", self.admin_site.admin_view(self.judge), name="entities_entitypair_judge"
        )
        return [judge, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Both side by side; nothing is changed here."""
        pair = self.get_object(request, object_id)
        if not self.has_view_permission(request, pair) or request.method == "POST":
            raise PermissionDenied
        if pair is None:
            return super().change_view(request, object_id, form_url, extra_context)  # tells it is not there
        context = {**self.admin_site.each_context(request), "opts": self.opts, **_context(request, pair)}
        return TemplateResponse(request, "admin/entities/entitypair/judge.html", context)

    @method_decorator(require_POST)
    def judge(self, request: HttpRequest, pk: str) -> HttpResponse:
        """Record the judgement and show the next pair of the queue."""
        pair = get_object_or_404(self.get_queryset(request).select_related("entity", "other"), pk=pk)
        if not self.has_view_permission(request, pair):
            raise PermissionDenied
        judgement, _, kept = request.POST.get("judgement", "").partition(" ")
        into = next((one for one in (pair.entity, pair.other) if str(one.pk) == kept), None)
        try:
            memory.judge_pair(
                pair=pair,
                judgement=judgement,
                actor=cast(User, request.user),  # a known person: the admin lets nobody else in
                reason=request.POST.get("reason", "") or ("Put off." if judgement == "later" else ""),
                into=into,
                digest=request.POST.get(f"digest {kept}", ""),
            )
        except memory.RefusedWrite as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(reverse("admin:entities_entitypair_change", args=[pk]))
        self.message_user(request, f"{pair}: {judgement}.", messages.SUCCESS)
        following = memory.waiting_pairs().filter(state=EntityPair.State.OPEN).first()
        address = (
            reverse("admin:entities_entitypair_change", args=[following.pk]) if following else reverse(LIST)
        )
        return HttpResponseRedirect(address)


def _context(request: HttpRequest, pair: EntityPair) -> dict[str, Any]:
    one, other = (_side(entity, request.user.has_perm) for entity in (pair.entity, pair.other))
    open_to_judge = pair.state in WAITING and not (pair.entity.merged_into_id or pair.other.merged_into_id)
    may = open_to_judge and request.user.has_perm(memory.MERGE)
    return {
        "title": "Are these two the same?",
        "pair": pair,
        "original": pair,
        "rows": [
            {"label": label, "one": value, "other": other[label], "differ": value != other[label]}
            for label, value in one.items()
        ],
        "standings": [standing_of(pair.entity), standing_of(pair.other)],
        "ways": [_way(pair.other, pair.entity), _way(pair.entity, pair.other)] if may else [],
        "may_judge": may,
        "waiting": memory.waiting_pairs().count(),
        "acts": pair.entity.acts.filter(other=pair.other).select_related("actor")[:SHOWN],
    }


def _way(stays: Entity, goes: Entity) -> dict[str, Any]:
    return {"stays": stays, "goes": goes, "plan": memory.plan_merge(into=stays, other=goes)}


def _side(entity: Entity, may: Callable[[str], bool]) -> dict[str, list[str]]:
    """What tells one entity from another and may be seen, as short texts in the same order for every entity."""
    shown: Callable[[Any], list[str]] = lambda value: [str(value)] if value else []  # noqa: E731
    forms = memory.representations_of(entity)[:SHOWN] if may("entities.view_representation") else ()
    links = memory.relationships_of(entity)[:SHOWN] if may("entities.view_relationship") else ()
    addresses = [_address(each) for each in entity.metadata.get("addresses") or [] if isinstance(each, dict)]
    return {
        "Type": [entity.type],
        "Jurisdiction": shown(entity.jurisdiction),
        "LEI": shown(entity.lei),
        "Symbol": shown(entity.symbol),
        "Other names": [variant.name for variant in entity.names[1 : SHOWN + 1]],
        "Identifiers": [f"{form.type} {form.authority} {form.key}" for form in forms],
        "Addresses": addresses[:2],
        "Relationships": [
            f"{link.type} {link.object}" if link.subject_id == entity.pk else f"{link.subject} {link.type} it"
            for link in links
        ],
        "Stated by": shown(entity.metadata.get("stated_by")),
        "Known since": [f"{entity.created_at:%Y-%m-%d}"],
    }


def _address(address: dict[str, Any]) -> str:
    lines = address.get("addressLines") or []
    parts = [*(lines if isinstance(lines, list) else []), address.get("postalCode"), address.get("city")]
    return ", ".join(str(part) for part in (*parts, address.get("country")) if part)
