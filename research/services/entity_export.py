"""All that is known of an entity as PDF, for whoever asked for it: tables to be read, the whole document attached.

Of a long table the first rows are set; the JSON that is attached has all of them.
"""

import json
from typing import Any

from django.apps import apps
from django.utils import timezone

from common.bounded_json import load_json
from entities.memory import RefusedWrite
from entities.memory.access import Person
from entities.models import Entity
from entities.services.export import export_entity
from research.errors import FormatUnavailable
from research.memo.blocks import Block, Document, Line, Look, Section, text_line
from research.memo.labels import labels_for
from research.memo.pdf import as_pdf

MAX_ROWS, MAX_VALUE, MAX_BYTES = 60, 300, 20_000_000
TITLES = {
    "entities.entity": "The entity",
    "entities.representation": "Numbers and names in registers",
    "entities.statement": "What was ever said of it",
    "entities.relationship": "Relationships",
    "entities.entityevent": "Timeline",
    "entities.entityresearch": "Findings",
    "entities.entityact": "What people did",
    "entities.entitylook": "Who looked",
}
ASIDE = ("id", "salt", "slot", "digest", "result_digest")


def export_entity_as_pdf(*, entity: Entity, actor: Person, reason: str) -> bytes:
    """The bytes of the PDF. It is recorded as every export is.

    Raises NotAllowed, and RefusedWrite, also for what cannot be set.
    """
    data = "".join(export_entity(entity=entity, actor=actor, reason=reason)).encode()
    if len(data) > MAX_BYTES:
        raise RefusedWrite(f"this export has {len(data):,} bytes, too many for PDF; take JSON")
    try:
        return as_pdf(_document(entity, load_json(data.decode())), data)
    except FormatUnavailable:
        raise RefusedWrite("this export is too large for PDF, or cannot be set; take JSON") from None


def _document(entity: Entity, told: dict[str, Any]) -> Document:
    parts: dict[str, list[dict[str, Any]]] = told["parts"]
    facts = [
        ("Entity", f"{entity.name} ({entity.slug})"),
        ("Exported", f"{told['exported_at']} by {told['exported_by']}"),
        ("Reason", told["reason"]),
        ("Rows", f"{sum(map(len, parts.values())):,} in {sum(map(bool, parts.values()))} tables"),
        ("Attached", "the same as JSON, with every row and every column"),
    ]
    return Document(
        language="en",
        kind="All that is known",
        title=entity.name[:300],
        state="approved",
        status="Export",
        header="",
        facts=_pairs(facts, "facts"),
        sections=tuple(_section(name, rows) for name, rows in parts.items() if rows),
        notes={},
        words=labels_for("en"),
        look=Look(),
        date=timezone.localdate().isoformat(),
    )


def _section(name: str, rows: list[dict[str, Any]]) -> Section:
    title = TITLES.get(name) or str(apps.get_model(name)._meta.verbose_name_plural).capitalize()
    blocks = [_pairs(_row(row), "") for row in rows[:MAX_ROWS]]
    if len(rows) > MAX_ROWS:
        words = f"And {len(rows) - MAX_ROWS:,} more rows, in the document that is attached."
        blocks.append(Block("paragraph", (text_line(words, "quiet"),)))
    return Section(name, f"{title} ({len(rows):,})", tuple(blocks))


def _row(row: dict[str, Any]) -> list[tuple[str, str]]:
    said = ((name, value) for name, value in row.items() if name not in ASIDE)
    return [(name, _text(value)) for name, value in said if value not in (None, "", [], {}, False)]


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 1]}…"


def _pairs(told: list[tuple[str, str]], role: str) -> Block:
    rows: tuple[tuple[Line, ...], ...] = tuple((text_line(name), text_line(value)) for name, value in told)
    return Block("pairs", rows=rows, role=role)
