"""What the pages of research share: those of every app, and parameters by their names."""

from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common.admin import (
    Base,
    InlineBase,
    ReadOnly,
    ReadOnlyInline,
    in_words,
    link_to,
    link_to_list,
    pretty_json,
)
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
        (human_label(name), in_words(value, human_label))
        for name, value in values.items()
        if value not in (None, "", [])
    ]
    rows = format_html_join("", "<dt>{}</dt><dd>{}</dd>", given)
    return format_html('<dl class="dossier-params">{}</dl>', rows) if given else "–"
