"""What REST and ``--json`` show of entity memory."""

from dataclasses import asdict
from typing import Any, get_args

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from entities.gleif.finding import Code, Kind
from entities.gleif.records import Record
from entities.memory import MAX_NAME, Likeness, Resolution, relationships_of
from entities.memory.queries import Direction
from entities.models import Entity, EntityEvent, EntityResearch, Relationship, Representation

SHOWN = 100
VERDICTS = [("pass", "Pass"), ("warn", "Warn"), ("fail", "Fail"), ("unknown", "Unknown")]


LIST_OF_OBJECTS = {"type": "array", "items": {"type": "object", "additionalProperties": {}}}
"""The schema of an answer that is no page: all there is, at once."""


class EntitySerializer(serializers.ModelSerializer[Entity]):
    """An entity in a list. ``tags`` say ``pending-verification`` of one that is kept apart from what it looks like."""

    tags = serializers.ListField(child=serializers.CharField(), read_only=True)
    merged_into = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True, allow_null=True)

    class Meta:
        model = Entity
        fields = [
            *("id", "slug", "name", "symbol", "type", "lei", "jurisdiction", "aliases", "tags"),
            *(
                "verified",
                "verified_by",
                "verified_at",
                "merged_into",
                "metadata",
                "created_at",
                "updated_at",
            ),
        ]


class RepresentationSerializer(serializers.ModelSerializer[Representation]):
    """One concrete form of an entity; ``authority`` is its register, court, venue or protocol."""

    class Meta:
        model = Representation
        fields = [
            *("id", "type", "authority", "chain", "key", "context", "active"),
            *("discovered_at", "last_seen_at"),
        ]


class RelationshipSerializer(serializers.ModelSerializer[Relationship]):
    """A directed fact: ``subject`` is consolidated by, managed by, owned by ... ``object``."""

    subject = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    object = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)

    class Meta:
        model = Relationship
        fields = ["subject", "type", "object", "percentage", "source", "valid_from", "valid_to", "metadata"]


class CountsSerializer(serializers.Serializer[Any]):
    """How many rows there are in all; those of the entity itself are cut at 100."""

    representations = serializers.IntegerField()
    relationships = serializers.IntegerField()
    related_from = serializers.IntegerField()


class EntityDetailSerializer(EntitySerializer):
    """An entity with its forms and its relationships in both directions: the first hundred of each."""

    representations = serializers.SerializerMethodField()
    relationships = serializers.SerializerMethodField()
    related_from = serializers.SerializerMethodField()
    counts = serializers.SerializerMethodField()

    class Meta(EntitySerializer.Meta):
        fields = [*EntitySerializer.Meta.fields, "representations", "relationships", "related_from", "counts"]

    @extend_schema_field(RepresentationSerializer(many=True))
    def get_representations(self, entity: Entity) -> Any:
        rows = Representation.objects.filter(entity=entity).order_by("-active", "type", "key")
        return RepresentationSerializer(rows[:SHOWN], many=True).data

    @extend_schema_field(RelationshipSerializer(many=True))
    def get_relationships(self, entity: Entity) -> Any:
        return _links(_related(entity, "out"))

    @extend_schema_field(RelationshipSerializer(many=True))
    def get_related_from(self, entity: Entity) -> Any:
        return _links(_related(entity, "in"))

    @extend_schema_field(CountsSerializer)
    def get_counts(self, entity: Entity) -> dict[str, int]:
        return {
            "representations": Representation.objects.filter(entity=entity).count(),
            "relationships": _related(entity, "out").count(),
            "related_from": _related(entity, "in").count(),
        }


def _related(entity: Entity, direction: Direction) -> QuerySet[Relationship]:
    return relationships_of(entity, direction=direction, current_only=False)


def _links(rows: QuerySet[Relationship]) -> Any:
    newest = rows.select_related("subject", "object").order_by("-created_at", "-id")
    return RelationshipSerializer(newest[:SHOWN], many=True).data


