"""What the pages of every app share: the stock forms neither add, change nor delete."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
    InlineBase = admin.TabularInline[Any, Any]
else:
    Base, InlineBase = admin.ModelAdmin, admin.TabularInline

MAX_JSON = 200_000
ADDRESSES: "Mapping[type[models.Field[Any, Any]], Mapping[str, Any]]" = {
    models.URLField: {"assume_scheme": "https"}
}  # Django 5 asks for it, even where nothing is entered


class ReadOnly(Base):
    """Everything can be seen by those with the view permission; only services write."""

    actions = None
    formfield_overrides = ADDRESSES
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(InlineBase):
    """A table of related rows."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def link_to(target: Model | None, text: str = "") -> str | SafeString:
    """A link to an object's admin page, its text escaped; a dash for none."""
    if target is None:
        return "–"
    meta = target._meta
    url = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[target.pk])
    return format_html('<a href="{}">{}</a>', url, text or str(target))


def link_to_list(model: type[Model], text: str, **filters: object) -> SafeString:
    """A link to a change list with filters."""
    meta = model._meta
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    url = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
    return format_html('<a href="{}?{}">{}</a>', url, query, text)


def pretty_json(value: Any) -> SafeString:
    """JSON to look at, escaped and bounded."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    more = "\n…" if len(text) > MAX_JSON else ""
    return format_html('<pre class="dossier-json">{}{}</pre>', text[:MAX_JSON], more)


def _plain_label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def in_words(value: Any, label: Callable[[str], str] = _plain_label) -> str:
    """A JSON value for people: of an object and a list what is in them, without what is empty."""
    if isinstance(value, dict) and all(not isinstance(member, dict) for member in value.values()):
        kept = {name: member for name, member in value.items() if member not in (None, "", [])}
        return "; ".join(f"{label(name)}: {in_words(member, label)}" for name, member in kept.items()) or "–"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
