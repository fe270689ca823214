"""Templates of memos: browse the versions, edit as a new one beside its preview, go back to an earlier one."""

from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_sameorigin

from common.counts import counted
from research.admin.memo_template_form import TemplateForm, initial_values
from research.admin.memos import TO_SIGN
from research.admin.readonly import ReadOnly, link_to_list, pretty_json
from research.errors import DossierError, InvalidParameters
from research.memo.formats import MEDIA_TYPES
from research.memo.labels import LANGUAGES
from research.memo.template import read_template
from research.models import Memo, MemoTemplate, ResearchResult
from research.services.access import EDIT_TEMPLATE, Person
from research.services.memo_templates import activate_template, save_template
from research.services.memos import preview_memo

RECENT = 20
REFUSED = """<!doctype html><html lang="en"><title>No preview</title>
<style>body {{ font: 15px/1.5 sans-serif; margin: 24px }}</style>
<p role="alert"><strong>There is no preview of this.</strong> {}</p></html>"""
PREVIEW_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"


@admin.register(MemoTemplate)
class MemoTemplateAdmin(ReadOnly):
    """All versions. A version never changes; an edit makes the next one, and an earlier one can be taken up again."""

    list_display = ("name", "version", "active", "language", "note", "created_by", "created_at", "used")
    list_filter = ("active", "name", "language", "created_at")
    search_fields = ("name", "note", "digest")
    list_select_related = ("created_by",)
    exclude = ("values",)
    readonly_fields = ("content",)
    change_form_template = "admin/research/memotemplate/change_form.html"
    change_list_template = "admin/research/memotemplate/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[MemoTemplate]:
        templates: QuerySet[MemoTemplate] = super().get_queryset(request)
        return templates.annotate(times=counted(Memo.objects.filter(template=OuterRef("pk"))))

    @admin.display(description="values")
    def content(self, template: MemoTemplate) -> SafeString:
        return pretty_json(template.values)

    @admin.display(description="memos")
    def used(self, template: MemoTemplate) -> SafeString:
        return link_to_list(Memo, str(template.times), template__id__exact=template.pk)  # type: ignore[attr-defined]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        preview = xframe_options_sameorigin(self.preview)
        return [
            path("new/", view(self.edit), name="research_memotemplate_new"),
            path("preview/", view(preview), name="research_memotemplate_preview"),
            path("<int:pk>/edit/", view(self.edit), name="research_memotemplate_edit"),
            path("<int:pk>/activate/", view(self.activate), name="research_memotemplate_activate"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return super().change_view(request, object_id, form_url, {"may_edit": may_edit(request)})

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().changelist_view(request, {"may_edit": may_edit(request)})

    def edit(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Edit a version, or begin with the one that comes with Dossier; saving makes the next version."""
        _require(request)
        row = get_object_or_404(MemoTemplate, pk=pk) if pk else None
        form = TemplateForm(request.POST or None, initial=initial_values(row))
        if request.method == "POST" and form.is_valid():
            try:
                saved = save_template(
                    name=form.cleaned_data["name"],
                    values=form.values(),
                    note=form.cleaned_data["note"],
                    language=form.cleaned_data["language"],
                    actor=cast(Person, request.user),
                )
            except InvalidParameters as error:
                for fault in error.errors:
                    form.add_error(None, f"{fault.name}: {fault.message}")
            else:
                messages.success(request, f"{saved} is active now.")
                return HttpResponseRedirect(reverse("admin:research_memotemplate_change", args=[saved.pk]))
        return self._page(request, row, form)

    def _page(self, request: HttpRequest, row: MemoTemplate | None, form: TemplateForm) -> HttpResponse:
        """The form beside its preview."""
        context = {
            **self.admin_site.each_context(request),
            "title": f"Edit {row} as a new version" if row else "New template of memos",
            "form": form,
            "row": row,
            "opts": self.model._meta,
            "results": _recent(request),
            "languages": LANGUAGES,
            "formats": TO_SIGN,
        }
        status = 400 if form.errors else 200
        return render(request, "admin/research/memotemplate/edit.html", context, status=status)

    def preview(self, request: HttpRequest) -> HttpResponse:
        """A memo as the form stands: HTML for the frame beside it, or a file. Nothing is stored."""
        _require(request)
        form = TemplateForm(request.POST or None, initial=initial_values(None), preview=True)
        wanted = request.POST.get("format", "html")
        try:
            if not form.is_valid():
                raise InvalidParameters(form.faults())
            body = preview_memo(
                template=read_template(form.values()),
                result=_chosen(request),
                format=wanted,
                language=request.POST.get("shown_in", "en"),
            )
        except DossierError as error:
            page = format_html(REFUSED, str(error))
            return HttpResponse(page, status=400, headers={"Content-Security-Policy": PREVIEW_POLICY})
        shown = {"Content-Security-Policy": PREVIEW_POLICY}
        saved = {"Content-Disposition": f'attachment; filename="preview.{wanted}"'}
        headers = {"X-Content-Type-Options": "nosniff", **(shown if wanted == "html" else saved)}
        return HttpResponse(body, content_type=MEDIA_TYPES[wanted], headers=headers)

    def activate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take an earlier version up again."""
        row = get_object_or_404(MemoTemplate, pk=pk)
        if request.method == "POST":
            try:
                activate_template(template=row, actor=cast(Person, request.user))
                messages.success(request, f"{row} is active again.")
            except DossierError as error:
                messages.error(request, str(error))
        return HttpResponseRedirect(reverse("admin:research_memotemplate_change", args=[pk]))


def may_edit(request: HttpRequest) -> bool:
    return bool(request.user.has_perm(EDIT_TEMPLATE))


def _require(request: HttpRequest) -> None:
    if not may_edit(request):
        raise PermissionDenied


def _recent(request: HttpRequest) -> list[ResearchResult]:
    """Results to look at a template with, for those who may see results."""
    if not request.user.has_perm("research.view_researchresult"):
        return []
    return list(ResearchResult.objects.select_related("run__macro")[:RECENT])


def _chosen(request: HttpRequest) -> ResearchResult | None:
    return next((one for one in _recent(request) if str(one.pk) == request.POST.get("shown")), None)
