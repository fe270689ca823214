"""Runs, their journal, sessions and sources."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Model, OuterRef, QuerySet
from django.forms import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common import text
from common.counts import counted
from research.admin.asking import dismiss_all, macro_to_ask_again, resume_alike, steer
from research.admin.deep import deep_context
from research.admin.legal import legal_context
from research.admin.readonly import ReadOnly, ReadOnlyInline, as_told, link_to, link_to_list, pretty_json
from research.admin.spending import money, spending_page
from research.models import ResearchResult, ResearchSession, Run, Source, Step
from research.models.states import RunState, StepKind
from research.services.batches import batch_progress
from research.services.checkpoints import least_budget
from research.services.resuming import cause_of, failed_by
from research.services.runs import can_finish
from research.services.spending import amount, spend_of, with_calls
from research.services.trouble import explain_end, explain_wait, resuming, used_words
from research.waits import in_a_sentence, spent

OFTEN_EMPTY = (
    "session",
    "rerun_of",
    "feedback",
    "subject",
    "parent",
    "started_at",
    "finished_at",
    "wake_at",
)


SHOWN = 50  # of steps and of sources on the page of a run; the lists have them all


class LastSteps(BaseInlineFormSet):  # type: ignore[type-arg]
    """The end of a journal, in its order."""

    @cached_property
    def _last(self) -> list[Step]:
        return list(super().get_queryset().order_by("-seq")[:SHOWN])[::-1]

    def get_queryset(self) -> Any:
        return self._last


class FirstSources(BaseInlineFormSet):  # type: ignore[type-arg]
    """The first of many sources."""

    @cached_property
    def _first(self) -> list[Source]:
        return list(super().get_queryset()[:SHOWN])

    def get_queryset(self) -> Any:
        return self._first


class StepInline(ReadOnlyInline):
    model = Step
    formset = LastSteps
    fields = readonly_fields = (
        "seq",
        "kind",
        "name",
        "outcome",
        "cost",
        "attempt",
        "started_at",
        "answered_at",
    )
    ordering = ("seq",)

    @admin.display
    def outcome(self, step: Step) -> str:
        return outcome_of(step)

    @admin.display(description="cost (USD)")
    def cost(self, step: Step) -> str:
        return cost_of(step)


class SourceInline(ReadOnlyInline):
    model = Source
    formset = FirstSources
    fields = readonly_fields = ("number", "kind", "title", "url", "as_of")
    ordering = ("number",)


@admin.register(Run)
class RunAdmin(ReadOnly):
    """What was asked, by whom, how far it came and what it cost."""

    list_display = (
        *("about", "macro", "status", "spent", "step_count"),
        *("requested_by", "created_at"),
    )
    list_filter = ("state", "macro__name", "trigger", "register", "autonomy", "depth", "created_at")
    search_fields = ("id", "params", "macro__name", "requested_by__username")
    list_select_related = ("macro", "requested_by")
    date_hierarchy = "created_at"
    inlines = (SourceInline, StepInline)
    change_form_template = "admin/research/run/change_form.html"
    change_list_template = "admin/research/run/change_list.html"
    readonly_fields = (
        "parameters",
        "status",
        "now",
        "dismissed",
        "entities",
        "progress",
        "took",
        "money",
        "problem",
        "outcome",
        "lease",
        "journal",
        "read",
        "walked",
    )
    fieldsets = (
        (
            None,
            {
                "fields": (
                    *("macro", "parameters", "status", "now", "dismissed"),
                    *("entities", "progress", "money", "outcome"),
                )
            },
        ),
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
            {
                "fields": (
                    *("model", "register", "workflow", "subject", "parent", "started_at", "finished_at"),
                    *("took", "read", "walked", "journal"),
                )
            },
        ),
        (
            "Budget and lease",
            {
                "classes": ("collapse",),
                "fields": (
                    *(
                        "phase",
                        "max_turns",
                        "max_tool_calls",
                        "budget_usd",
                        "reserved_usd",
                        "spent_usd",
                        "lost_usd",
                    ),
                    *("deadline", "wake_at", "cancel_requested", "lease", "problem"),
                ),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        queryset: QuerySet[Run] = super().get_queryset(request)
        return with_calls(queryset.annotate(steps_made=counted(Step.objects.filter(run=OuterRef("pk")))))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        run = context.get("original")
        extra = {**deep_context(run), **legal_context(run)} if isinstance(run, Run) else {}
        if isinstance(run, Run):
            least = least_budget(run)
            asked = least is not None and run.parent_id is None  # a part waits for the budget of its head
            extra |= {"title": run.title, "again": macro_to_ask_again(run)}
            extra |= {"least_budget": least, "asks_for_money": asked}
            if run.state in (RunState.FAILED, RunState.CANCELLED):
                extra |= {"resuming": resuming(run), "finishes": can_finish(run)}
                extra |= {"unpriced": (run.error or {}).get("code") == "no_price"}
                extra |= {"alike": failed_by(cause_of(run)).count() if run.error else 0}
        return super().render_change_form(request, {**context, **extra}, *args, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Run | None = None) -> list[tuple[Any, Any]]:
        """Without the fields in which nothing stands."""
        return [
            (name, {**options, "fields": [field for field in options["fields"] if _says(obj, str(field))]})
            for name, options in super().get_fieldsets(request, obj)
        ]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        steering = [
            path(
                f"<uuid:run_id>/{action}/", view(partial(steer, action=action)), name=f"research_run_{action}"
            )
            for action in ("resume", "finish", "cancel", "confirm", "dismiss", "show-again")
        ]
        alike = view(resume_alike)
        steering.append(path("<uuid:run_id>/resume-alike/", alike, name="research_run_resume_alike"))
        steering.append(path("dismiss-failures/", view(dismiss_all), name="research_run_dismiss_all"))
        page = path("spending/", view(partial(spending_page, site=self.admin_site)), name="research_spending")
        return [page, *steering, *super().get_urls()]

    @admin.display
    def about(self, run: Run) -> str:
        return run.title

    @admin.display(description="state", ordering="state")
    def status(self, run: Run) -> SafeString:
        return format_html('<span class="dossier-chip is-{}">{}</span>', run.state, run.get_state_display())

    @admin.display(description="steps", ordering="steps_made")
    def step_count(self, run: Run) -> SafeString:
        return link_to_list(Step, str(run.steps_made), run__id__exact=run.pk)  # type: ignore[attr-defined]

    @admin.display(description="walks")
    def walked(self, run: Run) -> SafeString:
        """The ways through sites, each with its views."""
        walks = [
            (reverse("admin:research_walk_change", args=[walk.pk]), walk.address) for walk in run.walks.all()
        ]
        return format_html_join(", ", '<a href="{}">{}</a>', walks)

    @admin.display(description="journal")
    def journal(self, run: Run) -> SafeString:
        """How many steps there are, and which of them the page shows."""
        return _all_of(Step, run, run.steps_made, "step", f"The last {SHOWN} stand below.")  # type: ignore[attr-defined]

    @admin.display(description="sources")
    def read(self, run: Run) -> SafeString:
        """How many sources there are, and which of them the page shows."""
        return _all_of(Source, run, run.sources.count(), "source", f"The first {SHOWN} stand below.")

    @admin.display(description="parameters")
    def parameters(self, run: Run) -> str | SafeString:
        return as_told(run.params)

    @admin.display(description="what is going on")
    def now(self, run: Run) -> str | SafeString:
        """Why the run ended or waits, and what to do next."""
        told = explain_wait(run, timezone.now()) or explain_end(run)
        if told is None:
            return "A worker is at it." if run.state == RunState.RUNNING else "–"
        return format_html(
            '<div class="dossier-told"><strong>{}</strong> {}{}{}</div>',
            told.sentence,
            told.advice,
            format_html("<blockquote>{}</blockquote>", told.detail) if told.detail else "",
            format_html("The model said: <blockquote>{}</blockquote>", told.said) if told.said else "",
        )

    @admin.display
    def dismissed(self, run: Run) -> str:
        """Who has seen that it failed."""
        if run.seen_at is None:
            return "–"
        when = timezone.localtime(run.seen_at).strftime("%Y-%m-%d %H:%M")
        return f"{run.seen_by} has seen it on {when}: it is not on the start page any more."

    @admin.display
    def entities(self, run: Run) -> str | SafeString:
        """How many of a batch are done."""
        found = batch_progress(run)
        if found is None:
            return "–"
        bar = '<progress max="{}" value="{}"></progress> {}'
        return format_html(bar, found.total, found.over, found.sentence)

    @admin.display(description="used so far")
    def progress(self, run: Run) -> str:
        return used_words(run)

    @admin.display(description="time")
    def took(self, run: Run) -> str:
        """Of the work, and beside it what the run waited."""
        return in_a_sentence(spent(run)) or "–"

    @admin.display(description="money")
    def money(self, run: Run) -> SafeString:
        return money(spend_of(run))

    @admin.display(description="spent (USD)", ordering="spent_usd")
    def spent(self, run: Run) -> str:
        spend = spend_of(run)
        return (
            "unknown" if spend.unknown and not spend.spent else spend.spent_text + " +" * bool(spend.unknown)
        )

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

    list_display = ("run", "seq", "kind", "name", "outcome", "cost", "started_at")
    list_filter = ("kind", "name", "started_at")
    search_fields = ("run__id", "name")
    list_select_related = ("run__macro",)
    exclude = ("intent", "answer", "raw", "usage")
    readonly_fields = ("of_run", "asked", "came_back", "blocks", "used")

    @admin.display
    def outcome(self, step: Step) -> str:
        return outcome_of(step)

    @admin.display(description="cost (USD)", ordering="cost_usd")
    def cost(self, step: Step) -> str:
        return cost_of(step)

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
    exclude = ("document", "warnings")
    readonly_fields = ("archived", "suspicious")

    @admin.display(description="archived text")
    def archived(self, source: Source) -> str | SafeString:
        return link_to(source.document)

    @admin.display(description="warnings")
    def suspicious(self, source: Source) -> SafeString | str:
        warnings = [(str(warning),) for warning in source.warnings]
        return format_html_join("", '<p class="dossier-warning">{}</p>', warnings) or "none"


def _all_of(model: type[Model], run: Run, count: int, noun: str, shown: str) -> SafeString:
    """A link to the whole list; ``shown`` says what of it the page has, when that is not all."""
    link = link_to_list(model, text.counted(count, noun), run__id__exact=run.pk)
    return format_html("{} {}", link, shown) if count > SHOWN else link


def _says(run: Run | None, field: str) -> bool:
    if field == "entities":
        return run is not None and batch_progress(run) is not None
    if field == "walked":
        return run is not None and run.walks.exists()
    if field == "dismissed":
        return run is not None and run.seen_at is not None
    return field not in OFTEN_EMPTY or bool(run and getattr(run, field))


def outcome_of(step: Step) -> str:
    """What came of a step, in a word; of a failure the code."""
    if step.answered_at is None:
        return "not answered yet"
    answer = step.answer if isinstance(step.answer, dict) else {}
    if answer.get("success") is False:
        error = answer.get("error") or {}
        return f"failed: {str(error.get('code') or 'no reason given')[:60]}"
    if step.kind == StepKind.MODEL:
        calls = len(answer.get("tool_calls") or ())
        return (
            f"asks for {calls} tool call{'s' * (calls > 1)}"
            if calls
            else str(answer.get("stop") or "answered")
        )
    return "answered"


def cost_of(step: Step) -> str:
    """What a step cost; what is not known is not zero."""
    known = (step.usage or {}).get("cost") != "unknown"
    if step.kind != StepKind.MODEL and known and not (step.cost_usd or step.lost_usd):
        return ""
    lost = f" (possibly {amount(step.lost_usd)} more)" if step.lost_usd else ""
    return f"{amount(step.cost_usd) if known else 'unknown'}{lost}"
