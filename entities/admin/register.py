"""The LEI register as it was read."""

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from entities.admin.readonly import ReadOnly, pretty
from entities.models import GleifImport, LeiRecord, LeiRelationship, ReportingException


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
    list_filter = ("registration_status", "entity_status", "category", "register", "jurisdiction")
    search_fields = ("lei", "legal_name")
    exclude = ("attributes",)
    readonly_fields = ("in_full",)

    @admin.display(ordering="legal_name")
    def name(self, record: LeiRecord) -> str:
        return Truncator(record.legal_name).chars(200)

    @admin.display(description="attributes")
    def in_full(self, record: LeiRecord) -> SafeString:
        return pretty(record.attributes)


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
