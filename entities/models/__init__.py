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
    LeiRecord,
    LeiRelationship,
    ReportingException,
)

__all__ = [
    "Entity",
    "EntityEvent",
    "EntityResearch",
    "GleifImport",
    "LeiRecord",
    "LeiRelationship",
    "NameKey",
    "Relationship",
    "ReportingException",
    "Representation",
    "name_key",
]
