"""``entities`` and ``leis``: reading entity memory, and asking the LEI register."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.filters import EntityFilter, EventFilter, FormFilter, RelatedFilter
from entities.api.permissions import CanView, Seen
from entities.api.serializers import (
    EntityDetailSerializer,
    EntitySerializer,
    EventSerializer,
    FindingsSerializer,
    FreshnessRequest,
    FreshnessSerializer,
    LeiCheckRequest,
    LeiFoundSerializer,
    LeiReportSerializer,
    LeiSearchRequest,
    RelationshipSerializer,
    RepresentationSerializer,
    ResolutionSerializer,
    ResolveRequest,
    record_document,
)
from entities.gleif.checking import check_claims
from entities.gleif.claims import Claim
from entities.gleif.finding import find_by_name
from entities.gleif.register import open_register
from entities.lei import check_format, normalise
from entities.memory import (
    by_slug,
    check_research_freshness,
    relationships_of,
    resolve,
    timeline_of,
)
from entities.memory.people import seen
from entities.models import Entity, EntityEvent, EntityResearch, Relationship, Representation


class EntityList(Seen, ListAPIView[Entity]):
    """Entity memory, newest first."""

    permission_classes = [CanView]
    may_view = "entities.view_entity"
    serializer_class = EntitySerializer
    filterset_class = EntityFilter
    queryset = Entity.objects.select_related("merged_into")

    def get_queryset(self) -> QuerySet[Entity]:
        """Without natural persons, for whoever may not see them."""
        return seen(super().get_queryset(), "")


class EntityDetail(Seen, RetrieveAPIView[Entity]):
    """One entity with its forms and relationships. A former slug, and one that was merged, give the one that stays."""

    permission_classes = [CanView]
    may_view = "entities.view_entity"
    serializer_class = EntityDetailSerializer
    queryset = Entity.objects.select_related("merged_into")

    def get_object(self) -> Entity:
        """404 only for a slug that no entity has or had."""
        return get_object_or_404(self.get_queryset(), pk=named(self.kwargs["slug"]).pk)


class PartList(Seen, ListAPIView[Any]):
    """Rows that belong to the entity named in the path."""

    permission_classes = [CanView]

    def get_queryset(self) -> QuerySet[Any]:
        rows = super().get_queryset()
        if "slug" not in self.kwargs:  # the schema is being drawn
            return rows
        return self.rows_of(named(self.kwargs["slug"]))

    def rows_of(self, entity: Entity) -> QuerySet[Any]:
        return super().get_queryset().filter(entity=entity)


class Timeline(PartList):
    """What happened to the entity and what it was mentioned in, newest first."""

    may_view = "entities.view_entityevent"
    serializer_class = EventSerializer
    filterset_class = EventFilter
    queryset = EntityEvent.objects.all()
    ordering = "-at"

    def rows_of(self, entity: Entity) -> QuerySet[Any]:
        return timeline_of(entity).select_related("entity").prefetch_related("related")


class Representations(PartList):
    """The entity's concrete forms, newest first."""

    may_view = "entities.view_representation"
    serializer_class = RepresentationSerializer
    filterset_class = FormFilter
    queryset = Representation.objects.all()
    ordering = "-discovered_at"


class Related(PartList):
    """Who the entity is related to, from either side, newest first."""

    may_view = "entities.view_relationship"
    serializer_class = RelationshipSerializer
    filterset_class = RelatedFilter
    queryset = Relationship.objects.all()

    def rows_of(self, entity: Entity) -> QuerySet[Any]:
        return relationships_of(entity, current_only=False)


class Research(PartList):
    """What was found out about the entity, newest first."""

    may_view = "entities.view_entityresearch"
    serializer_class = FindingsSerializer
    filter_backends: list[Any] = []
    queryset = EntityResearch.objects.all()
    ordering = "-at"


class Freshness(Seen, APIView):
    """Whether what is stored about the entity may still be used."""

    permission_classes = [CanView]
    may_view = "entities.view_entityresearch"

    @extend_schema(parameters=[FreshnessRequest], responses=FreshnessSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Younger than ``max_age``, not expired, and not invalidated."""
        asked = FreshnessRequest(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        max_age = timedelta(seconds=asked.validated_data["max_age"])
        found = check_research_freshness(entity=named(slug), max_age=max_age)
        there = found.research is not None
        document = {
            "exists": there,
            "fresh": found.fresh,
            "age": found.age.total_seconds() if there else None,
            "expires_at": found.research.expires_at if found.research else None,
            "expires_in": found.expires_in.total_seconds() if there else None,
            "message": found.message,
        }
        return Response(FreshnessSerializer(document).data)


class Resolve(Seen, APIView):
    """Which entity does a text mean? Several are candidates; none is picked silently."""

    permission_classes = [CanView]
    may_view = "entities.view_entity"
    reading_methods = ("GET", "HEAD", "OPTIONS", "POST")

    @extend_schema(parameters=[OpenApiParameter("text", required=True)], responses=ResolutionSerializer)
    def get(self, request: Request) -> Response:
        """Resolve the text in the query string."""
        return _resolved(request.query_params.dict())

    @extend_schema(request=ResolveRequest, responses=ResolutionSerializer)
    def post(self, request: Request) -> Response:
        """Resolve the text in the body."""
        return _resolved(request.data)


class LeiRecord(APIView):
    """A record of the LEI register, and whether it may be relied on."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[OpenApiParameter("name"), OpenApiParameter("jurisdiction")],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, lei: str) -> Response:
        """What the register says now; 404 only when the register itself says so.

        ``check`` is the report that ``leis/check`` gives for the LEI with the name and the jurisdiction stated here.
        """
        shape = check_format(normalise(lei))
        if not shape.ok:
            raise ValidationError({"lei": [shape.message]})
        register = open_register(settings.DOSSIER_REGISTER)
        record = register.record(shape.lei)
        stated = (request.query_params.get(key) for key in ("name", "jurisdiction"))
        [report] = check_claims([Claim(lei, *stated)], register=register)
        shown = {"register": register.name, "as_of": register.as_of, "check": report.as_json()}
        return Response({**record_document(record), **shown})


class LeiSearch(APIView):
    """The LEI register by name."""

    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="leis_search", parameters=[LeiSearchRequest], responses=LeiFoundSerializer)
    def get(self, request: Request) -> Response:
        """Candidates, the best first, and whether it is clear who is meant: one, several or none."""
        asked = LeiSearchRequest(data=request.query_params)
        asked.is_valid(raise_exception=True)
        register = open_register(settings.DOSSIER_REGISTER)
        return Response(find_by_name(register=register, **asked.validated_data).as_json())


class LeiCheck(APIView):
    """Verification of LEIs against the register."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=LeiCheckRequest, responses=LeiReportSerializer(many=True))
    def post(self, request: Request) -> Response:
        """Every verdict about every claim, in order."""
        body = LeiCheckRequest(data=request.data)
        body.is_valid(raise_exception=True)
        claims = [Claim(**claim) for claim in body.validated_data["claims"]]
        return Response([report.as_json() for report in check_claims(claims)])


def named(slug: str) -> Entity:
    found = by_slug(slug)
    if found is None:
        raise Http404(f"There is no entity with the slug {slug[:120]!r}.")
    return found


def _resolved(data: Any) -> Response:
    body = ResolveRequest(data=data)
    body.is_valid(raise_exception=True)
    return Response(ResolutionSerializer(resolve(body.validated_data["text"])).data)
