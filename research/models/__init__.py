"""The tables of research. Services write them; see docs/ARCHITECTURE.md for the map."""

from research.models.audit import AuditEvent, AuditHead, AuditSeal
from research.models.draft import Draft
from research.models.effect import Rollback, VerbEffect
from research.models.evidence import Check, Document, Page, Source
from research.models.factor import Factor, Identity
from research.models.idempotency import IdempotencyKey
from research.models.lockout import Lockout
from research.models.macro import Macro
from research.models.memo import Memo, MemoTemplate
from research.models.price import ModelPrice
from research.models.result import Decision, ResearchResult, VerbCall
from research.models.run import ResearchSession, Run, Step
from research.models.walk import Walk, WalkView
from research.models.watch import Watch
from research.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "AuditEvent",
    "AuditHead",
    "AuditSeal",
    "Check",
    "Decision",
    "Document",
    "Draft",
    "Factor",
    "IdempotencyKey",
    "Identity",
    "Lockout",
    "Macro",
    "Memo",
    "MemoTemplate",
    "ModelPrice",
    "Page",
    "ResearchResult",
    "ResearchSession",
    "Rollback",
    "Run",
    "Source",
    "Step",
    "VerbCall",
    "VerbEffect",
    "Walk",
    "WalkView",
    "Watch",
    "Webhook",
    "WebhookDelivery",
]
