"""Entity memory and the register's records, to look at; only services write."""

import json
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from entities.gleif.checking import current_policy
from entities.gleif.policy import Policy
from entities.models import (
    Entity,
    EntityEvent,
    EntityResearch,
    GleifImport,
    LeiPolicy,
    LeiRecord,
    LeiRelationship,
    Relationship,
    ReportingException,
    Representation,
)
from entities.policy_form import PolicyForm
from entities.services.policy import set_lei_policy

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
    InlineBase = admin.TabularInline[Any, Any]
else:
    Base, InlineBase = admin.ModelAdmin, admin.TabularInline


class NothingChanges:
    """No adding, changing or deleting by the stock forms."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class NothingRemoved:
    """Adding only: what was entered stays as it is."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnly(NothingChanges, Base):
    actions = None
    show_full_result_count = False


class ReadOnlyInline(NothingChanges, InlineBase):
    extra = 0
    show_change_link = True


class RepresentationInline(ReadOnlyInline):
    model = Representation
    fields = readonly_fields = ("type", "authority", "key", "active", "last_seen_at")


class RelationshipInline(ReadOnlyInline):
    model = Relationship
    fk_name = "subject"
    verbose_name_plural = "relationships"
    fields = readonly_fields = ("type", "object", "percentage", "source", "valid_from", "valid_to")


class RelatedFromInline(ReadOnlyInline):
    model = Relationship
    fk_name = "object"
    verbose_name_plural = "related from"
    fields = readonly_fields = ("subject", "type", "percentage", "source", "valid_from", "valid_to")


class EventInline(ReadOnlyInline):
    model = EntityEvent
    fields = readonly_fields = ("at", "type", "summary", "importance", "source")


@admin.register(Entity)
class EntityAdmin(ReadOnly):
    """What memory knows of an entity."""

    list_display = ("__str__", "type", "lei", "jurisdiction", "verified", "updated_at")
    list_filter = ("type", "verified", "verified_by", "jurisdiction", "updated_at")
    search_fields = ("name", "slug", "lei", "symbol", "representations__key")
    inlines = (RepresentationInline, RelationshipInline, RelatedFromInline, EventInline)
    exclude = ("aliases", "metadata")
    readonly_fields = ("known_as", "details", "register_record")

    @admin.display(description="also known as")
    def known_as(self, entity: Entity) -> SafeString:
        return pretty(entity.aliases)

    @admin.display(description="metadata")
    def details(self, entity: Entity) -> SafeString:
        return pretty(entity.metadata)

    @admin.display(description="LEI record")
    def register_record(self, entity: Entity) -> str | SafeString:
        if not LeiRecord.objects.filter(pk=entity.lei).exists():
            return "–"
        url = reverse("admin:entities_leirecord_change", args=[entity.lei])
        return format_html('<a href="{}">{}</a>', url, entity.lei)


@admin.register(Relationship)
class RelationshipAdmin(ReadOnly):
    list_display = ("subject", "type", "object", "percentage", "source", "valid_from", "valid_to")
    list_filter = ("type", "valid_to", "created_at")
    search_fields = ("subject__name", "object__name", "subject__lei", "object__lei")
    list_select_related = ("subject", "object")


@admin.register(EntityEvent)
class EventAdmin(ReadOnly):
    list_display = ("at", "entity", "type", "summary", "importance")
    list_filter = ("type", "importance", "at")
    search_fields = ("summary", "entity__name")
    list_select_related = ("entity",)


@admin.register(EntityResearch)
class ResearchAdmin(ReadOnly):
    list_display = ("entity", "at", "confidence", "expires_at")
    list_filter = ("at", "expires_at")
    search_fields = ("entity__name",)
    list_select_related = ("entity",)


@admin.register(LeiRecord)
class LeiRecordAdmin(ReadOnly):
    """A record as the register gave it."""

    list_display = (
        "lei",
        "name",
        "jurisdiction",
        "entity_status",
        "registration_status",
        "next_renewal",
        "register",
    )
    list_filter = ("registration_status", "entity_status", "category", "register", "jurisdiction")
    search_fields = ("lei", "legal_name")
    exclude = ("attributes",)
    readonly_fields = ("in_full",)

    @admin.display(ordering="legal_name")
    def name(self, record: LeiRecord) -> str:
        return Truncator(record.legal_name).chars(200)

    @admin.display(description="attributes")
    def in_full(self, record: LeiRecord) -> SafeString:
        return pretty(record.attributes)


@admin.register(LeiPolicy)
class LeiPolicyAdmin(NothingRemoved, Base):
    """What counts as pass, warning or failure: a new version is entered, none is ever changed."""

    form = PolicyForm
    list_display = ("created_at", "differs", "note", "created_by")
    search_fields = ("note",)
    list_select_related = ("created_by",)

    def get_fields(self, request: HttpRequest, obj: LeiPolicy | None = None) -> tuple[str, ...]:
        return ("note", "differs", "created_by", "created_at") if obj else ("note", *PolicyForm.base_fields)

    def get_readonly_fields(self, request: HttpRequest, obj: LeiPolicy | None = None) -> tuple[str, ...]:
        return ("note", "differs", "created_by", "created_at") if obj else ()

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        return {**current_policy().as_values()}

    def save_model(self, request: HttpRequest, obj: LeiPolicy, form: Any, change: bool) -> None:
        values = {name: str(form.cleaned_data[name]) for name in Policy().as_values()}
        stored = set_lei_policy(values=values, note=obj.note, actor=cast(AbstractBaseUser, request.user))
        obj.pk = stored.pk

    @admin.display(description="differs from the usual")
    def differs(self, policy: LeiPolicy) -> str:
        return ", ".join(f"{name}={value}" for name, value in policy.values.items()) or "nowhere"


@admin.register(LeiRelationship)
class LeiRelationshipAdmin(ReadOnly):
    list_display = ("start", "type", "end", "status", "register", "fetched_at")
    list_filter = ("type", "status", "register")
    search_fields = ("start", "end")


@admin.register(ReportingException)
class ReportingExceptionAdmin(ReadOnly):
    list_display = ("lei", "category", "reason", "register", "fetched_at")
    list_filter = ("category", "reason", "register")
    search_fields = ("lei",)


@admin.register(GleifImport)
class GleifImportAdmin(ReadOnly):
    list_display = ("kind", "root", "counts", "register", "started_at", "finished_at")
    list_filter = ("kind", "register", "started_at")
    search_fields = ("root",)


def pretty(value: Any) -> SafeString:
    """JSON to look at, escaped."""
    return format_html("<pre>{}</pre>", json.dumps(value, ensure_ascii=False, indent=2, default=str))
