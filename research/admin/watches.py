"""What is kept fresh: one row for each question, with how fresh its answer is and what waits for a person."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from research.admin.gate.history import review_url
from research.admin.readonly import Base, link_to, pretty_json
from research.errors import DossierError
from research.models import Macro, Watch
from research.models.states import MacroStatus
from research.services.access import START, STEER_WATCH, Person
from research.services.rechecks import recheck
from research.services.watches import is_refused, pending_of, refresh, steer

FACTS = ("about", "macro_name", "status", "freshness", "outcome", "to_do")
TIMES = ("due_at", "fresh_until")
EVIDENCE = ("approval", "last_run", "checked_at", "worse", "failures")
STEERED = ("every_days", "importance", "budget_usd")


@admin.register(Watch)
class WatchAdmin(Base):
    """Only the interval, the importance and the budget are a person's to change; the rest follows from what happens."""

    list_display = ("about", "status", "to_do", "freshness", "outcome", "due_at", "importance", "macro_name")
    list_filter = ("state", "macro_name", "due_at")
    search_fields = ("params", "macro_name", "outcome")
    list_select_related = ("decision__result__run__macro", "decision__reviewer")
    list_per_page = 50
    fieldsets = (
        (None, {"fields": FACTS}),
        ("When", {"fields": (*STEERED, *TIMES)}),
        ("Evidence", {"fields": EVIDENCE}),
    )
    readonly_fields = (*FACTS, *TIMES, *EVIDENCE)
    actions = ("look_again", "check_again", "pause", "go_on")

    change_list_template = "admin/research/watch/change_list.html"

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        more = {"empty": not Watch.objects.exists()}
        return super().changelist_view(request, {**(extra_context or {}), **more})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Watch, form: Any, change: bool) -> None:
        changed = {name: form.cleaned_data[name] for name in STEERED if name in form.changed_data}
        steer(watch=Watch.objects.get(pk=obj.pk), actor=cast(Person, request.user), **changed)

    @admin.display(description="about", ordering="params")
    def about(self, watch: Watch) -> str:
        return watch.decision.result.run.title

    @admin.display(description="state", ordering="state")
    def status(self, watch: Watch) -> SafeString:
        chip = '<span class="dossier-chip is-{}">{}</span>'
        return format_html(chip, watch.state, watch.get_state_display())

    @admin.display(description="freshness", ordering="fresh_until")
    def freshness(self, watch: Watch) -> SafeString:
        """How much of its time is left, drawn and in words."""
        left = watch.fresh_until - timezone.now()
        share = max(0.0, min(100.0, 100 * left.total_seconds() / (watch.every_days * 86_400)))
        words = (
            f"{left.days} days left" if left.days >= 1 else "less than a day left" if share else "out of date"
        )
        return format_html(
            '<svg class="dossier-fresh" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
            '<rect width="{}" height="6"/></svg> {}',
            round(share, 1),
            words,
        )

    @admin.display(description="waits for you")
    def to_do(self, watch: Watch) -> str | SafeString:
        if is_refused(watch):
            return self._to_mend(watch)
        found = pending_of(watch)
        return format_html('<a href="{}">Review what changed</a>', review_url(found)) if found else "–"

    @staticmethod
    def _to_mend(watch: Watch) -> str | SafeString:
        """The ask page of the macro's active version, filled in as it was asked."""
        macro = Macro.objects.filter(name=watch.macro_name, status=MacroStatus.ACTIVE).first()
        if macro is None:
            return "–"
        url = reverse("admin:research_macro_ask", args=[macro.pk])
        return format_html('<a href="{}?like={}">Mend the question</a>', url, watch.decision.result.run_id)

    @admin.display(description="approved")
    def approval(self, watch: Watch) -> SafeString:
        words = f"{watch.decision.created_at:%Y-%m-%d} by {watch.decision.reviewer.get_username()}"
        return format_html('<a href="{}">{}</a>', review_url(watch.decision.result), words)

    @admin.display(description="last refresh")
    def last_run(self, watch: Watch) -> str | SafeString:
        return link_to(watch.run)

    @admin.display(description="checks that are worse now")
    def worse(self, watch: Watch) -> str | SafeString:
        return pretty_json(watch.worsened) if watch.worsened else "none"

    @admin.action(description="Look again now", permissions=["start"])
    def look_again(self, request: HttpRequest, watches: QuerySet[Watch]) -> None:
        person = cast(Person, request.user)
        self._each(request, watches, "looked at again", lambda watch: refresh(watch=watch, actor=person))

    @admin.action(description="Check again, without research", permissions=["start"])
    def check_again(self, request: HttpRequest, watches: QuerySet[Watch]) -> None:
        self._each(request, watches, "checked again", recheck)

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, watches: QuerySet[Watch]) -> None:
        person = cast(Person, request.user)
        self._each(request, watches, "paused", lambda watch: steer(watch=watch, actor=person, paused=True))

    @admin.action(description="Go on", permissions=["change"])
    def go_on(self, request: HttpRequest, watches: QuerySet[Watch]) -> None:
        person = cast(Person, request.user)
        self._each(request, watches, "going on", lambda watch: steer(watch=watch, actor=person, paused=False))

    def has_start_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(START)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(STEER_WATCH)

    def _each(
        self, request: HttpRequest, watches: QuerySet[Watch], done: str, act: Callable[[Watch], object]
    ) -> None:
        """Each on its own: one that refuses does not keep the others from it."""
        good = 0
        for watch in watches:
            try:
                act(watch)
                good += 1
            except DossierError as error:
                messages.error(request, f"{watch}: {error}")
        if good:
            messages.success(request, f"{good} {done}.")
