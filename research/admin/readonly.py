"""What the pages of research share: those of every app, and parameters by their names."""

import json
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common.admin import Base, InlineBase, ReadOnly, ReadOnlyInline, link_to, link_to_list, pretty_json
from research.review.rows import human_label

__all__ = [
    "Base",
    "InlineBase",
    "ReadOnly",
    "ReadOnlyInline",
    "as_told",
    "link_to",
    "link_to_list",
    "pretty_json",
]


def as_told(values: dict[str, Any]) -> str | SafeString:
    """What was given, by name; what was left empty is left out."""
    given = [
        (human_label(name), _text(value)) for name, value in values.items() if value not in (None, "", [])
    ]
    rows = format_html_join("", "<dt>{}</dt><dd>{}</dd>", given)
    return format_html('<dl class="dossier-params">{}</dl>', rows) if given else "–"


def _text(value: Any) -> str:
    if isinstance(value, dict) and all(not isinstance(member, dict) for member in value.values()):
        return "; ".join(f"{human_label(name)}: {_text(member)}" for name, member in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
