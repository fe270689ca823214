"""The tables of research that record what people decided, what their verbs wrote, and what happened."""

from entities.database import APPEND_ONLY

TABLES = (
    "research_decision",
    "research_auditevent",
    "research_auditseal",
    "research_audithead",
    "research_verbeffect",
    "research_rollback",
)
GUARDED = (*TABLES, *APPEND_ONLY)
"""With those of entity memory: every table that the database itself keeps as it is."""
