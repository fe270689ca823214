"""Macros: browse the versions, edit as a new one."""

from datetime import timedelta
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from common.counts import counted
from research.admin.asking import ask
from research.admin.owners_table import read, upload
from research.admin.readonly import ReadOnly, link_to_list
from research.errors import InvalidMacro
from research.models import Macro, Run
from research.models.states import MacroStatus
from research.services.access import Person
from research.services.macros import publish_macro
from research.services.spending import total

NEW_MACRO = """\
macro:
  name: my-question
  version: "1.0"
  description: What should be found out?
  parameters:
    - name: entity_name
      type: string
      required: true
  tools: [lei_search, lei_record]
  prompt: |
    Find out about {{entity_name}}.
  output:
    schema_name: my-question-result
    schema:
      type: object
      required: [name]
      properties:
        name: {type: string}
    review: required
  tags: []
"""


class MacroForm(forms.Form):
    """The YAML of a version; publishing lints it and shows every fault with its line."""

    text = forms.CharField(
        label="YAML",
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 36, "class": "dossier-code", "spellcheck": "false"}),
    )


@admin.register(Macro)
class MacroAdmin(ReadOnly):
    """All versions. A published version never changes; an edit makes the next one."""

    list_display = ("name", "version", "status", "question", "description", "runs", "created_at")
    exclude = ("text", "tags")
    readonly_fields = ("about", "spent", "as_written")
    list_filter = ("status", "name", "created_at")
    search_fields = ("name", "description", "tags", "text")
    change_form_template = "admin/research/macro/change_form.html"
    change_list_template = "admin/research/macro/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Macro]:
        macros: QuerySet[Macro] = super().get_queryset(request)
        return macros.annotate(asked=counted(Run.objects.filter(macro=OuterRef("pk"))))

    @admin.display(description="")
    def question(self, macro: Macro) -> str | SafeString:
        if macro.status != MacroStatus.ACTIVE:
            return ""
        return format_html('<a href="{}">Ask</a>', reverse("admin:research_macro_ask", args=[macro.pk]))

    @admin.display(description="tags")
    def about(self, macro: Macro) -> str:
        return ", ".join(macro.tags) or "–"

    @admin.display(description="text")
    def as_written(self, macro: Macro) -> SafeString:
        return format_html('<pre class="dossier-json">{}</pre>', macro.text)

    @admin.display(description="spent by this name")
    def spent(self, macro: Macro) -> str:
        lately = timezone.localdate() - timedelta(days=29)
        return f"{total(macro=macro.name).words}; in the last 30 days {total(first=lately, macro=macro.name).words}"

    @admin.display
    def runs(self, macro: Macro) -> SafeString:
        return link_to_list(Run, str(macro.asked), macro__id__exact=macro.pk)  # type: ignore[attr-defined]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("new/", view(self.edit), name="research_macro_new"),
            path("<int:pk>/edit/", view(self.edit), name="research_macro_edit"),
            path("<int:pk>/ask/", view(partial(_ask, self.admin_site)), name="research_macro_ask"),
            path("table/", view(partial(upload, self.admin_site)), name="research_table_upload"),
            path("table/<str:digest>/", view(partial(read, self.admin_site)), name="research_table_read"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of a version, with its way to the editor for those who may publish."""
        return super().change_view(request, object_id, form_url, {"may_publish": may_publish(request)})

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().changelist_view(request, {"may_publish": may_publish(request)})

    def edit(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Edit a version's text, or start a new macro; publishing makes the next version."""
        if not may_publish(request):
            return self._refuse(request)
        macro = Macro.objects.filter(pk=pk).first() if pk else None
        form = MacroForm(request.POST or None, initial={"text": macro.text if macro else NEW_MACRO})
        faults: list[str] = []
        if request.method == "POST" and form.is_valid():
            try:
                text = form.cleaned_data["text"].replace("\r\n", "\n")
                published = publish_macro(
                    text=text, actor=cast(Person, request.user), origin=f"admin: {request.user}"
                )
            except InvalidMacro as error:
                faults = [f"line {fault.line}: {fault.message}" for fault in error.faults]
            else:
                messages.success(request, f"{published} is active now.")
                return HttpResponseRedirect(reverse("admin:research_macro_change", args=[published.pk]))
        return self._page(request, macro, form, faults)

    def _page(
        self, request: HttpRequest, macro: Macro | None, form: MacroForm, faults: list[str]
    ) -> HttpResponse:
        title = f"Edit {macro} as a new version" if macro else "New macro"
        context = {**self.admin_site.each_context(request), "title": title, "form": form, "faults": faults}
        context |= {"macro": macro, "opts": self.model._meta}
        return render(request, "admin/research/macro/edit.html", context, status=400 if faults else 200)

    def _refuse(self, request: HttpRequest) -> HttpResponse:
        messages.error(request, "You may not publish macros: the permission research.add_macro is missing.")
        return HttpResponseRedirect(reverse("admin:research_macro_changelist"))


def _ask(site: admin.AdminSite, request: HttpRequest, pk: int) -> HttpResponse:
    return ask(request, pk, site=site)


def may_publish(request: HttpRequest) -> bool:
    """Publishing a version is adding a macro, in Django's words."""
    return bool(request.user.has_perm("research.add_macro"))
