"""The LEI register as it was read."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from common.admin import ReadOnly, pretty_json
from entities.admin.register_page import register_page
from entities.lei import normalise
from entities.models import GleifImport, GoldenCopyImport, LeiRecord, LeiRelationship, ReportingException

if TYPE_CHECKING:
    PaginatorBase = Paginator[Any]
else:
    PaginatorBase = Paginator


class FirstPages(PaginatorBase):
    """Counts no further than anybody pages: an imported register has millions of rows."""

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return len(rows.values_list("pk")[: self.MOST])


@admin.register(LeiRecord)
class LeiRecordAdmin(ReadOnly):
    """A record as the register gave it."""

    list_display = (
        "lei",
        "name",
        "jurisdiction",
        "entity_status",
        "registration_status",
        "next_renewal",
        "register",
    )
    list_filter = ("register",)  # any other would look through millions of rows
    search_fields = ("lei__exact",)  # "=" would compare capitals, which no index serves
    search_help_text = "A whole LEI; names are found on the page of the LEI register."
    paginator = FirstPages
    exclude = ("attributes",)
    readonly_fields = ("in_full",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[LeiRecord], search_term: str
    ) -> tuple[QuerySet[LeiRecord], bool]:
        """By the LEI that was meant, whatever its blanks, dashes and small letters."""
        return super().get_search_results(request, queryset, normalise(search_term))

    @admin.display(ordering="legal_name")
    def name(self, record: LeiRecord) -> str:
        return Truncator(record.legal_name).chars(200)

    @admin.display(description="attributes")
    def in_full(self, record: LeiRecord) -> SafeString:
        return pretty_json(record.attributes)


@admin.register(LeiRelationship)
class LeiRelationshipAdmin(ReadOnly):
    list_display = ("start", "type", "end", "status", "register", "fetched_at")
    list_filter = ("type", "status", "register")
    search_fields = ("start", "end")


@admin.register(ReportingException)
class ReportingExceptionAdmin(ReadOnly):
    list_display = ("lei", "category", "reason", "register", "fetched_at")
    list_filter = ("category", "reason", "register")
    search_fields = ("lei",)


@admin.register(GleifImport)
class GleifImportAdmin(ReadOnly):
    list_display = ("kind", "root", "counts", "register", "started_at", "finished_at")
    list_filter = ("kind", "register", "started_at")
    search_fields = ("root",)


@admin.register(GoldenCopyImport)
class GoldenCopyImportAdmin(ReadOnly):
    """One import; the list of them is the page on the register."""

    exclude = ("done", "total", "owner")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return register_page(request, site=self.admin_site)
