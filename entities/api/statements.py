"""``facts``, ``statements`` and ``reasons``: what was known of an entity on a day, ever, and why it is believed."""

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.filters import Truth
from entities.api.permissions import CanView, Seen
from entities.api.views import PartList, named
from entities.memory import Knowledge, end_of, history_of, knowledge_of
from entities.memory.people import seen
from entities.memory.wording import period_of, property_of, share_of, source_of, value_of
from entities.models import Entity, Statement
from entities.reasons import reasons_for

CAN_VIEW = "entities.view_statement"


class StatementSerializer(serializers.ModelSerializer[Statement]):
    """What one source said of ``subject``. Periods are half-open: the last day does not belong to them.

    ``says`` is all of it in words. ``share`` is an interval in per cent; an exact share has two equal ends.
    """

    subject = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    object = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True, allow_null=True)
    share = serializers.SerializerMethodField()
    says = serializers.SerializerMethodField()

    class Meta:
        model = Statement
        fields = [
            *("id", "subject", "property", "key", "value", "object", "data", "share", "says"),
            *("valid_from", "valid_from_precision", "valid_to", "valid_to_precision"),
            *("recorded_from", "recorded_to", "source_kind", "source", "as_of", "document"),
            *("call", "decision", "signed_by", "confidence", "superseded_by", "cut_by", "contradicts"),
        ]

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_share(self, row: Statement) -> dict[str, Any] | None:
        if row.share_low is None:
            return None
        return {
            "low": str(row.share_low),
            "high": str(row.share_high),
            "low_open": row.share_low_open,
            "high_open": row.share_high_open,
            "text": share_of(row),
        }

    @extend_schema_field(serializers.DictField(child=serializers.CharField()))
    def get_says(self, row: Statement) -> dict[str, str]:
        return {
            "property": property_of(row),
            "value": value_of(row)[:2_000],
            "when": period_of(row),
            "source": source_of(row),
        }


class FactsRequest(serializers.Serializer[Any]):
    """The day asked about, by default today, and the day or moment at which it was known, by default now."""

    as_of = serializers.DateField(required=False)
    known_at = serializers.CharField(
        required=False, max_length=40, help_text="A day, all of it, or a moment."
    )
    direction = serializers.ChoiceField(choices=["out", "in", "both"], default="out")

    def validate_known_at(self, text: str) -> Any:
        """A day means all of it."""
        if len(text) == 10:
            return end_of(serializers.DateField().to_internal_value(text))
        return serializers.DateTimeField().to_internal_value(text)


class ToldSerializer(StatementSerializer):
    """A statement that holds; ``contradicted`` by another one that holds too."""

    contradicted = serializers.BooleanField()

    class Meta(StatementSerializer.Meta):
        fields = [*StatementSerializer.Meta.fields, "contradicted"]


class FactsSerializer(serializers.Serializer[Any]):
    """What held on the day ``as_of`` as it was known at ``known_at``; ``left_out`` counts what is beyond the limit."""

    entity = serializers.CharField()
    as_of = serializers.DateField()
    known_at = serializers.DateTimeField()
    left_out = serializers.IntegerField()
    facts = ToldSerializer(many=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """One link of the chain from a value to what stands behind it."""

    kind = serializers.CharField()
    text = serializers.CharField()
    at = serializers.DateTimeField(allow_null=True)
    who = serializers.CharField()
    path = serializers.CharField()
    address = serializers.CharField()
    quote = serializers.CharField()
    verdict = serializers.CharField()


class StatementFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter is untyped
    """Statements by property, and whether they are still believed."""

    current = Truth(field_name="recorded_to", lookup_expr="isnull")

    class Meta:
        model = Statement
        fields = ["property"]


class Facts(Seen, APIView):
    """What memory knew of the entity."""

    permission_classes = [CanView]
    may_view = CAN_VIEW

    @extend_schema(parameters=[FactsRequest], responses=FactsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """What held on a day, as it was known at a time."""
        asked = FactsRequest(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        known = knowledge_of(
            named(slug),
            day=given.get("as_of"),
            known_at=given.get("known_at"),
            direction=given["direction"],
        )
        return Response(facts_document(known))


class Statements(PartList):
    """Everything that was ever said of the entity, newest first."""

    may_view = CAN_VIEW
    serializer_class = StatementSerializer
    filterset_class = StatementFilter
    queryset = Statement.objects.all()
    ordering = "-recorded_from"

    def rows_of(self, entity: Entity) -> QuerySet[Any]:
        return history_of(entity)


class Reasons(Seen, APIView):
    """Why a statement is believed."""

    permission_classes = [CanView]
    may_view = CAN_VIEW

    @extend_schema(responses=ReasonSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """From the statement to its source, verb call, decision, checks and quotes, and to the archived page."""
        rows = seen(Statement.objects.select_related("subject", "object"), "subject", "object")
        row = get_object_or_404(rows, pk=pk)
        return Response([reason.as_json() for reason in reasons_for(row, request.user.has_perm)])


def facts_document(known: Knowledge) -> dict[str, Any]:
    """What REST, ``--json`` and the tools tell of what was known."""
    facts = [
        {**StatementSerializer(told.statement).data, "contradicted": told.contradicted}
        for told in known.facts
    ]
    return {
        "entity": known.entity.slug,
        "as_of": known.day.isoformat(),
        "known_at": known.known_at.isoformat(),
        "left_out": known.left_out,
        "facts": facts,
    }
