"""Anomalies by REST: the list, one of them, taking it, deciding it."""

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.idempotency import idempotent
from entities.api.permissions import CanView, Seen
from entities.api.writes import Body
from entities.memory.access import MAX_REASON
from entities.memory.people import may_see_people, seen, without_people
from entities.models import Anomaly, AnomalyAct, Entity
from entities.services.anomalies import assign_anomaly, decide_anomaly

VIEW = "entities.view_anomaly"


class AnomalyActSerializer(serializers.ModelSerializer[AnomalyAct]):
    """What happened to an anomaly; ``actor`` is null where Dossier did it by itself."""

    actor = serializers.SlugRelatedField[User](slug_field="username", read_only=True, allow_null=True)

    class Meta:
        model = AnomalyAct
        fields = ["kind", "actor", "reason", "evidence", "at"]


class AnomalySerializer(serializers.ModelSerializer[Anomaly]):
    """One thing that looks wrong about an entity; ``digest`` is that of its evidence."""

    entity = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    assigned_to = serializers.SlugRelatedField[User](slug_field="username", read_only=True, allow_null=True)

    class Meta:
        model = Anomaly
        fields = [
            *("id", "kind", "entity", "matter", "summary", "evidence", "digest", "state", "assigned_to"),
            *("found_at", "seen_at"),
        ]


class AnomalyDetailSerializer(AnomalySerializer):
    """With what happened to it, the newest first."""

    acts = AnomalyActSerializer(many=True, read_only=True)

    class Meta(AnomalySerializer.Meta):
        fields = [*AnomalySerializer.Meta.fields, "acts"]


class AnomalyDecisionRequest(Body):
    """``digest`` is that of the evidence on which the decision rests."""

    reason = serializers.CharField(max_length=MAX_REASON)
    digest = serializers.CharField(max_length=64)


class AnomalyList(Seen, ListAPIView[Anomaly]):
    """Anomalies, the newest first."""

    permission_classes = [CanView]
    may_view = VIEW
    serializer_class = AnomalySerializer
    filterset_fields = ["state", "kind"]
    queryset = Anomaly.objects.select_related("entity", "assigned_to")
    ordering = "-found_at"

    def get_queryset(self) -> QuerySet[Anomaly]:
        """Those of natural persons need a right of their own."""
        return seen(super().get_queryset(), "entity")


class AnomalyDetail(Seen, RetrieveAPIView[Anomaly]):
    """One anomaly with what happened to it."""

    permission_classes = [CanView]
    may_view = VIEW
    serializer_class = AnomalyDetailSerializer
    queryset = Anomaly.objects.select_related("entity", "assigned_to").prefetch_related("acts__actor")

    def get_queryset(self) -> QuerySet[Anomaly]:
        """Those of natural persons need a right of their own."""
        return seen(super().get_queryset(), "entity")


class AnomalyAssignment(APIView):
    """Who looks at an anomaly."""

    permission_classes = [CanView]
    may_view = VIEW

    @extend_schema(request=None, responses=AnomalySerializer)
    def put(self, request: Request, pk: UUID) -> Response:
        """Take it: you look at it."""
        return self._assigned(request, pk, cast(User, request.user))

    @extend_schema(request=None, responses={200: AnomalySerializer})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Give it back: nobody looks at it."""
        return self._assigned(request, pk, None)

    def _assigned(self, request: Request, pk: UUID, to: User | None) -> Response:
        row = _shown(request, pk)
        done = assign_anomaly(anomaly=row, actor=cast(User, request.user), to=to)
        return Response(AnomalySerializer(done).data)


class AnomalyDecision(APIView):
    """The decision about an anomaly."""

    permission_classes = [CanView]
    may_view = VIEW

    @extend_schema(request=AnomalyDecisionRequest, responses=AnomalySerializer)
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Close it with a reason. It is open again if its evidence changes."""
        body = AnomalyDecisionRequest(data=request.data)
        body.is_valid(raise_exception=True)
        asked: dict[str, Any] = dict(body.validated_data)
        row = _shown(request, pk)
        done = decide_anomaly(anomaly=row, actor=cast(User, request.user), **asked)
        return Response(AnomalySerializer(done).data)


def _shown(request: Request, pk: UUID) -> Anomaly:
    rows = Anomaly.objects.all()
    return get_object_or_404(rows if may_see_people(request.user) else without_people(rows, "entity"), pk=pk)
