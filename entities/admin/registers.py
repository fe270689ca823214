"""National registers in the admin: thresholds, what was chosen and why, choosing, and taking a choice back."""

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common.admin import Base, ReadOnly, ReadOnlyInline, link_to, pretty_json
from entities.memory import RefusedWrite
from entities.models import Entity, ImportedFact, RegisterCorrection, RegisterSelection, RegisterThreshold
from entities.models.selection import CHOSEN, CorrectionKind
from entities.registers.errors import RegisterError
from entities.registers.looking import Found
from entities.registers.setup import KINDS, NAMES, configured, missing
from entities.services.correction import correct_selection, preview_correction
from entities.services.selection import DECIDE, candidates_for, reject_candidates, select_company
from entities.services.thresholds import remove_thresholds, set_thresholds

if TYPE_CHECKING:
    FormBase = forms.ModelForm[RegisterThreshold]
else:
    FormBase = forms.ModelForm

REGISTERS = [("", "all other registers"), *((name, name) for name in NAMES)]
LIST = "admin:entities_registerselection_changelist"
REFUSALS = (RegisterError, RefusedWrite)


class ThresholdForm(FormBase):
    """One row a register; the empty one is for all others."""

    register = forms.ChoiceField(choices=REGISTERS, required=False)

    class Meta:
        model = RegisterThreshold
        fields = ["register", "auto", "ambiguous", "reject", "always_human"]


@admin.register(RegisterThreshold)
class ThresholdAdmin(Base):
    """From which score on a rule may take a line of a register."""

    form = ThresholdForm
    list_display = ("__str__", "auto", "ambiguous", "reject", "always_human", "updated_at")
    search_fields = ("register",)

    def save_model(self, request: HttpRequest, obj: RegisterThreshold, form: Any, change: bool) -> None:
        obj.pk = set_thresholds(row=obj).pk

    def delete_model(self, request: HttpRequest, obj: RegisterThreshold) -> None:
        remove_thresholds(row=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[RegisterThreshold]) -> None:
        for row in queryset:
            remove_thresholds(row=row)


class FactInline(ReadOnlyInline):
    """What was written because of the selection."""

    model = ImportedFact
    verbose_name_plural = "imported facts"
    show_change_link = False
    fields = readonly_fields = ("ordinal", "kind", "entity", "field", "was", "became")

    @admin.display(description="old")
    def was(self, fact: ImportedFact) -> str | SafeString:
        return "–" if fact.old in (None, "") else pretty_json(fact.old)

    @admin.display(description="new")
    def became(self, fact: ImportedFact) -> str | SafeString:
        return "–" if fact.new in (None, "") else pretty_json(fact.new)


