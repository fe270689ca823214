"""What the pages of every app share: the stock forms neither add, change nor delete."""

import json
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = admin.ModelAdmin


class ReadOnly(Base):
    """To look at; only services write."""

    actions = None
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def pretty(value: Any) -> SafeString:
    """JSON to look at, escaped."""
    return format_html("<pre>{}</pre>", json.dumps(value, ensure_ascii=False, indent=2, default=str))
