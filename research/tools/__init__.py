"""What a model may call. Each module is one family; importing it enters its tools in the registry."""

from research.tools import (
    archive,
    citations,
    control,
    legal,
    legal_texts,
    lei,
    markets,
    memory,
    memory_writing,
    registers,
    web,
    web_search,
)

__all__ = [
    "archive",
    "citations",
    "control",
    "legal",
    "legal_texts",
    "lei",
    "markets",
    "memory",
    "memory_writing",
    "registers",
    "web",
    "web_search",
]
