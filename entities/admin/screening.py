"""Screening in the admin: the lists, the queue of hits and a hit side by side, runs, decisions, the policy."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from common.admin import Base, ReadOnly, pretty_json
from entities.admin.memory import WithoutPeople
from entities.admin.policy import NothingRemoved
from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from entities.memory.people import may_see_people, without_people
from entities.models import (
    Entity,
    ListEntry,
    ListVersion,
    ScreeningDecision,
    ScreeningHit,
    ScreeningPolicy,
    ScreeningRun,
)
from entities.models.screening import HitState, HitVerdict
from entities.panels import Panel, add_panel
from entities.screening.coverage import coverage
from entities.screening.looking import current_policy, screen
from entities.screening.policy import BadScreeningPolicy, Policy
from entities.screening.subject import make_subject
from entities.services.screening import (
    DECIDE,
    RUN,
    decide_hit,
    owners_of,
    screen_with_owners,
    set_screening_policy,
)

if TYPE_CHECKING:
    FormBase = forms.ModelForm[ScreeningPolicy]
else:
    FormBase = forms.ModelForm

QUEUE, LAST, MAX_TEXT = 100, 20, 300
VERDICT_HELP = {
    HitVerdict.TRUE_MATCH: "It is the listed one.",
    HitVerdict.FALSE_POSITIVE: "It is somebody else.",
    HitVerdict.UNSURE: "What is known does not tell; it stays in the queue of unsure hits.",
}


class DecisionForm(forms.Form):
    """What the hit is, and why."""

    verdict = forms.ChoiceField(
        choices=[(str(word), f"{word.label}: {VERDICT_HELP[word]}") for word in HitVerdict],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(max_length=2_000, widget=forms.Textarea(attrs={"rows": 3}))
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class PolicyForm(FormBase):
    """One field for each value of the policy."""

    person_threshold = forms.CharField(max_length=10, help_text="Score of 100 from which a person is a hit.")
    company_threshold = forms.CharField(
        max_length=10, help_text="The same for companies, vessels and aircraft."
    )
    max_age_days = forms.CharField(
        max_length=10, help_text="A list whose last good download is older makes “no hit” unknown."
    )
    lists = forms.CharField(
        max_length=200,
        help_text="The lists that must be looked at, separated by commas.",
        widget=forms.TextInput,
    )

    class Meta:
        model = ScreeningPolicy
        fields = ["note"]

    def clean(self) -> dict[str, Any]:
        """Read by the rules of the policy itself."""
        cleaned = dict(super().clean() or self.cleaned_data)
        try:
            Policy().with_values({name: cleaned[name] for name in Policy().as_values() if name in cleaned})
        except BadScreeningPolicy as error:
            raise forms.ValidationError(str(error)) from None
        return cleaned


@admin.register(ScreeningPolicy)
class ScreeningPolicyAdmin(NothingRemoved, Base):
    """A new version is entered, none is ever changed."""

    form = PolicyForm
    list_display = ("created_at", "differs", "note", "created_by")
    search_fields = ("note",)
    list_select_related = ("created_by",)

    def get_fields(self, request: HttpRequest, obj: ScreeningPolicy | None = None) -> tuple[str, ...]:
        return ("note", "differs", "created_by", "created_at") if obj else ("note", *Policy().as_values())

    def get_readonly_fields(
        self, request: HttpRequest, obj: ScreeningPolicy | None = None
    ) -> tuple[str, ...]:
        return ("note", "differs", "created_by", "created_at") if obj else ()

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        return {**current_policy().as_values()}

    def save_model(self, request: HttpRequest, obj: ScreeningPolicy, form: Any, change: bool) -> None:
        values = {name: str(form.cleaned_data[name]) for name in Policy().as_values()}
        obj.pk = set_screening_policy(values=values, note=obj.note, actor=cast(User, request.user)).pk

    @admin.display(description="differs from the usual")
    def differs(self, policy: ScreeningPolicy) -> str:
        return ", ".join(f"{name}={value}" for name, value in policy.values.items()) or "nowhere"


@admin.register(ListVersion)
class ListVersionAdmin(ReadOnly):
    """One file of a list; the list of them is the page on the lists."""

    exclude = ("owner",)
    search_fields = ("source",)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return lists_page(request, site=self.admin_site)


@admin.register(ListEntry)
class ListEntryAdmin(ReadOnly):
    """What a list said of somebody, from one version until another."""

    list_display = ("key", "name", "kind", "list_name", "since", "until")
    list_filter = ("list_name", "kind")
    search_fields = ("key", "name")
    list_select_related = ("since", "until")
    exclude = ("content",)
    readonly_fields = ("in_full",)

    @admin.display(description="content")
    def in_full(self, entry: ListEntry) -> SafeString:
        return pretty_json(entry.content)


@admin.register(ScreeningRun)
class ScreeningRunAdmin(WithoutPeople):
    list_display = ("started_at", "entity", "outcome", "state", "counts", "by")
    list_filter = ("outcome", "state", "started_at")
    search_fields = ("entity__name", "entity__slug")
    list_select_related = ("entity", "by")
    exclude = ("position",)


@admin.register(ScreeningDecision)
class ScreeningDecisionAdmin(WithoutPeople):
    """What people said of hits, with all that it rests on."""

    about = ("hit__entity",)

    list_display = ("at", "hit", "verdict", "reason", "actor")
    list_filter = ("verdict", "at")
    search_fields = ("hit__entity__name", "hit__name", "reason")
    list_select_related = ("hit__entity", "actor")
    exclude = ("basis",)
    readonly_fields = ("rests_on",)

    @admin.display(description="rests on")
    def rests_on(self, decision: ScreeningDecision) -> SafeString:
        return pretty_json(decision.basis)


@admin.register(ScreeningHit)
class ScreeningHitAdmin(WithoutPeople):
    """The queue of hits; a hit's page shows both sides and takes the decision."""

    def get_urls(self) -> list[URLPattern]:
        decide = path(
            "<uuid:pk>/decide/",
            self.admin_site.admin_view(self.decide_view),
            name="entities_screeninghit_decide",
        )
        now = path("screen/<uuid:pk>/", self.admin_site.admin_view(screen_now), name="entities_entity_screen")
        return [decide, now, *super().get_urls()]

    def decide_view(self, request: HttpRequest, pk: str) -> HttpResponse:
        if not request.user.has_perms(("entities.view_screeninghit", DECIDE)):
            raise PermissionDenied
        return hit_page(request, pk, site=self.admin_site)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return queue_page(request, site=self.admin_site)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if request.method == "POST":
            raise PermissionDenied
        return hit_page(request, object_id, site=self.admin_site)


