"""What REST and ``--json`` show of entity memory."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from entities.gleif.records import Record
from entities.memory import MAX_NAME, Resolution
from entities.models import Entity, EntityEvent, EntityResearch, Relationship, Representation

VERDICTS = [("pass", "Pass"), ("warn", "Warn"), ("fail", "Fail"), ("unknown", "Unknown")]


class EntitySerializer(serializers.ModelSerializer[Entity]):
    """An entity in a list."""

    class Meta:
        model = Entity
        fields = [
            *("id", "slug", "name", "symbol", "type", "lei", "jurisdiction", "aliases"),
            *("verified", "verified_by", "metadata", "created_at", "updated_at"),
        ]


class RepresentationSerializer(serializers.ModelSerializer[Representation]):
    """One concrete form of an entity."""

    class Meta:
        model = Representation
        fields = ["id", "type", "authority", "key", "context", "active", "discovered_at", "last_seen_at"]


class RelationshipSerializer(serializers.ModelSerializer[Relationship]):
    """A directed fact: ``subject`` is consolidated by, managed by, owned by ... ``object``."""

    subject = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    object = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)

    class Meta:
        model = Relationship
        fields = ["subject", "type", "object", "percentage", "source", "valid_from", "valid_to", "metadata"]


class EntityDetailSerializer(EntitySerializer):
    """An entity with its forms and its relationships in both directions."""

    representations = RepresentationSerializer(many=True, read_only=True)
    relationships = RelationshipSerializer(many=True, read_only=True)
    related_from = RelationshipSerializer(many=True, read_only=True)

    class Meta(EntitySerializer.Meta):
        fields = [*EntitySerializer.Meta.fields, "representations", "relationships", "related_from"]


class EventSerializer(serializers.ModelSerializer[EntityEvent]):
    """One entry of a timeline."""

    class Meta:
        model = EntityEvent
        fields = ["at", "type", "summary", "data", "source", "confidence", "importance"]


class FindingsSerializer(serializers.ModelSerializer[EntityResearch]):
    """Findings with their time to live."""

    class Meta:
        model = EntityResearch
        fields = ["at", "ttl", "expires_at", "findings", "sources", "confidence", "reference"]


class ResolutionSerializer(serializers.Serializer[Resolution]):
    """The one entity meant, or the candidates when several could be; ``how`` names the key that decided."""

    entity = EntitySerializer(allow_null=True)
    candidates = EntitySerializer(many=True)
    how = serializers.CharField()


class ResolveRequest(serializers.Serializer[Any]):
    """A UUID, LEI, other key, slug, symbol or name."""

    text = serializers.CharField(max_length=MAX_NAME)


class LeiCheckSerializer(serializers.Serializer[Any]):
    """One verdict about an LEI."""

    code = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    message = serializers.CharField()
    evidence = serializers.DictField()


class LeiReportSerializer(serializers.Serializer[Any]):
    """All verdicts about one LEI; ``record`` and ``successor`` are null where the register has none."""

    lei = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    checks = LeiCheckSerializer(many=True)
    record = serializers.DictField(allow_null=True)
    successor = serializers.CharField(allow_null=True)
    suggestions = serializers.ListField(child=serializers.DictField())
    as_of = serializers.CharField()


class LeiClaim(serializers.Serializer[Any]):
    """An LEI, and what is said of it."""

    lei = serializers.CharField(max_length=100)
    name = serializers.CharField(max_length=500, required=False, allow_null=True)
    jurisdiction = serializers.CharField(max_length=10, required=False, allow_null=True)
    registered_as = serializers.CharField(max_length=200, required=False, allow_null=True)
    registered_at = serializers.CharField(max_length=60, required=False, allow_null=True)
    legal_form = serializers.CharField(max_length=200, required=False, allow_null=True)
    category = serializers.CharField(max_length=40, required=False, allow_null=True)
    parent = serializers.CharField(max_length=500, required=False, allow_null=True)  # type: ignore[assignment]


class LeiCheckRequest(serializers.Serializer[Any]):
    """Up to 100 claims."""

    claims = LeiClaim(many=True, allow_empty=False)

    def validate_claims(self, claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len(claims) > 100:
            raise serializers.ValidationError("at most 100 at a time")
        return claims


def record_document(record: Record) -> dict[str, Any]:
    """A register record in our own words; the register's unabridged item stays out."""
    document = asdict(record)
    document.pop("attributes")
    return document
