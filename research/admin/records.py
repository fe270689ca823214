"""Checks, decisions, verb calls, memos and the audit trail."""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString

from research.admin.readonly import ReadOnly, ReadOnlyInline, link_to, pretty_json
from research.models import AuditEvent, Check, Decision, VerbCall


@admin.register(Check)
class CheckAdmin(ReadOnly):
    """Every verdict about every claim."""

    list_display = ("verdict_chip", "code", "subject", "message", "pointer", "about", "checked_at")
    list_filter = ("verdict", "kind", "code", "checked_at")
    search_fields = ("subject", "message", "pointer", "result__id")
    list_select_related = ("result__run__macro",)
    exclude = ("evidence",)
    readonly_fields = ("about", "grounds")

    @admin.display(description="verdict", ordering="verdict")
    def verdict_chip(self, check: Check) -> SafeString:
        return format_html('<span class="dossier-chip is-{}">{}</span>', check.verdict, check.verdict)

    @admin.display(description="result")
    def about(self, check: Check) -> str | SafeString:
        return link_to(check.result)

    @admin.display(description="evidence")
    def grounds(self, check: Check) -> SafeString:
        return pretty_json(check.evidence)


class VerbCallInline(ReadOnlyInline):
    model = VerbCall
    fields = readonly_fields = ("ordinal", "text", "state", "attempts", "executed_by", "finished_at")
    ordering = ("ordinal",)


@admin.register(Decision)
class DecisionAdmin(ReadOnly):
    """Who decided what, on which bytes, and why."""

    list_display = ("result", "verdict", "reviewer", "edit_count", "reason", "created_at")
    list_filter = ("verdict", "reviewer", "macro__name", "created_at")
    search_fields = ("result__id", "reviewer__username", "reason", "digest")
    list_select_related = ("result__run__macro", "reviewer")
    exclude = ("result", "edits", "data", "checks")
    readonly_fields = ("of_result", "edited", "approved", "checked")
    inlines = (VerbCallInline,)

    @admin.display(description="edits")
    def edit_count(self, decision: Decision) -> int:
        return len(decision.edits)

    @admin.display(description="result")
    def of_result(self, decision: Decision) -> str | SafeString:
        return link_to(decision.result)

    @admin.display(description="edits (RFC 6902)")
    def edited(self, decision: Decision) -> SafeString:
        return pretty_json(decision.edits)

    @admin.display(description="approved data")
    def approved(self, decision: Decision) -> str | SafeString:
        return "–" if decision.data is None else pretty_json(decision.data)

    @admin.display(description="checks as they stood")
    def checked(self, decision: Decision) -> SafeString:
        return pretty_json(decision.checks)


@admin.register(VerbCall)
class VerbCallAdmin(ReadOnly):
    """What was executed, and what it changed."""

    list_display = (
        "verb",
        "ordinal",
        "state",
        "change_count",
        "attempts",
        "executed_by",
        "finished_at",
        "decision",
    )
    list_filter = ("state", "verb", "finished_at")
    search_fields = ("text", "decision__result__id")
    list_select_related = ("decision__reviewer", "executed_by")
    exclude = ("arguments", "output", "changed", "error")
    readonly_fields = ("given", "came_out", "changes", "problem")

    @admin.display(description="changes")
    def change_count(self, call: VerbCall) -> int:
        return len(call.changed)

    @admin.display(description="arguments")
    def given(self, call: VerbCall) -> SafeString:
        return pretty_json(call.arguments)

    @admin.display(description="output")
    def came_out(self, call: VerbCall) -> SafeString:
        return pretty_json(call.output)

    @admin.display(description="changed fields")
    def changes(self, call: VerbCall) -> SafeString:
        return pretty_json(call.changed)

    @admin.display(description="error")
    def problem(self, call: VerbCall) -> SafeString:
        return pretty_json(call.error)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnly):
    """Everything that happened, in order."""

    list_display = ("at", "action", "actor", "object_type", "object_id", "sealed")
    list_filter = ("action", "object_type", "at")
    search_fields = ("object_id", "actor__username", "action")
    list_select_related = ("actor", "seal")
    exclude = ("detail",)
    readonly_fields = ("details",)

    @admin.display(boolean=True)
    def sealed(self, event: AuditEvent) -> bool:
        return hasattr(event, "seal")

    @admin.display(description="detail")
    def details(self, event: AuditEvent) -> SafeString:
        return pretty_json(event.detail)
