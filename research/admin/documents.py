"""The archive in the admin: searched by question, each text shown as text with the passage that was quoted."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import Case, IntegerField, OuterRef, QuerySet, Value, When
from django.db.models.functions import Substr
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common.counts import counted
from research.admin.readonly import ReadOnly, ReadOnlyInline
from research.models import Document, Source, WalkView
from research.web.archive.analysis import question_terms
from research.web.archive.search import MAX_LIMIT, ranked_ids
from research.web.archive.snippets import best_snippet

SHOWN = 200_000  # characters of a text on one page
BEFORE = 20_000  # of them before the passage, in a text that is longer
BEGINNING = 220
PICTURES = 3


class UseInline(ReadOnlyInline):
    """The runs that used the text."""

    model = Source
    verbose_name_plural = "used by"
    fields = readonly_fields = ("run", "number", "kind", "title", "found_by")
    ordering = ("-run__created_at",)
    max_num = 0


@dataclass(frozen=True)
class Passage:
    """A text cut at the passage to show; ``left_before`` and ``left_after`` characters are not on the page."""

    before: str
    marked: str
    after: str
    left_before: int
    left_after: int


@admin.register(Document)
class DocumentAdmin(ReadOnly):
    """What was read, kept once."""

    list_display = ("about", "excerpt", "language", "used", "read_on")
    list_filter = ("language", "mime", "fetched_at")
    search_fields = ("text",)  # answered by the index: see get_search_results
    search_help_text = "Ask a question or give some words. The best answers come first."
    change_form_template = "admin/research/document/change_form.html"
    exclude = ("text", "url", "warnings")
    readonly_fields = ("address", "suspicious")
    fieldsets = (
        (None, {"fields": ("title", "address", "fetched_at", "suspicious")}),
        ("Kept as", {"classes": ("collapse",), "fields": ("mime", "language", "size", "digest", "host")}),
    )
    inlines = (UseInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        documents: QuerySet[Document] = super().get_queryset(request)
        return documents.annotate(times=counted(Source.objects.filter(document=OuterRef("pk"))))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Document], search_term: str
    ) -> tuple[QuerySet[Document], bool]:
        """The documents that answer, in the order of how well, unless another order was asked for.

        Without a question the texts stay in the database.
        """
        if not search_term:
            return queryset.defer("text").annotate(beginning=Substr("text", 1, BEGINNING)), False
        ranked = [pk for pk, _ in ranked_ids(question_terms(search_term), limit=MAX_LIMIT)]
        found = queryset.filter(pk__in=ranked).annotate(asked=Value(search_term))
        if ranked and "o" not in request.GET:
            places = [When(pk=pk, then=Value(place)) for place, pk in enumerate(ranked)]
            found = found.annotate(place=Case(*places, output_field=IntegerField())).order_by("place")
        return found, False

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        document = self.get_object(request, object_id)
        passage = passage_of(document.text, request.GET) if document else None
        shown = {"passage": passage, "pictures": _pictures(document, request) if document else []}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})

    @admin.display(description="document", ordering="title")
    def about(self, document: Document) -> SafeString:
        host = format_html('<br><small class="quiet">{}</small>', document.host) if document.host else ""
        return format_html("{}{}", document, host)

    @admin.display(description="text")
    def excerpt(self, document: Document) -> str | SafeString:
        asked = getattr(document, "asked", "")
        if not asked:
            return str(getattr(document, "beginning", ""))
        snippet = best_snippet(document.text, frozenset(question_terms(asked)), document.language)
        parts = (
            (format_html("<mark>{}</mark>", text) if marked else text,) for text, marked in snippet.parts
        )
        return format_html_join("", "{}", parts)

    @admin.display(description="read on", ordering="fetched_at")
    def read_on(self, document: Document) -> str:
        return f"{document.fetched_at:%Y-%m-%d}"

    @admin.display(description="runs", ordering="times")
    def used(self, document: Document) -> int:
        return int(getattr(document, "times", 0))

    @admin.display(description="address")
    def address(self, document: Document) -> str | SafeString:
        if not document.url.lower().startswith(("https://", "http://")):
            return document.url or "–"
        return format_html('<a href="{}" rel="noopener noreferrer">{}</a>', document.url, document.url)

    @admin.display(description="warnings")
    def suspicious(self, document: Document) -> str | SafeString:
        warnings = [(str(warning),) for warning in document.warnings]
        return format_html_join("", '<p class="dossier-warning">{}</p>', warnings) or "none"


def _pictures(document: Document, request: HttpRequest) -> list[dict[str, Any]]:
    """How the page looked when this text was seen on it, for whoever may see walks."""
    if not request.user.has_perm("research.view_walk"):
        return []
    views = WalkView.objects.filter(document=document, screenshot__isnull=False, walk__run__isnull=False)
    rows = views.order_by("-seen_at").values_list("walk_id", "number", "seen_at")[:PICTURES]
    return [
        {
            "src": reverse("admin:research_walk_picture", args=[walk, number]),
            "walk": f"{reverse('admin:research_walk_change', args=[walk])}#v{number}",
            "seen_at": seen_at,
        }
        for walk, number, seen_at in rows
    ]


def document_url(pk: int, start: int | None = None, end: int | None = None) -> str:
    """The page of a document, at a passage if one is named."""
    url = reverse("admin:research_document_change", args=[pk])
    return url if start is None else f"{url}?from={start}&to={end}#passage"


def passage_of(text: str, asked: Any) -> Passage:
    """The text around the code points ``from`` to ``to`` of the query; its beginning when they make no sense."""
    start, end = _number(asked.get("from", "")), _number(asked.get("to", ""))
    if start is None or end is None or not 0 <= start < end <= len(text):
        start = end = 0
    first = max(0, start - BEFORE) if len(text) > SHOWN else 0
    last = min(len(text), max(first + SHOWN, end))
    return Passage(text[first:start], text[start:end], text[end:last], first, len(text) - last)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
