"""Walks as a path: what was chosen, where that led, how the page looked. People see those of runs, and their own."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString

from research.admin.documents import document_url
from research.admin.readonly import ReadOnly, link_to
from research.models import Walk, WalkView

SHOWN = 200  # views of a walk on one page
WORDS = {
    "open": "Opened",
    "menu": "Looked again",
    "back": "Went back",
    "forward": "Went forward",
    "reload": "Loaded anew",
}


@admin.register(Walk)
class WalkAdmin(ReadOnly):
    """Which way a run went through sites."""

    list_display = ("about", "of_run", "steps", "engine", "created_at", "ended_at")
    list_filter = ("engine", "created_at")
    search_fields = ("id", "views__url", "views__title")
    list_select_related = ("run__macro", "person")
    change_form_template = "admin/research/walk/change_form.html"
    fields = readonly_fields = ("of_run", "person", "engine", "created_at", "used_at", "ended_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Walk]:
        found: QuerySet[Walk] = super().get_queryset(request)
        mine = Q(person=request.user.pk) | Q(run__isnull=False)
        return found.filter(mine).annotate(view_count=Count("views"))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.picture)
        picture = path("<uuid:pk>/picture/<int:number>/", view, name="research_walk_picture")
        return [picture, *super().get_urls()]

    def picture(self, request: HttpRequest, pk: str, number: int) -> HttpResponse:
        """How a view looked."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        walk = get_object_or_404(self.get_queryset(request), pk=pk)
        row = get_object_or_404(WalkView, walk=walk, number=number, screenshot__isnull=False)
        assert row.screenshot is not None  # noqa: S101 - asked for above
        return HttpResponse(bytes(row.screenshot), content_type="image/jpeg")

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        views = WalkView.objects.filter(walk__in=self.get_queryset(request).filter(pk=object_id))
        rows = views.annotate(pictured=Count("screenshot")).defer("screenshot", "items", "links", "forms")
        steps = [_step(row) for row in rows[:SHOWN]]
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "steps": steps})

    @admin.display(description="walk")
    def about(self, walk: Walk) -> str:
        return walk.address or str(walk)

    @admin.display(description="run")
    def of_run(self, walk: Walk) -> str | SafeString:
        return link_to(walk.run) if walk.run else "–"

    @admin.display(description="views", ordering="view_count")
    def steps(self, walk: Walk) -> int:
        return int(getattr(walk, "view_count", 0))


def _step(row: Any) -> dict[str, Any]:
    return {
        "number": row.number,
        "words": f"Chose “{row.chosen}”" if row.act == "choose" else WORDS.get(row.act, row.act),
        "title": row.title or row.url,
        "url": row.url,
        "engine": "without a browser" if row.engine == "plain" else "in a browser",
        "seen_at": row.seen_at,
        "notes": row.notes,
        "picture": reverse("admin:research_walk_picture", args=[row.walk_id, row.number])
        if row.pictured
        else "",
        "text": document_url(row.document_id) if row.document_id else "",
    }
