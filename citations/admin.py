"""Citations with their uses, bulk verifications with their progress, and what was imported; to look at."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from citations.models import AuthorityList, BulkVerification, Citation, CitationUse
from citations.places import places_of
from citations.services.bulk import MOST, verify_again
from citations.verify.judgement import CHECKS, shown
from common.admin import ReadOnly, pretty_json
from common.counts import counted

SHOWN = 100
MARKS = {"pass": "✓", "warn": "!", "unknown": "?", "fail": "✗"}


@admin.register(Citation)
class CitationAdmin(ReadOnly):
    """A work that is cited, the last answer about it, and where it is cited."""

    actions = ["verify_again"]  # type: ignore[assignment]  # the one thing that a person may have done here
    list_display = ("key", "kind", "standing", "used", "checked_at")
    list_filter = ("verdict", "kind", "authority")
    search_fields = ("key",)
    search_help_text = "A part of the canonical form, such as BGE 145 III or 4A_123."
    list_per_page = 50
    fields = (
        *("key", "kind", "standing", "reason", "message", "perhaps", "authority", "address"),
        *("as_of", "checked_at", "expires_at", "in_full", "where"),
    )
    readonly_fields = ("standing", "perhaps", "address", "in_full", "where", "used")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        uses = counted(CitationUse.objects.filter(citation=OuterRef("pk")))
        citations: QuerySet[Any] = super().get_queryset(request).annotate(uses_count=uses)
        return citations

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The citation with who looks at it: what it is cited in is shown as far as this person may see it."""
        citation = super().get_object(request, object_id, from_field)
        if citation is not None:
            citation.seen_by = request
        return citation

    @admin.display(description="verdict", ordering="verdict")
    def standing(self, citation: Citation) -> SafeString:
        mark = MARKS[CHECKS[citation.verdict]]  # type: ignore[index]  # the database knows the words
        return format_html("<span>{} {}</span>", mark, citation.get_verdict_display())

    @admin.display(description="uses", ordering="uses_count")
    def used(self, citation: Any) -> int:
        return int(citation.uses_count)

    @admin.display(description="real citations nearby")
    def perhaps(self, citation: Citation) -> str:
        return ", ".join(map(str, citation.suggestions)) or "–"

    @admin.display(description="address")
    def address(self, citation: Citation) -> str | SafeString:
        if not citation.url.startswith("https://"):
            return citation.url or "–"
        return format_html('<a href="{0}" rel="noreferrer">{0}</a>', citation.url)

    @admin.display(description="what it rests on")
    def in_full(self, citation: Citation) -> SafeString | str:
        return pretty_json(shown(citation.evidence)) if citation.evidence else "–"

    @admin.display(description="cited in")
    def where(self, citation: Any) -> SafeString | str:
        uses = list(CitationUse.objects.filter(citation=citation)[: SHOWN + 1])
        rows = _rows(citation.seen_by, uses[:SHOWN])
        if not rows:
            return "nowhere"
        more = format_html("<p>Only the first {} are shown.</p>", SHOWN) if len(uses) > SHOWN else ""
        return format_html("{}{}", format_html_join("", "<div>{} <code>{}</code>: {}</div>", rows), more)

    @admin.action(description="Verify again", permissions=["verify"])
    def verify_again(self, request: HttpRequest, citations: QuerySet[Citation]) -> None:
        """In the background: sources are asked at their pace."""
        bulk = verify_again(citations=citations[:MOST], asked_by=cast(User, request.user))
        page = reverse("admin:citations_bulkverification_change", args=[bulk.pk])
        text = '{} will be verified at the pace of their sources: <a href="{}">see how far it is</a>.'
        self.message_user(request, format_html(text, bulk.total, page), messages.SUCCESS)

    def has_verify_permission(self, request: HttpRequest) -> bool:
        """Who may have questions asked outside."""
        return request.user.has_perm("citations.verify_citation")


def _rows(request: HttpRequest, uses: list[CitationUse]) -> list[tuple[str | SafeString, str, str]]:
    """Place, pointer and words of each use; the places of a label are found together."""
    labels = {use.label for use in uses}
    found = {
        label: places_of(request, label, sorted({use.reference for use in uses if use.label == label}))
        for label in labels
    }
    rows: list[tuple[str | SafeString, str, str]] = []
    for use in uses:
        place = found[use.label].get(use.reference)
        name: str | SafeString = place.name if place else use.label
        if place and place.url:
            name = format_html('<a href="{}">{}</a>', place.url, place.name)
        rows.append((name, use.pointer or "/", Truncator(use.raw).chars(160)))
    return rows


@admin.register(BulkVerification)
class BulkVerificationAdmin(ReadOnly):
    """How far it is."""

    list_display = ("created_at", "asked_by", "state", "progress", "trouble", "finished_at")
    list_filter = ("state",)
    fields = ("state", "progress", "asked_by", "trouble", "created_at", "alive_at", "finished_at")
    readonly_fields = ("progress",)

    @admin.display(description="progress")
    def progress(self, bulk: BulkVerification) -> str:
        share = f" ({100 * bulk.done // bulk.total} %)" if bulk.total else ""
        return f"{bulk.done} of {bulk.total}{share}"


@admin.register(AuthorityList)
class AuthorityListAdmin(ReadOnly):
    """What was imported to decide by."""

    list_display = ("name", "file", "rows", "as_of", "imported_at")
    list_filter = ("name",)
