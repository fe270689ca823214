"""The tables of entity memory and of the LEI register as Dossier saw it."""

from entities.models.entity import (
    Entity,
    EntityEvent,
    EntityResearch,
    Relationship,
    Representation,
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
    "Relationship",
    "ReportingException",
    "Representation",
]
