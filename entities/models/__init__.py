"""The tables of entity memory and of the LEI register as Dossier saw it."""

from entities.models.acts import EntityAct
from entities.models.anomaly import Anomaly, AnomalyAct
from entities.models.entity import (
    PENDING,
    Entity,
    EntityEvent,
    NameKey,
    Relationship,
    Representation,
    name_key,
)
from entities.models.erasure import ErasedRow, Erasure
from entities.models.look import EntityLook, LookHow
from entities.models.pairs import WAITING, EntityPair, PairState
from entities.models.policy import LeiPolicy
from entities.models.register import (
    GleifImport,
    GoldenCopyImport,
    LeiName,
    LeiRecord,
    LeiRelationship,
    RegisterName,
    ReportingException,
)
from entities.models.research import EntityResearch
from entities.models.screening import (
    HitState,
    HitVerdict,
    ListedKind,
    ListEntry,
    ListVersion,
    OfficialList,
    ScreeningDecision,
    ScreeningHit,
    ScreeningPolicy,
    ScreeningRun,
)
from entities.models.selection import (
    ImportedFact,
    RegisterCorrection,
    RegisterSelection,
    RegisterThreshold,
)
from entities.models.statement import (
    PROPERTIES,
    FactProperty,
    Precision,
    SourceKind,
    Statement,
    slot_of,
)
from entities.models.types import LONGEST, SHORTEST, EntityType, ShippedType

__all__ = [
    "LONGEST",
    "PENDING",
    "PROPERTIES",
    "SHORTEST",
    "WAITING",
    "Anomaly",
    "AnomalyAct",
    "Entity",
    "EntityAct",
    "EntityEvent",
    "EntityLook",
    "EntityPair",
    "EntityResearch",
    "EntityType",
    "ErasedRow",
    "Erasure",
    "FactProperty",
    "GleifImport",
    "GoldenCopyImport",
    "HitState",
    "HitVerdict",
    "ImportedFact",
    "LeiName",
    "LeiPolicy",
    "LeiRecord",
    "LeiRelationship",
    "ListEntry",
    "ListVersion",
    "ListedKind",
    "LookHow",
    "NameKey",
    "OfficialList",
    "PairState",
    "Precision",
    "RegisterCorrection",
    "RegisterName",
    "RegisterSelection",
    "RegisterThreshold",
    "Relationship",
    "ReportingException",
    "Representation",
    "ScreeningDecision",
    "ScreeningHit",
    "ScreeningPolicy",
    "ScreeningRun",
    "ShippedType",
    "SourceKind",
    "Statement",
    "name_key",
    "slot_of",
]
