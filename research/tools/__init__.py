"""Tools that a model may call. Each module is one family; importing it registers its tools."""

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
    memory_writes,
    registers,
    screening,
    tables,
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
    "memory_writes",
    "registers",
    "screening",
    "tables",
    "web",
    "web_search",
]
