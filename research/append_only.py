"""The tables of research that record what people decided, what their verbs wrote, and what happened."""

TABLES = (
    "research_decision",
    "research_auditevent",
    "research_auditseal",
    "research_audithead",
    "research_verbeffect",
    "research_rollback",
)
