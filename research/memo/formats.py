"""Content to bytes."""

import json

from django.template.loader import render_to_string

from research.memo.content import Content
from research.memo.labels import Labels
from research.memo.markdown import as_markdown

MEDIA_TYPES = {"md": "text/markdown", "html": "text/html", "json": "application/json"}


def write(content: Content, labels: Labels, *, style: str, format: str) -> bytes:
    """The memo's bytes; the same content always gives the same ones."""
    if format == "json" or style == "json":
        return (json.dumps(content.as_json(), ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()
    if format == "md":
        return as_markdown(content, labels, bullets=style == "bullets").encode()
    total = sum(count for _, count in content.tally)
    context = {"memo": content, "labels": labels, "bullets": style == "bullets", "total": total}
    return render_to_string("memo/memo.html", context).encode()
