"""Asking a macro's question from the admin: a form made from its parameters, and the buttons that steer a run."""

import json
from decimal import Decimal, InvalidOperation
from typing import Any, cast
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from research.admin import deep, legal
from research.errors import DossierError, InvalidMacro, InvalidParameters, ParamError
from research.jsontext import Json, JsonObject
from research.llm.models import model_names
from research.macros.definition import MacroDefinition, Parameter
from research.macros.parameters import parse_cli_value
from research.models import Macro, Run
from research.models.states import OPEN_RUN_STATES, Autonomy, Depth, MacroStatus, Trigger
from research.review.rows import human_label
from research.services.access import START, Person
from research.services.macros import definition_of
from research.services.prices import models_without_price
from research.services.readiness import needs_language_model
from research.services.runs import cancel_run, confirm_checkpoint, resume_run, start_run

LONG_EXAMPLE = 40
DONE = {
    "resume": "The run goes on where it stopped.",
    "cancel": "The run is cancelled. What it has found is kept, and it can be resumed.",
    "confirm": "The run goes on.",
}
MAX_BUDGET = Decimal(1_000_000)
AUTONOMY_HELP = {
    Autonomy.CAUTIOUS: "Cautious: show me the plan and wait",
    Autonomy.BALANCED: "Balanced",
    Autonomy.AUTONOMOUS: "Autonomous",
}


class AskForm(forms.Form):
    """One field a parameter; what the text means is decided by the macro's own rules.

    ``like`` is a run whose parameters are filled in.
    """

    def __init__(
        self, definition: MacroDefinition, *args: Any, like: Run | None = None, **kwargs: Any
    ) -> None:
        if like:
            kwargs["initial"] = _asked_before(like)
        super().__init__(*args, **kwargs)
        self.definition = definition
        for parameter in definition.parameters:
            self.fields[f"param:{parameter.name}"] = _field(parameter)
        self.fields["autonomy"] = forms.ChoiceField(
            label="How much it asks back", choices=list(AUTONOMY_HELP.items()), initial=Autonomy.BALANCED
        )
        self.fields["depth"] = forms.ChoiceField(
            label="How far it looks",
            choices=Depth.choices,
            initial=Depth.STANDARD,
            help_text="Quick takes the fewest turns and calls, deep the most.",
        )
        self.fields["budget_usd"] = forms.DecimalField(
            label="Budget in USD",
            required=False,
            min_value=Decimal(0),
            max_digits=10,
            decimal_places=4,
            help_text="The most that models and searches may cost; the run then waits and asks. Empty: no limit.",
        )

    def what(self) -> list[forms.BoundField]:
        """The fields of the question."""
        return [field for field in self if field.name.startswith("param:")]

    def how(self) -> list[forms.BoundField]:
        """The fields of the run."""
        return [field for field in self if not field.name.startswith("param:")]

    def params(self) -> JsonObject:
        """The parameters as typed values. Raises InvalidParameters."""
        values: JsonObject = {}
        for parameter in self.definition.parameters:
            text = self.cleaned_data[f"param:{parameter.name}"]
            if text != "":
                values[parameter.name] = parse_cli_value(parameter, text)
        return values

    def refuse(self, error: InvalidParameters) -> None:
        """Put each error beside its field."""
        for fault in error.errors:
            names = [name for name in (f"param:{fault.name}", fault.name) if name in self.fields]
            self.add_error(names[0] if names else None, fault.message)


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
    """Resume, cancel or confirm a run; a refusal is shown on the run's page."""
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
                {"resume": resume_run, "cancel": cancel_run}[action](run=run, actor=actor)
            messages.success(request, DONE[action])
        except DossierError as error:
            messages.error(request, error.message)
    return HttpResponseRedirect(reverse("admin:research_run_change", args=[run.pk]))


def _like(request: HttpRequest) -> Run | None:
    """The run to ask again like, where the person may see it."""
    try:
        wanted = UUID(request.GET.get("like", ""))
    except ValueError:
        return None
    return Run.objects.filter(pk=wanted).first() if request.user.has_perm("research.view_run") else None


def _asked_before(run: Run) -> dict[str, Any]:
    asked = {f"param:{name}": _text(value) for name, value in run.params.items()}
    return {**asked, "autonomy": run.autonomy, "depth": run.depth, "budget_usd": run.budget_usd}


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


def _field(parameter: Parameter) -> forms.Field:
    label = human_label(parameter.name) + (" *" if parameter.required else "")
    shared: dict[str, Any] = {
        "label": label,
        "required": parameter.required and not parameter.has_default,
        "help_text": _help(parameter),
        "initial": _text(parameter.default) if parameter.has_default else "",
    }
    if parameter.type == "boolean":
        return forms.ChoiceField(choices=[("", "–"), ("true", "yes"), ("false", "no")], **shared)
    if parameter.enum and parameter.type != "array":
        return forms.ChoiceField(
            choices=[("", "–"), *((_text(item), _text(item)) for item in parameter.enum)], **shared
        )
    return forms.CharField(widget=_widget(parameter), strip=False, **shared)


def _widget(parameter: Parameter) -> forms.Widget:
    """Room for sentences where the example is one."""
    if parameter.type == "string" and len(_text(parameter.example)) > LONG_EXAMPLE:
        return forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})
    return forms.TextInput(attrs={"class": "vTextField"})


def _help(parameter: Parameter) -> str:
    """The description, how lists are written, and an example where the description has none."""
    said = parameter.description.strip()
    lists = " Separate several with commas." if parameter.type == "array" else ""
    known = parameter.example is None or "for example" in said.casefold()
    return f"{said}{lists}" + ("" if known else f" For example: {_text(parameter.example)}")


def _text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
