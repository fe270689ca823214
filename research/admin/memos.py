"""Memos in the admin: what was written, and writing one about a result."""

from typing import cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from research.admin.readonly import ReadOnly
from research.api.memos import memo_file
from research.errors import DossierError
from research.models import Memo, ResearchResult
from research.models.memo import MemoLanguage
from research.services.access import Person
from research.services.memo_templates import SHIPPED, template_names
from research.services.memos import compose_memo

TO_SIGN = [("pdf", "PDF"), ("docx", "DOCX (Word)")]
FORMATS = [*TO_SIGN, ("html", "HTML"), ("md", "Markdown"), ("json", "JSON")]


class MemoForm(forms.Form):
    """Which memo is wanted."""

    format = forms.ChoiceField(choices=FORMATS)
    language = forms.ChoiceField(choices=MemoLanguage.choices, initial=MemoLanguage.ENGLISH)
    style = forms.ChoiceField(choices=[("memo", "whole"), ("bullets", "short"), ("json", "data")])
    template = forms.ChoiceField(choices=lambda: [(name, name) for name in template_names()], initial=SHIPPED)

    @property
    def several_templates(self) -> bool:
        return len(template_names()) > 1


@require_safe
def write_memo(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Write a memo about a result and send it; what cannot be written is said on the page of the result."""
    if not request.user.has_perm("research.view_researchresult"):
        raise PermissionDenied
    result = get_object_or_404(ResearchResult, pk=pk)
    defaults = {"format": "", "language": "en", "style": "", "template": SHIPPED}
    options = {name: request.GET.get(name, default) for name, default in defaults.items()}
    try:
        memo = compose_memo(result=result, actor=cast(Person, request.user), **options)
    except DossierError as error:
        messages.error(request, f"No memo was written. {error}")
        return HttpResponseRedirect(reverse("admin:research_researchresult_review", args=[pk]))
    return memo_file(memo)


@admin.register(Memo)
class MemoAdmin(ReadOnly):
    """Memos that were written, to be had again byte for byte."""

    list_display = ("result", "style", "format", "language", "template", "short_digest", "created_at", "file")
    list_filter = ("style", "format", "language", "template", "created_at")
    list_select_related = ("result__run__macro", "template")
    search_fields = ("result__id", "digest")
    exclude = ("body",)
    readonly_fields = ("file",)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.download)
        return [path("<int:pk>/file/", view, name="research_memo_file"), *super().get_urls()]

    def download(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The bytes as they were written."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return memo_file(get_object_or_404(Memo, pk=pk))

    @admin.display(description="digest")
    def short_digest(self, memo: Memo) -> str:
        return memo.digest[:12]

    @admin.display(description="file")
    def file(self, memo: Memo) -> SafeString:
        size = f"{len(bytes(memo.body)) / 1000:.0f} kB"
        return format_html(
            '<a href="{}">Download</a> {}', reverse("admin:research_memo_file", args=[memo.pk]), size
        )
