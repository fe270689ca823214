"""Research results in the admin: a list to choose from, and the review page."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from common.counts import counted
from research.admin.memos import write_memo
from research.admin.readonly import ReadOnly
from research.admin.review import review, standing
from research.admin.taking_back import take_back
from research.models import Check, ResearchResult


@admin.register(ResearchResult)
class ResearchResultAdmin(ReadOnly):
    """What was found, with what waits for review in view; the one way to change a state is the review page."""

    list_display = (
        "title",
        "state_chip",
        "macro",
        "checks_failed",
        "requester",
        "search_quality",
        "created_at",
    )
    list_filter = ("state", "run__macro__name", "review", "schema_valid", "ungrounded", "created_at")
    list_select_related = ("run__macro", "run__requested_by")
    search_fields = ("id", "run__params", "run__macro__name", "run__requested_by__username", "digest")

    def get_urls(self) -> list[URLPattern]:
        def page(request: HttpRequest, pk: UUID) -> HttpResponse:
            return review(request, pk, site=self.admin_site)

        def undo(request: HttpRequest, pk: UUID) -> HttpResponse:
            return take_back(request, pk, site=self.admin_site)

        shown = self.admin_site.admin_view(page)
        own = path("<uuid:pk>/review/", shown, name="research_researchresult_review")
        memo = path(
            "<uuid:pk>/memo/", self.admin_site.admin_view(write_memo), name="research_researchresult_memo"
        )
        back = path(
            "<uuid:pk>/take-back/",
            self.admin_site.admin_view(undo),
            name="research_researchresult_take_back",
        )
        state = path(
            "<uuid:pk>/review/standing/",
            self.admin_site.admin_view(standing),
            name="research_researchresult_standing",
        )
        return [own, state, memo, back, *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ResearchResult]:
        failed = Check.objects.filter(result=OuterRef("pk"), verdict="fail")
        results: QuerySet[ResearchResult] = super().get_queryset(request)
        return results.annotate(failed_checks=counted(failed))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        result = self.get_object(request, object_id)
        if result is None:
            raise Http404
        return HttpResponseRedirect(reverse("admin:research_researchresult_review", args=[result.pk]))

    @admin.display(description="about", ordering="run__params")
    def title(self, result: ResearchResult) -> str:
        return result.run.title

    @admin.display(description="state", ordering="state")
    def state_chip(self, result: ResearchResult) -> SafeString:
        chip = '<span class="dossier-chip is-{}">{}</span>'
        return format_html(chip, result.state, result.get_state_display())

    @admin.display(ordering="run__macro__name")
    def macro(self, result: ResearchResult) -> str:
        return str(result.run.macro)

    @admin.display(description="checks failed", ordering="failed_checks")
    def checks_failed(self, result: ResearchResult) -> int:
        return int(getattr(result, "failed_checks", 0))

    @admin.display(description="asked by", ordering="run__requested_by")
    def requester(self, result: ResearchResult) -> str:
        return result.run.requested_by.get_username() if result.run.requested_by else "Dossier"