def lists_page(request: HttpRequest, *, site: admin.AdminSite) -> HttpResponse:
    """Which lists are there, of which day, and a try with a name, asked by GET."""
    if not request.user.has_perm("entities.view_listversion"):
        raise PermissionDenied
    asked = {name: request.GET.get(name, "").strip()[:MAX_TEXT] for name in ("q", "kind", "birth", "country")}
    looked = coverage(current_policy(), timezone.now())
    context = {
        **site.each_context(request),
        "title": "Official lists",
        "looked": looked,
        "empty": not any(one.version for one in looked),
        "versions": ListVersion.objects.all()[:LAST],
        "asked": asked,
        "may_screen": request.user.has_perm("entities.view_screeninghit"),
        **(_answer(asked) if asked["q"] and request.user.has_perm("entities.view_screeninghit") else {}),
    }
    return render(request, "admin/entities/listversion/lists.html", context)


def queue_page(request: HttpRequest, *, site: admin.AdminSite) -> HttpResponse:
    """Hits by state, the likest first, with how many there are of each."""
    if not request.user.has_perm("entities.view_screeninghit"):
        raise PermissionDenied
    state = request.GET.get("state", HitState.OPEN)
    rows = _shown(request, ScreeningHit.objects.filter(standing=True))
    counted = dict(rows.values_list("state").annotate(Count("pk")).order_by())
    asked = request.GET.get("q", "").strip()[:MAX_TEXT]
    found = rows.filter(state=state).select_related("entity", "version")
    if asked:
        found = found.filter(Q(entity__name__icontains=asked) | Q(name__icontains=asked))
    context = {
        **site.each_context(request),
        "title": "Hits of lists",
        "state": state,
        "states": [(word, word.label, counted.get(word, 0)) for word in HitState],
        "ended": _shown(request, ScreeningHit.objects.filter(standing=False)).count(),
        "hits": found[:QUEUE],
        "more": max(0, found.count() - QUEUE),
        "asked": asked,
        "looked": coverage(current_policy(), timezone.now()),
        "last": ScreeningRun.objects.filter(entity=None).first(),
        "empty": not ListVersion.objects.filter(state=ListVersion.State.LIVE).exists(),
    }
    return render(request, "admin/entities/screeninghit/queue.html", context)


