"""What a model may call. Each module is one family; importing it enters its tools in the registry."""

from research.tools import (
    acts,
    archive,
    case_law,
    citations,
    commentaries,
    control,
    decisions,
    lei,
    markets,
    memory,
    memory_writing,
    registers,
    web,
    web_search,
)

__all__ = [
    "acts",
    "archive",
    "case_law",
    "citations",
    "commentaries",
    "control",
    "decisions",
    "lei",
    "markets",
    "memory",
    "memory_writing",
    "registers",
    "web",
    "web_search",
]