class EventSerializer(serializers.ModelSerializer[EntityEvent]):
    """One entry of a timeline; ``entity`` is the one on whose timeline it stands, ``related`` whom else it is about."""

    entity = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    related = serializers.SlugRelatedField[Entity](slug_field="slug", many=True, read_only=True)

    class Meta:
        model = EntityEvent
        fields = [
            *("id", "at", "type", "summary", "data", "source", "source_type", "confidence", "importance"),
            *("entity", "related"),
        ]


class FindingsSerializer(serializers.ModelSerializer[EntityResearch]):
    """Findings with their time to live; ``completeness`` is the per cent of the sources that answered."""

    completeness = serializers.IntegerField(read_only=True)

    class Meta:
        model = EntityResearch
        fields = [
            *("at", "ttl", "expires_at", "findings", "sources", "confidence", "completeness", "reference"),
            *("invalidated_at", "invalidated_why"),
        ]


class FreshnessSerializer(serializers.Serializer[Any]):
    """Whether the newest findings may still be used. ``age`` and ``expires_in`` are seconds."""

    exists = serializers.BooleanField()
    fresh = serializers.BooleanField()
    age = serializers.FloatField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    expires_in = serializers.FloatField(allow_null=True)
    message = serializers.CharField(allow_blank=True)


class FreshnessRequest(serializers.Serializer[Any]):
    """How old findings may be at most, in seconds."""

    max_age = serializers.FloatField(min_value=0, max_value=10**10, default=3600)


class LikenessSerializer(serializers.Serializer[Likeness]):
    """How like an entity's name is, 0 to 100, and which of its names was compared and why it is alike."""

    slug = serializers.SlugField(source="entity.slug")
    score = serializers.FloatField()
    explanation = serializers.CharField()


class ResolutionSerializer(serializers.Serializer[Resolution]):
    """The one entity meant, or the candidates when several could be; ``how`` names the key that decided.

    ``lookalikes`` share the name or symbol that decided and are kept apart until a person has verified them.
    """

    entity = EntitySerializer(allow_null=True)
    candidates = EntitySerializer(many=True)
    how = serializers.CharField()
    representation = RepresentationSerializer(allow_null=True)
    lookalikes = EntitySerializer(many=True)
    alike = LikenessSerializer(many=True)
    message = serializers.CharField()


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


class LeiSearchRequest(serializers.Serializer[Any]):
    """A name, and what the record must be besides."""

    name = serializers.CharField(max_length=20_000)
    jurisdiction = serializers.CharField(max_length=100, required=False)
    category = serializers.CharField(max_length=40, required=False)
    status = serializers.CharField(max_length=40, required=False)
    limit = serializers.IntegerField(min_value=1, max_value=100, default=10)


class LeiFoundSerializer(serializers.Serializer[Any]):
    """Who may be meant by a name; ``leis`` are the one, or those that the name does not tell apart."""

    query = serializers.CharField()
    outcome = serializers.ChoiceField(get_args(Kind))
    reason = serializers.ChoiceField(get_args(Code))
    message = serializers.CharField()
    leis = serializers.ListField(child=serializers.CharField())
    candidates = serializers.ListField(child=serializers.DictField())
    as_of = serializers.CharField()


MAX_CLAIM = 500


def _stated() -> Any:
    """What may be said beside an LEI; an empty text says nothing."""
    return serializers.CharField(max_length=MAX_CLAIM, required=False, allow_null=True, allow_blank=True)


class LeiClaim(serializers.Serializer[Any]):
    """An LEI, and what is said of it: the place and the form as codes or in words."""

    lei = serializers.CharField(max_length=100)
    name = _stated()
    jurisdiction = _stated()
    registered_as = _stated()
    registered_at = _stated()
    legal_form = _stated()
    category = _stated()
    parent = _stated()


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