def hit_page(request: HttpRequest, object_id: str, *, site: admin.AdminSite) -> HttpResponse:
    """Both sides and the score, field by field (GET), and the decision (POST); then the next open hit."""
    if not request.user.has_perm("entities.view_screeninghit"):
        raise PermissionDenied
    rows = _shown(request, ScreeningHit.objects.select_related("entity", "version"))
    hit = rows.filter(pk=object_id).first() if _is_uuid(str(object_id)) else None
    if hit is None:
        return HttpResponseRedirect(reverse("admin:entities_screeninghit_changelist"))
    form = DecisionForm(request.POST or None, initial={"revision": hit.revision})
    if request.method == "POST" and form.is_valid():
        try:
            decide_hit(hit=hit, by=cast(User, request.user), **form.cleaned_data)
            messages.success(request, f"On record: {hit.name[:80]} is decided.")
            return HttpResponseRedirect(_next(request, hit))
        except NotAllowed:
            raise PermissionDenied from None
        except (RefusedWrite, OutOfDate) as error:
            hit.refresh_from_db()
            form.add_error(None, str(error))
            form.data = {**dict(form.data.items()), "revision": hit.revision}  # what is shown now is decided
    context = {
        **site.each_context(request),
        "title": f"{hit.entity} and {hit.name[:80]}",
        "hit": hit,
        "form": form,
        "next": _next(request, hit),
        "decisions": hit.decisions.select_related("actor"),
        "may_decide": request.user.has_perm(DECIDE),
    }
    status = 400 if form.errors else 200
    return render(request, "admin/entities/screeninghit/hit.html", context, status=status)


def screen_now(request: HttpRequest, pk: str) -> HttpResponse:
    """Screen an entity from its page."""
    if not request.user.has_perms((RUN, "entities.view_screeninghit")):
        raise PermissionDenied
    entity = get_object_or_404(Entity, pk=pk)
    if request.method != "POST":
        return HttpResponseRedirect(reverse("admin:entities_entity_change", args=[entity.pk]))
    group = screen_with_owners(entity=entity, by=cast(User, request.user))
    people = may_see_people(request.user)
    shown = [(one, found) for one, found in group if people or one.type != Entity.Type.PERSON]
    told = "; ".join(f"{one}: {screened.outcome}" for one, screened in shown)
    messages.info(request, f"Screened: {told}. {' '.join(group[0][1].reasons)}"[:1_000])
    return HttpResponseRedirect(f"{reverse('admin:entities_entity_change', args=[entity.pk])}#screening")


def _shown(request: HttpRequest, rows: QuerySet[ScreeningHit]) -> QuerySet[ScreeningHit]:
    """Hits that this person may see: those of natural persons need a right of their own."""
    return rows if may_see_people(request.user) else without_people(rows, "entity")


def _next(request: HttpRequest, hit: ScreeningHit) -> str:
    """The likest open hit besides this one, or the queue."""
    rows = ScreeningHit.objects.filter(state=HitState.OPEN, standing=True).exclude(pk=hit.pk)
    following = _shown(request, rows).values_list("pk", flat=True).first()
    if following is None:
        return reverse("admin:entities_screeninghit_changelist")
    return reverse("admin:entities_screeninghit_change", args=[following])


def _answer(asked: dict[str, str]) -> dict[str, Any]:
    try:
        subject = make_subject(
            names=[asked["q"]],
            kind=asked["kind"] if asked["kind"] in ("person", "entity") else "",
            births=[asked["birth"]],
            countries=[asked["country"]],
        )
    except ValueError as error:
        return {"trouble": str(error)}
    return {"screened": screen(subject)}


def _panel(request: HttpRequest, entity: Entity) -> dict[str, Any] | None:
    if not request.user.has_perm("entities.view_screeninghit"):
        return None
    return {
        "entity": entity,
        "hits": ScreeningHit.objects.filter(entity=entity)[:LAST],
        "of_owners": _of_owners(request, entity),
        "last": ScreeningRun.objects.filter(entity=entity).first()
        or ScreeningRun.objects.filter(entity=None, state=ScreeningRun.State.DONE).first(),
        "may_run": request.user.has_perm(RUN),
    }


def _of_owners(request: HttpRequest, entity: Entity) -> Iterable[ScreeningHit]:
    """Hits of those who stand above it."""
    owners = owners_of(entity, timezone.now())
    rows = ScreeningHit.objects.filter(entity__in=owners, standing=True).select_related("entity")
    return _shown(request, rows)[:LAST]


def _is_uuid(text: str) -> bool:
    return len(text.replace("-", "")) == 32 and all(char in "0123456789abcdef-" for char in text.lower())


add_panel(Panel("screening", "Screening", "admin/entities/screeninghit/panel.html", _panel))
