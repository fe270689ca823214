"""Lists of what entity memory holds beside entities, and the table of types, which people edit."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

from common.admin import Base, ReadOnly, pretty_json
from entities import memory
from entities.models import (
    EntityAct,
    EntityEvent,
    EntityResearch,
    EntityType,
    Relationship,
    Representation,
)


@admin.register(Relationship)
class RelationshipAdmin(ReadOnly):
    list_display = ("subject", "type", "object", "percentage", "source", "valid_from", "valid_to")
    list_filter = ("type", "valid_to", "created_at")
    search_fields = ("subject__name", "object__name", "subject__lei", "object__lei")
    list_select_related = ("subject", "object")


@admin.register(EntityEvent)
class EventAdmin(ReadOnly):
    list_display = ("at", "entity", "type", "summary", "importance", "source_type")
    list_filter = ("type", "importance", "source_type", "at")
    search_fields = ("summary", "entity__name")
    list_select_related = ("entity",)


@admin.register(EntityResearch)
class ResearchAdmin(ReadOnly):
    list_display = ("entity", "at", "confidence", "completeness", "expires_at", "invalidated_at")
    list_filter = ("at", "expires_at")
    search_fields = ("entity__name",)
    list_select_related = ("entity",)


@admin.register(Representation)
class RepresentationAdmin(ReadOnly):
    list_display = ("type", "authority", "chain", "key", "entity", "active", "last_seen_at")
    list_filter = ("type", "active", "last_seen_at")
    search_fields = ("key", "entity__name")
    list_select_related = ("entity",)
    exclude = ("context",)
    readonly_fields = ("details",)

    @admin.display(description="context")
    def details(self, form: Representation) -> Any:
        return pretty_json(form.context)


@admin.register(EntityAct)
class ActAdmin(ReadOnly):
    """What people did to entities, and why."""

    list_display = ("at", "kind", "entity", "other", "actor", "reason")
    list_filter = ("kind", "at")
    search_fields = ("entity__name", "other__name", "reason", "actor__username")
    list_select_related = ("entity", "other", "actor")
    exclude = ("changes",)
    readonly_fields = ("what_changed",)

    @admin.display(description="changes")
    def what_changed(self, act: EntityAct) -> Any:
        return pretty_json(act.changes)


@admin.register(EntityType)
class TypeAdmin(Base):
    """What entities can be, and how long findings about them live. The one table of memory that people edit."""

    list_display = ("label", "word", "lives", "lives_at_most", "offered")
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


def in_words(seconds: int) -> str:
    """90 as ``1.5 minutes``, 604800 as ``7 days``."""
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            many = f"{seconds / size:.1f}".removesuffix(".0")
            return f"{many} {word}{'' if many == '1' else 's'}"
    return f"{seconds} seconds"