@admin.register(RegisterSelection)
class SelectionAdmin(ReadOnly):
    """What was chosen, among what, by whom and why. Adding one is a look into a register."""

    list_display = ("at", "entity", "register", "number", "what", "state", "chooser")
    list_filter = ("register", "verdict", "chooser", "at")
    search_fields = ("entity__name", "entity__slug", "number")
    list_select_related = ("entity", "chosen_by", "correction")
    inlines = (FactInline,)
    change_form_template = "admin/entities/registerselection/change_form.html"
    fields = readonly_fields = (
        *("entity", "register", "what", "state", "number", "score", "reason", "chooser", "chosen_by"),
        *("model", "reference", "asked_for", "considered", "thresholds", "address", "as_of", "at"),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(DECIDE))

    def get_urls(self) -> list[URLPattern]:
        correct = path(
            "<uuid:pk>/correct/",
            self.admin_site.admin_view(self.correct_view),
            name="entities_registerselection_correct",
        )
        return [correct, *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return look_up_page(request, self.admin_site)

    def correct_view(self, request: HttpRequest, pk: str) -> HttpResponse:
        return correct_page(request, self.admin_site, get_object_or_404(RegisterSelection, pk=pk))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = RegisterSelection.objects.filter(pk=object_id).first() if _is_uuid(object_id) else None
        standing = row is not None and row.verdict in CHOSEN and not hasattr(row, "correction")
        more = {"may_correct": standing and request.user.has_perm(DECIDE)}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **more})

    @admin.display(description="verdict", ordering="verdict")
    def what(self, row: RegisterSelection) -> SafeString:
        kind = "pass" if row.verdict in CHOSEN else "warn"
        return format_html(
            '<span class="dossier-chip is-{}">{}</span>', kind, row.get_verdict_display().lower()
        )

    @admin.display(description="state")
    def state(self, row: RegisterSelection) -> str | SafeString:
        if hasattr(row, "correction"):
            return link_to(row.correction, "taken back")
        return "in force" if row.verdict in CHOSEN else "–"

    @admin.display(description="asked for")
    def asked_for(self, row: RegisterSelection) -> str:
        return ", ".join(f"{key} {value}" for key, value in row.query.items() if value)

    @admin.display(description="candidates")
    def considered(self, row: RegisterSelection) -> str | SafeString:
        if not row.candidates:
            return "none"
        rows = format_html_join(
            "", '<tr><td class="number">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>', _told(row)
        )
        head = "<tr><th>Number</th><th>Score</th><th>Name</th><th>Why</th></tr>"
        return format_html(
            '<table class="dossier-candidates"><thead>{}</thead><tbody>{}</tbody></table>',
            SafeString(head),
            rows,
        )

    @admin.display(description="seen at")
    def address(self, row: RegisterSelection) -> str | SafeString:
        if not row.url.startswith(("https://", "http://")):
            return row.url or "–"
        return format_html('<a href="{0}" rel="noopener noreferrer">{0}</a>', row.url)


@admin.register(RegisterCorrection)
class CorrectionAdmin(ReadOnly):
    """What was taken back, what was kept, and why."""

    list_display = ("at", "selection", "kind", "reason", "corrected_by", "replacement")
    list_filter = ("kind", "at")
    search_fields = ("selection__entity__name", "selection__number", "reason")
    list_select_related = ("selection", "corrected_by", "replacement")
    fields = readonly_fields = (
        *("selection", "entity", "kind", "reason", "done", "replacement", "corrected_by", "at"),
    )

    @admin.display(description="entity")
    def entity(self, row: RegisterCorrection) -> str | SafeString:
        return link_to(row.selection.entity)

    @admin.display(description="what was done")
    def done(self, row: RegisterCorrection) -> SafeString:
        lines = format_html_join("", "<li><b>{}</b> {}</li>", ((s["action"], s["note"]) for s in row.undone))
        return format_html("<ul>{}</ul>", lines)


