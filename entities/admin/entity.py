"""The page of an entity, and what a person can do there: vouch for it, merge it, take both back."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from entities import memory
from entities.admin.facts import why_context
from entities.admin.owners import RIGHTS, owners_bods, owners_context, owners_svg
from entities.admin.page import entity_url, page_context
from entities.admin.privacy import Privacy, privacy_context
from entities.list_actions import admin_actions
from entities.memory.interests import TooManyInterests
from entities.memory.people import as_seen_by, shown
from entities.models import Entity, EntityAct
from entities.services.export import FORMATS, export_entity


@admin.register(Entity)
class EntityAdmin(Privacy):
    """What memory knows of an entity."""

    list_display = ("__str__", "standing", "type", "lei", "jurisdiction", "updated_at")
    list_filter = (
        "type",
        "verified",
        "pending_verification",
        ("merged_into", admin.EmptyFieldListFilter),
        "jurisdiction",
        "updated_at",
    )
    search_fields = ("name", "slug", "lei", "symbol", "representations__key")

    @admin.display(description="standing")
    def standing(self, entity: Entity) -> SafeString:
        return format_html('<span class="dossier-chip is-{}">{}</span>', *standing_of(entity))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """What other apps can do for several entities at once."""
        return admin_actions(request)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        pages: list[tuple[str, Callable[..., HttpResponseBase], str]] = [
            ("<uuid:pk>/verify/", self.verify, "verify"),
            ("<uuid:pk>/unverify/", self.unverify, "unverify"),
            ("<uuid:pk>/merge/", self.merge, "merge"),
            ("<uuid:pk>/undo/<int:act>/", self.undo, "undo"),
            ("<uuid:pk>/export/", self.export, "export"),
            ("<uuid:pk>/erase/", self.erase, "erase"),
            ("<uuid:pk>/hold/", self.hold, "hold"),
            ("<uuid:pk>/lift/<int:act>/", self.lift, "lift"),
            ("<uuid:pk>/why/<int:statement>/", self.why, "why"),
            ("<uuid:pk>/owners/", self.owners, "owners"),
            ("<uuid:pk>/owners.svg", self.owners_file(owners_svg), "owners_svg"),
            ("<uuid:pk>/owners.bods.json", self.owners_file(owners_bods), "owners_bods"),
        ]
        own = [path(route, wrap(view), name=f"entities_entity_{name}") for route, view, name in pages]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The page; nothing is changed here."""
        entity = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, entity) or request.method == "POST":
            raise PermissionDenied
        if entity is None:
            return super().change_view(request, object_id, form_url, extra_context)  # tells it is not there
        with as_seen_by(request.user):
            shown(entity.pk)
            context = {**self._frame(request, entity), **page_context(request, entity)}
        context |= {"standing": standing_of(entity), **privacy_context(request, entity)}
        return TemplateResponse(request, "admin/entities/entity/page.html", context)

    @method_decorator(require_POST)
    def verify(self, request: HttpRequest, pk: str) -> HttpResponse:
        entity, reason = self._visible(request, pk), request.POST.get("reason", "")
        return self._do(
            request,
            entity,
            lambda: memory.verify_entity(entity=entity, actor=request.user, reason=reason),  # type: ignore[arg-type]
        )

    @method_decorator(require_POST)
    def unverify(self, request: HttpRequest, pk: str) -> HttpResponse:
        entity, reason = self._visible(request, pk), request.POST.get("reason", "")
        apart = "keep_apart" in request.POST
        return self._do(
            request,
            entity,
            lambda: memory.unverify_entity(
                entity=entity,
                actor=request.user,  # type: ignore[arg-type]  # a known person: the admin lets nobody else in
                reason=reason,
                keep_apart=apart,
            ),
        )

    @method_decorator(require_POST)
    def undo(self, request: HttpRequest, pk: str, act: int) -> HttpResponse:
        entity = self._visible(request, pk)
        done, reason = get_object_or_404(EntityAct, pk=act, entity=entity), request.POST.get("reason", "")
        return self._do(
            request,
            entity,
            lambda: memory.undo_merge(act=done, actor=request.user, reason=reason),  # type: ignore[arg-type]
        )

    @method_decorator(require_POST)
    def export(self, request: HttpRequest, pk: str) -> HttpResponseBase:
        """All that is known of the entity as a file."""
        entity, format = self._visible(request, pk), request.POST.get("format", "")
        asked: dict[str, Any] = {"actor": request.user, "reason": request.POST.get("reason", "")}
        try:
            if format in FORMATS:
                return _file(entity, format, [FORMATS[format](entity=entity, **asked)])
            told = export_entity(entity=entity, **asked)
        except memory.NotAllowed as error:
            raise PermissionDenied(str(error)) from None
        except memory.RefusedWrite as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(entity_url(entity))
        return _file(entity, "json", told)

    def merge(self, request: HttpRequest, pk: str) -> HttpResponse:
        """GET shows what would happen, POST lets it happen, as it was shown."""
        entity = self._visible(request, pk)
        if not request.user.has_perm(memory.MERGE):
            raise PermissionDenied
        text = str(request.POST.get("with") or request.GET.get("with") or "")
        with as_seen_by(request.user):
            other, candidates = _meant(text, entity)
        if request.method == "POST" and other:
            return self._do(
                request,
                entity,
                lambda: memory.merge_entities(
                    into=entity,
                    other=other,
                    actor=request.user,  # type: ignore[arg-type]  # see above
                    reason=request.POST.get("reason", ""),
                    digest=request.POST.get("digest", ""),
                ),
                again=f"{request.path}?with={other.pk}",
            )
        context = {
            **self._frame(request, entity),
            "title": f"Merge another entity into {entity}",
            "asked": text,
            "other": other,
            "candidates": candidates,
            "plan": memory.plan_merge(into=entity, other=other) if other else None,
        }
        return TemplateResponse(request, "admin/entities/entity/merge.html", context)

    def why(self, request: HttpRequest, pk: str, statement: int) -> HttpResponse:
        """The chain from a value to what stands behind it."""
        entity = self._visible(request, pk)
        if not request.user.has_perm("entities.view_statement"):
            raise PermissionDenied
        context = {
            **self._frame(request, entity),
            "title": f"Why do we believe this of {entity}?",
            **why_context(request, entity, statement),
        }
        return TemplateResponse(request, "admin/entities/entity/why.html", context)

    def owners(self, request: HttpRequest, pk: str) -> HttpResponse:
        """Who owns the entity, by one rule on one day."""
        entity = self._with_owners(request, pk)
        context = {**self._frame(request, entity), **owners_context(request, entity)}
        context["title"] = f"Owners of {entity}"
        return TemplateResponse(request, "admin/entities/entity/owners.html", context)

    def owners_file(
        self, write: Callable[[HttpRequest, Entity], HttpResponse]
    ) -> Callable[[HttpRequest, str], HttpResponse]:
        """A view that sends the owners as a file; a structure that is too large is told on the page instead."""

        def send(request: HttpRequest, pk: str) -> HttpResponse:
            entity = self._with_owners(request, pk)
            try:
                return write(request, entity)
            except TooManyInterests:
                return HttpResponseRedirect(reverse("admin:entities_entity_owners", args=[entity.pk]))

        return send

    def _with_owners(self, request: HttpRequest, pk: str) -> Entity:
        entity = self._visible(request, pk)
        if not request.user.has_perms(RIGHTS):
            raise PermissionDenied
        return entity


def standing_of(entity: Entity) -> tuple[str, str]:
    """A class and a word: whether anybody vouches for the entity."""
    if entity.merged_into_id:
        return "failed", "merged"
    if entity.verified:
        return "approved", f"verified by {entity.verified_by}"
    return ("warn", "pending verification") if entity.pending_verification else ("", "unverified")


def _file(entity: Entity, format: str, parts: Iterable[str | bytes]) -> StreamingHttpResponse:
    name = f'attachment; filename="{entity.slug}.{format}"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return StreamingHttpResponse(parts, content_type=f"application/{format}", headers=headers)


def _meant(text: str, entity: Entity) -> tuple[Entity | None, list[Entity]]:
    """The entity to be merged, or the candidates to choose from; never the one it would go into."""
    if not text.strip():
        return None, []
    found = memory.resolve(text)
    if found.entity and found.entity != entity:
        return found.entity, []
    several = [*found.candidates, *found.lookalikes] or memory.search(query=text)
    return None, [each for each in several if each != entity]
