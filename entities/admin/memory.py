"""Lists of what entity memory holds beside entities, and the table of types, which people edit."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from common.admin import Base, ReadOnly, pretty_json
from common.durations import EXAMPLES, NotADuration, in_words, seconds_in
from entities import memory
from entities.memory.people import may_see_people, without_people
from entities.models import (
    EntityAct,
    EntityEvent,
    EntityResearch,
    EntityType,
    Relationship,
    Representation,
    Statement,
)


class WithoutPeople(ReadOnly):
    """A table about entities (``about``) without rows about natural persons, for whoever may not see these."""

    about: tuple[str, ...] = ("entity",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows if may_see_people(request.user) else without_people(rows, *self.about)


@admin.register(Relationship)
class RelationshipAdmin(WithoutPeople):
    about = ("subject", "object")
    list_display = ("subject", "type", "object", "percentage", "source", "valid_from", "valid_to")
    list_filter = ("type", "valid_to", "created_at")
    search_fields = ("subject__name", "object__name", "subject__lei", "object__lei")
    ordering = (
        "-id",
    )  # by the names of both sides all of them would be joined and sorted for the first page
    list_select_related = ("subject", "object")


@admin.register(EntityEvent)
class EventAdmin(WithoutPeople):
    list_display = ("at", "entity", "type", "summary", "importance", "source_type")
    list_filter = ("type", "importance", "source_type", "at")
    search_fields = ("summary", "entity__name")
    list_select_related = ("entity",)


@admin.register(EntityResearch)
class ResearchAdmin(WithoutPeople):
    list_display = ("entity", "at", "confidence", "completeness", "expires_at", "invalidated_at")
    list_filter = ("at", "expires_at")
    search_fields = ("entity__name",)
    list_select_related = ("entity",)
    exclude = ("ttl",)
    readonly_fields = ("lives",)

    @admin.display(description="lives")
    def lives(self, row: EntityResearch) -> str:
        return in_words(row.ttl)


@admin.register(Representation)
class RepresentationAdmin(WithoutPeople):
    list_display = ("type", "authority", "chain", "key", "entity", "active", "last_seen_at")
    list_filter = ("type", "active", "last_seen_at")
    search_fields = ("key", "entity__name")
    list_select_related = ("entity",)
    exclude = ("context",)
    readonly_fields = ("details",)

    @admin.display(description="context")
    def details(self, form: Representation) -> Any:
        return pretty_json(form.context)


@admin.register(Statement)
class StatementAdmin(WithoutPeople):
    """Everything that was ever said of entities, by whom, and since when it is believed."""

    about = ("subject", "object")
    list_display = (
        "recorded_from",
        "subject",
        "property",
        "value",
        "object",
        "source",
        "signed_by",
        "recorded_to",
    )
    list_filter = ("property", "source_kind", ("contradicts", admin.EmptyFieldListFilter), "recorded_from")
    search_fields = ("subject__slug", "source", "signed_by")
    ordering = ("-id",)
    list_select_related = ("subject", "object")
    exclude = ("slot",)


@admin.register(EntityAct)
class ActAdmin(WithoutPeople):
    """What people did to entities, and why."""

    about = ("entity", "other")

    list_display = ("at", "kind", "entity", "other", "actor", "reason")
    list_filter = ("kind", "at")
    search_fields = ("entity__name", "other__name", "reason", "actor__username")
    list_select_related = ("entity", "other", "actor")
    exclude = ("changes",)
    readonly_fields = ("what_changed",)

    @admin.display(description="changes")
    def what_changed(self, act: EntityAct) -> Any:
        return pretty_json(act.changes)


class DurationField(forms.CharField):
    """A number of seconds that is shown and typed as ``7 days``."""

    widget = forms.TextInput(attrs={"class": "vTextField dossier-short"})

    def prepare_value(self, value: Any) -> Any:
        return in_words(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> Any:
        if value in self.empty_values:
            return None
        try:
            return seconds_in(str(value))
        except NotADuration as error:
            raise ValidationError(str(error)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


class TypeForm(forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable when it runs
    ttl = DurationField(
        label="Findings live",
        help_text=f"Unless whoever stores them says otherwise. For example {EXAMPLES}.",
    )
    longest_ttl = DurationField(
        label="At most", help_text="However long somebody wishes: from 5 minutes to 90 days."
    )


@admin.register(EntityType)
class TypeAdmin(Base):
    """What entities can be, and how long findings about them live. The one table of memory that people edit."""

    list_display = ("label", "word", "lives", "lives_at_most", "offered")
    form = TypeForm
    fields = ("word", "label", "ttl", "longest_ttl", "offered")
    search_fields = ("word", "label")
    actions = None

    @admin.display(description="findings live", ordering="ttl")
    def lives(self, type: EntityType) -> str:
        return in_words(type.ttl)

    @admin.display(description="at most", ordering="longest_ttl")
    def lives_at_most(self, type: EntityType) -> str:
        return in_words(type.longest_ttl)

    def get_readonly_fields(self, request: HttpRequest, obj: EntityType | None = None) -> list[str]:
        return ["word"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: EntityType | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or memory.is_removable(obj.word))

    def save_model(self, request: HttpRequest, obj: EntityType, form: Any, change: bool) -> None:
        memory.save_type(type=obj)

    def delete_model(self, request: HttpRequest, obj: EntityType) -> None:
        try:
            memory.remove_type(word=obj.word)
        except memory.RefusedWrite as error:  # an entity of it was made a moment ago
            self.message_user(request, str(error), messages.ERROR)