class LookUpForm(forms.Form):
    """Which entity, in which register; a name or number only where it is another than memory's."""

    entity = forms.CharField(max_length=120, help_text="Its slug, as entity memory shows it.")
    register = forms.ChoiceField()
    name = forms.CharField(max_length=500, required=False, help_text="Empty: the entity's own name.")
    number = forms.CharField(max_length=60, required=False, help_text="If you know it.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("gleif", "LEI register"), *((name, KINDS[name].source.label) for name in configured())]
        cast(forms.ChoiceField, self.fields["register"]).choices = choices

    def clean_entity(self) -> Entity:
        found = Entity.objects.filter(slug=self.cleaned_data["entity"].strip()).first()
        if found is None:
            raise forms.ValidationError("There is no entity with this slug.")
        return found


class CorrectForm(forms.Form):
    """Why it was wrong, and what is right."""

    kind = forms.ChoiceField(choices=CorrectionKind.choices)
    reason = forms.CharField(max_length=2_000, widget=forms.Textarea(attrs={"rows": 3}))
    number = forms.CharField(
        max_length=60, required=False, help_text="The right line for the same entity, if there is one."
    )
    into = forms.CharField(
        max_length=120,
        required=False,
        help_text="Merge required: the slug of the entity that the line belongs to.",
    )
    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def clean_into(self) -> Entity | None:
        slug = self.cleaned_data["into"].strip()
        found = Entity.objects.filter(slug=slug).first() if slug else None
        if slug and found is None:
            raise forms.ValidationError("There is no entity with this slug.")
        return found


def look_up_page(request: HttpRequest, site: admin.AdminSite) -> HttpResponse:
    """Ask a register for an entity (GET), and put on record what a person chose (POST)."""
    _require(request)
    asked = request.POST if request.method == "POST" else request.GET
    form = LookUpForm(asked if "register" in asked else None, initial=request.GET.dict())
    found: Found | None = None
    if form.is_bound and form.is_valid():
        try:
            if request.method == "POST":
                return _record(request, form)
            found = candidates_for(**form.cleaned_data)
        except REFUSALS as error:
            form.add_error(None, str(error))
    context = {
        **site.each_context(request),
        "title": "Look into a register",
        "form": form,
        "found": found,
        "absent": [(KINDS[name].source.label, ", ".join(missing(name))) for name in _absent()],
    }
    status = 400 if form.errors else 200
    return render(request, "admin/entities/registerselection/look_up.html", context, status=status)


def correct_page(request: HttpRequest, site: admin.AdminSite, selection: RegisterSelection) -> HttpResponse:
    """What taking a selection back would do (GET), and doing it (POST)."""
    _require(request)
    here = reverse("admin:entities_registerselection_change", args=[selection.pk])
    try:
        plan = preview_correction(selection)
    except RefusedWrite as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(here)
    form = CorrectForm(request.POST or None, initial={"digest": plan.digest})
    if request.method == "POST" and form.is_valid():
        try:
            done = correct_selection(selection=selection, by=cast(User, request.user), **form.cleaned_data)
            messages.success(request, "The selection was taken back; what was done is told below.")
            return HttpResponseRedirect(reverse("admin:entities_registercorrection_change", args=[done.pk]))
        except REFUSALS as error:
            form.add_error(None, str(error))
            shown = dict(form.data.items())
            form.data = {**shown, "digest": plan.digest}  # what is shown now is what is agreed to
    context = {
        **site.each_context(request),
        "title": f"Take back: {selection}",
        "selection": selection,
        "plan": plan,
        "form": form,
    }
    status = 400 if form.errors else 200
    return render(request, "admin/entities/registerselection/correct.html", context, status=status)


def _record(request: HttpRequest, form: LookUpForm) -> HttpResponse:
    order = {**form.cleaned_data, "by": cast(User, request.user)}
    reason, action = request.POST.get("reason", ""), request.POST.get("action", "")
    order["number"] = request.POST.get("choice", "") if action == "choose" else ""
    if action == "none":
        order.pop("number")
        selection = reject_candidates(**order, reason=reason)
    elif action == "choose" and not order["number"]:
        raise RefusedWrite("pick the line that you mean")
    else:
        selection = select_company(**order, reason=reason)
    messages.success(request, f"On record: {selection.get_verdict_display().lower()}.")
    return HttpResponseRedirect(reverse("admin:entities_registerselection_change", args=[selection.pk]))


def _require(request: HttpRequest) -> None:
    if not request.user.has_perm(DECIDE):
        raise PermissionDenied


def _absent() -> list[str]:
    return [name for name in KINDS if name not in configured()]


def _told(row: RegisterSelection) -> list[tuple[str, str, str, str]]:
    return [
        (
            str(one.get("number", "")),
            str(one.get("score", "")),
            str(one.get("name", "")),
            "; ".join([str(one.get("explanation", "")), *map(str, one.get("doubts", []))]),
        )
        for one in row.candidates
    ]


def _is_uuid(text: str) -> bool:
    return len(text.replace("-", "")) == 32 and all(char in "0123456789abcdef-" for char in text.lower())
