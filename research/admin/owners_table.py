"""A spreadsheet of owners: uploaded, its columns named, looked at, and handed to a run like any other question."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from common.tables import CSV, MAX_BYTES, BadTable, Table
from entities.ownership.table import OWNER_TYPES, ROLES, Owners
from research.errors import DossierError
from research.jsontext import JsonObject
from research.models import Document
from research.models.states import Trigger
from research.services.access import START, Person
from research.services.runs import start_run
from research.services.tables import OWNERS, keep_table, kept_table, preview_owners, suggest_reading

SHOWN_ROWS, SHOWN_OWNERS = 8, 20
LABELS = {
    "owner": "owner",
    "owner_type": "person or company",
    "owner_lei": "LEI of the owner",
    "owned": "company",
    "owned_lei": "LEI of the company",
    "share": "share",
    "interest": "type of interest",
    "since": "held since",
    "until": "held until",
}
UNDECIDED = ("", "not decided")


class UploadForm(forms.Form):
    """The file."""

    file = forms.FileField(label="Spreadsheet", help_text="XLSX or CSV with one owner a row, up to 10 MB.")


class ReadingForm(forms.Form):
    """What the table does not say of itself. The columns are chosen above the table: ``column-1`` and so on."""

    source = forms.CharField(label="Who sent it", max_length=300)
    stated_on = forms.DateField(
        label="Speaks for the day", widget=forms.DateInput(attrs={"type": "date"}), initial=timezone.localdate
    )
    owned = forms.CharField(
        label="Company", max_length=500, required=False, help_text="Needed where no column names it."
    )
    owner_type = forms.ChoiceField(
        label="An owner is",
        required=False,
        choices=[("", "not known"), *((each, each.replace("-", " ")) for each in OWNER_TYPES)],
        help_text="Where no cell says it.",
    )
    unit = forms.ChoiceField(
        label="0.25 is",
        required=False,
        choices=[UNDECIDED, ("percent", "a quarter of a percent"), ("fraction", "a quarter, 25 %")],
    )
    day_order = forms.ChoiceField(
        label="03/04/2025 is",
        required=False,
        choices=[UNDECIDED, ("day first", "3 April"), ("month first", "March 4")],
    )
    header_row = forms.IntegerField(
        label="Row with the names of the columns", min_value=0, max_value=1_000, help_text="0: there is none."
    )

    def params(self, digest: str, columns: dict[str, int]) -> JsonObject:
        """The parameters of the macro."""
        given = {**self.cleaned_data, "stated_on": self.cleaned_data["stated_on"].isoformat()}
        return {
            "table": digest,
            "columns": columns,
            **{name: value or None for name, value in given.items()},
            "header_row": given["header_row"],
        }


def upload(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Take a file in and go to the page on which its columns are named."""
    if refused := _refused(request):
        return refused
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            kept = keep_table(
                content=file.read(MAX_BYTES + 1), name=str(file.name), actor=cast(Person, request.user)
            )
            return HttpResponseRedirect(reverse("admin:research_table_read", args=[kept.digest]))
        except BadTable as error:
            form.add_error("file", str(error))
    context = {**site.each_context(request), "title": "Owners from a spreadsheet", "form": form}
    return render(
        request, "admin/research/macro/table_upload.html", context, status=400 if form.errors else 200
    )


def read(site: AdminSite, request: HttpRequest, digest: str) -> HttpResponse:
    """Name the columns, look at what is read, and start the run."""
    if refused := _refused(request):
        return refused
    document = get_object_or_404(Document, digest=digest, mime=CSV)
    table, suggested = kept_table(document), suggest_reading(kept_table(document))
    posted = request.POST if request.method == "POST" else None
    form = ReadingForm(
        posted, initial={name: value for name, value in suggested.items() if name != "columns"}
    )
    columns = _chosen(request, table) if posted else dict(suggested["columns"])
    owners: Owners | None = None
    if posted and form.is_valid():
        params = form.params(digest, columns)
        try:
            owners = preview_owners(
                {name: params[name] for name in params if name not in ("source", "stated_on")}
            )
            if "start" in request.POST:
                run = start_run(
                    macro=OWNERS,
                    params=params,
                    trigger=Trigger.ADMIN,
                    requested_by=cast(Person, request.user),
                )
                messages.success(request, "The run is queued. This page follows it, step by step.")
                return HttpResponseRedirect(reverse("admin:research_run_change", args=[run.pk]))
        except DossierError as error:
            form.add_error(None, error.message)
    context: dict[str, Any] = {
        **site.each_context(request),
        "title": "Owners from a spreadsheet",
        "document": document,
        "form": form,
        "heads": _heads(table, columns),
        "rows": list(enumerate(table.rows[:SHOWN_ROWS], 1)),
        "more": max(0, len(table.rows) - SHOWN_ROWS),
        "owners": owners,
        "shown": owners.rows[:SHOWN_OWNERS] if owners else [],
        "faults": owners.faults[:SHOWN_OWNERS] if owners else [],
    }
    return render(
        request, "admin/research/macro/table_read.html", context, status=400 if form.errors else 200
    )


def _refused(request: HttpRequest) -> HttpResponse | None:
    if request.user.has_perm(START):
        return None
    messages.error(request, f"You may not start research: the permission {START} is missing.")
    return HttpResponseRedirect(reverse("admin:index"))


def _chosen(request: HttpRequest, table: Table) -> dict[str, int]:
    """The column of each role; the first that a person chose for it."""
    columns: dict[str, int] = {}
    for place in range(1, len(table.rows[0]) + 1):
        role = request.POST.get(f"column-{place}", "")
        if role in ROLES:
            columns.setdefault(role, place)
    return columns


def _heads(table: Table, columns: dict[str, int]) -> list[dict[str, Any]]:
    """For each column its choices, with the chosen one marked."""
    held = {place: role for role, place in columns.items()}
    return [
        {"place": place, "options": [(role, LABELS[role], held.get(place) == role) for role in ROLES]}
        for place in range(1, len(table.rows[0]) + 1)
    ]
