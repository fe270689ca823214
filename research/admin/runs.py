"""Runs, their journal, sessions and sources."""

from functools import partial

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString

from research.admin.asking import steer
from research.admin.readonly import ReadOnly, ReadOnlyInline, link_to, link_to_list, pretty_json
from research.models import Document, ResearchResult, ResearchSession, Run, Source, Step


class StepInline(ReadOnlyInline):
    model = Step
    fields = readonly_fields = ("seq", "kind", "name", "attempt", "started_at", "answered_at", "cost_usd")
    ordering = ("seq",)


class SourceInline(ReadOnlyInline):
    model = Source
    fields = readonly_fields = ("number", "kind", "title", "url", "as_of")
    ordering = ("number",)


@admin.register(Run)
class RunAdmin(ReadOnly):
    """What was asked, by whom, how far it came and what it cost."""

    list_display = (
        "about",
        "macro",
        "status",
        "trigger",
        "requested_by",
        "register",
        "step_count",
        "created_at",
    )
    list_filter = ("state", "macro__name", "trigger", "register", "autonomy", "depth", "created_at")
    search_fields = ("id", "params", "macro__name", "requested_by__username")
    list_select_related = ("macro", "requested_by")
    date_hierarchy = "created_at"
    inlines = (SourceInline, StepInline)
    change_form_template = "admin/research/run/change_form.html"
    readonly_fields = ("parameters", "status", "problem", "outcome", "lease")
    fieldsets = (
        (None, {"fields": ("macro", "parameters", "status", "phase", "problem", "outcome")}),
        (
            "Asked",
            {
                "fields": (
                    "requested_by",
                    "trigger",
                    "created_at",
                    "session",
                    "rerun_of",
                    "feedback",
                    "autonomy",
                    "depth",
                )
            },
        ),
        (
            "Work",
            {"fields": ("model", "register", "workflow", "subject", "parent", "started_at", "finished_at")},
        ),
        (
            "Budget and lease",
            {
                "classes": ("collapse",),
                "fields": (
                    *("max_turns", "max_tool_calls", "budget_usd", "reserved_usd", "spent_usd"),
                    *("deadline", "wake_at", "cancel_requested", "lease"),
                ),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        queryset: QuerySet[Run] = super().get_queryset(request)
        return queryset.annotate(steps_made=Count("steps"))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        steering = [
            path(
                f"<uuid:run_id>/{action}/", view(partial(steer, action=action)), name=f"research_run_{action}"
            )
            for action in ("resume", "cancel", "confirm")
        ]
        return [*steering, *super().get_urls()]

    @admin.display
    def about(self, run: Run) -> str:
        return run.title

    @admin.display(description="state", ordering="state")
    def status(self, run: Run) -> SafeString:
        return format_html('<span class="dossier-chip is-{}">{}</span>', run.state, run.get_state_display())

    @admin.display(description="steps", ordering="steps_made")
    def step_count(self, run: Run) -> SafeString:
        return link_to_list(Step, str(run.steps_made), run__id__exact=run.pk)  # type: ignore[attr-defined]

    @admin.display(description="parameters")
    def parameters(self, run: Run) -> SafeString:
        return pretty_json(run.params)

    @admin.display(description="error")
    def problem(self, run: Run) -> str | SafeString:
        return pretty_json(run.error) if run.error else "–"

    @admin.display(description="result")
    def outcome(self, run: Run) -> str | SafeString:
        return link_to(ResearchResult.objects.filter(run=run).first())

    @admin.display(description="lease")
    def lease(self, run: Run) -> str:
        held = f"{run.lease_owner} until {run.lease_until:%Y-%m-%d %H:%M:%S}" if run.lease_until else "free"
        return f"{held}, fence {run.fence}"


@admin.register(Step)
class StepAdmin(ReadOnly):
    """One entry of a run's journal."""

    list_display = ("run", "seq", "kind", "name", "attempt", "answered", "started_at")
    list_filter = ("kind", "name", "started_at")
    search_fields = ("run__id", "name")
    list_select_related = ("run__macro",)
    exclude = ("intent", "answer", "raw", "usage")
    readonly_fields = ("of_run", "asked", "came_back", "blocks", "used")

    @admin.display(boolean=True)
    def answered(self, step: Step) -> bool:
        return step.answered_at is not None

    @admin.display(description="run")
    def of_run(self, step: Step) -> str | SafeString:
        return link_to(step.run)

    @admin.display(description="intent")
    def asked(self, step: Step) -> SafeString:
        return pretty_json(step.intent)

    @admin.display(description="answer")
    def came_back(self, step: Step) -> SafeString:
        return pretty_json(step.answer)

    @admin.display(description="raw blocks")
    def blocks(self, step: Step) -> SafeString:
        return pretty_json(step.raw)

    @admin.display(description="usage")
    def used(self, step: Step) -> SafeString:
        return pretty_json(step.usage)


class RunInline(ReadOnlyInline):
    model = Run
    fk_name = "session"
    fields = readonly_fields = ("macro", "state", "trigger", "requested_by", "created_at")


@admin.register(ResearchSession)
class SessionAdmin(ReadOnly):
    """The runs of one conversation or case."""

    list_display = ("__str__", "status", "created_by", "created_at")
    search_fields = ("id", "title", "created_by__username")
    list_filter = ("created_at",)
    readonly_fields = ("status",)
    inlines = (RunInline,)


@admin.register(Source)
class SourceAdmin(ReadOnly):
    """What a run read, under its number."""

    list_display = ("run", "number", "kind", "title", "as_of")
    list_filter = ("kind", "quality")
    search_fields = ("title", "url", "key", "run__id")
    list_select_related = ("run__macro",)


@admin.register(Document)
class DocumentAdmin(ReadOnly):
    """The archive."""

    list_display = ("__str__", "mime", "language", "size", "fetched_at")
    list_filter = ("mime", "language", "fetched_at")
    search_fields = ("title", "url", "digest")
