"""The cockpit: read-only pages, the gate, and macros as versions. Importing this package registers them."""

from research.admin import (
    citation_places,
    documents,
    entity_actions,
    entity_panels,
    macros,
    memo_templates,
    memos,
    prices,
    records,
    registers,
    results,
    runs,
    tokens,
    watches,
)

__all__ = [
    "citation_places",
    "documents",
    "entity_actions",
    "entity_panels",
    "macros",
    "memo_templates",
    "memos",
    "prices",
    "records",
    "registers",
    "results",
    "runs",
    "tokens",
    "watches",
]
