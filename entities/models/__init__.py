"""The tables of entity memory and of the LEI register as Dossier saw it."""

from entities.models.entity import (
    Entity,
    EntityEvent,
    EntityResearch,
    NameKey,
    Relationship,
    Representation,
    name_key,
)
from entities.models.register import (
    GleifImport,
    GoldenCopyImport,
    LeiName,
    LeiRecord,
    LeiRelationship,
    RegisterName,
    ReportingException,
)

__all__ = [
    "Entity",
    "EntityEvent",
    "EntityResearch",
    "GleifImport",
    "GoldenCopyImport",
    "LeiName",
    "LeiRecord",
    "LeiRelationship",
    "NameKey",
    "RegisterName",
    "Relationship",
    "ReportingException",
    "Representation",
    "name_key",
]
