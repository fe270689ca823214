"""Asking a macro's question from the admin, and the buttons that steer a run."""

from decimal import Decimal, InvalidOperation
from typing import cast
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from research.admin import deep, legal
from research.admin.ask_form import AskForm
from research.errors import DossierError, InvalidMacro, InvalidParameters, ParamError
from research.llm.models import model_names
from research.models import Macro, Run
from research.models.states import OPEN_RUN_STATES, MacroStatus, Trigger
from research.review.rows import human_label
from research.services.access import START, Person
from research.services.dismissals import dismiss_failure, dismiss_failures, show_failure_again
from research.services.macros import definition_of
from research.services.prices import models_without_price
from research.services.readiness import needs_language_model
from research.services.resuming import cause_of, resume_failed
from research.services.runs import cancel_run, confirm_checkpoint, finish_run, resume_run, start_run

DONE = {
    "resume": "The run goes on where it stopped.",
    "finish": "A partial result is made of what was found; it waits for review when it is done.",
    "cancel": "The run is cancelled. What it has found is kept, and it can be resumed.",
    "confirm": "The run goes on.",
    "dismiss": "Dismissed: it is no longer on the start page. Its own page says by whom, and can show it again.",
    "show-again": "It is shown on the start page again.",
}
STEPS = {
    "resume": resume_run,
    "cancel": cancel_run,
    "finish": finish_run,
    "dismiss": dismiss_failure,
    "show-again": show_failure_again,
}
MAX_BUDGET = Decimal(1_000_000)


def ask(request: HttpRequest, macro_id: int, *, site: AdminSite) -> HttpResponse:
    """Show the form of an active macro, or start the run and go to it."""
    macro = get_object_or_404(Macro, pk=macro_id, status=MacroStatus.ACTIVE)
    if not request.user.has_perm(START):
        messages.error(request, f"You may not start research: the permission {START} is missing.")
        return HttpResponseRedirect(reverse("admin:research_macro_change", args=[macro.pk]))
    try:
        definition = definition_of(macro)
    except InvalidMacro as error:
        messages.error(request, f"This version of Dossier cannot read the macro: {error.message}")
        return HttpResponseRedirect(reverse("admin:research_macro_change", args=[macro.pk]))
    if definition.workflow == "table":
        return HttpResponseRedirect(reverse("admin:research_table_upload"))
    form = AskForm(definition, request.POST or None, like=_like(request))
    if request.method == "POST" and form.is_valid():
        run = _start(request, macro, form)
        if run:
            messages.success(request, "The run is queued. This page follows it, step by step.")
            return HttpResponseRedirect(reverse("admin:research_run_change", args=[run.pk]))
    context = {**site.each_context(request), "title": human_label(macro.name), "macro": macro, "form": form}
    context |= {
        "needs_model": needs_language_model(macro),
        "models": model_names(settings.DOSSIER_MODEL),
        "without_price": models_without_price(),
    }
    return render(request, "admin/research/macro/ask.html", context, status=400 if form.errors else 200)


def macro_to_ask_again(run: Run) -> Macro | None:
    """Where a run that is over can be asked anew with other words: the active version of its macro."""
    if run.parent_id or run.state in OPEN_RUN_STATES:
        return None
    return Macro.objects.filter(name=run.macro.name, status=MacroStatus.ACTIVE).first()


def steer(request: HttpRequest, run_id: str, action: str) -> HttpResponse:
    """Resume, cancel, confirm or dismiss a run; a refusal is shown on the page that the button stood on."""
    run = get_object_or_404(Run, pk=run_id)
    actor = cast(Person, request.user)
    if request.method == "POST":
        try:
            if action == "confirm":
                seen = request.POST.get("phase") or None
                answer = (legal if run.workflow == "legal" else deep).posted_answer(request)
                confirm_checkpoint(
                    run=run, actor=actor, answer=answer, phase=seen, budget_usd=_budget(request)
                )
            else:
                STEPS[action](run=run, actor=actor)
            messages.success(request, DONE[action])
        except DossierError as error:
            messages.error(request, error.message)
    if request.POST.get("from") == "start":
        return HttpResponseRedirect(reverse("admin:index"))
    return HttpResponseRedirect(reverse("admin:research_run_change", args=[run.pk]))


def resume_alike(request: HttpRequest, run_id: str) -> HttpResponse:
    """Resume every run that failed for the same cause as this one."""
    run = get_object_or_404(Run, pk=run_id)
    if request.method == "POST":
        try:
            done = resume_failed(cause=cause_of(run), actor=cast(Person, request.user))
            (messages.warning if done.left else messages.success)(request, done.sentence)
        except DossierError as error:
            messages.error(request, error.message)
    return HttpResponseRedirect(reverse("admin:research_run_change", args=[run.pk]))


def dismiss_all(request: HttpRequest) -> HttpResponse:
    """Dismiss every failure that the start page showed or counted when it was made."""
    if request.method == "POST":
        try:
            until = parse_datetime(request.POST.get("until", ""))
        except ValueError:
            until = None
        try:
            count = dismiss_failures(actor=cast(Person, request.user), until=until or timezone.now())
            runs = f"{count} failed run{'s' * (count != 1)}"
            messages.success(request, f"{runs} dismissed. Each says on its page who dismissed it.")
        except DossierError as error:
            messages.error(request, error.message)
    return HttpResponseRedirect(reverse("admin:index"))


def _like(request: HttpRequest) -> Run | None:
    """The run to ask again like, where the person may see it."""
    try:
        wanted = UUID(request.GET.get("like", ""))
    except ValueError:
        return None
    return Run.objects.filter(pk=wanted).first() if request.user.has_perm("research.view_run") else None


def _start(request: HttpRequest, macro: Macro, form: AskForm) -> Run | None:
    try:
        return start_run(
            macro=macro,
            params=form.params(),
            trigger=Trigger.ADMIN,
            requested_by=cast(Person, request.user),
            autonomy=form.cleaned_data["autonomy"],
            depth=form.cleaned_data["depth"],
            budget_usd=form.cleaned_data["budget_usd"],
        )
    except InvalidParameters as error:
        form.refuse(error)
    except DossierError as error:
        form.add_error(None, error.message)
    return None


def _budget(request: HttpRequest) -> Decimal | None:
    text = request.POST.get("budget_usd", "").strip()
    try:
        amount = Decimal(text) if text else None
    except InvalidOperation:
        amount = Decimal("NaN")
    if amount is not None and not (amount.is_finite() and 0 <= amount < MAX_BUDGET):
        raise InvalidParameters([ParamError("budget_usd", f"{text[:40]!r} is not an amount of 0 or more")])
    return amount
