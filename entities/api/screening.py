"""``screening``: which lists there are, who on them is like a name or an entity, and what hits are."""

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.idempotency import idempotent
from entities.api.permissions import CanView, Seen
from entities.api.serializers import LIST_OF_OBJECTS
from entities.api.views import PartList, named
from entities.memory.people import may_see_people, seen, without_people
from entities.models import Entity, HitVerdict, ListVersion, ScreeningDecision, ScreeningHit, ScreeningRun
from entities.screening.coverage import coverage
from entities.screening.looking import current_policy, screen
from entities.screening.subject import make_subject
from entities.services.screening import RUN, decide_hit, require, screen_entity


class VersionSerializer(serializers.ModelSerializer[ListVersion]):
    """One file of a list: its digest, the day it was published, and what it changed."""

    list = serializers.CharField(source="list_name")

    class Meta:
        model = ListVersion
        fields = [
            *("id", "list", "state", "source", "digest", "size", "published", "counts", "left_out", "error"),
            *("started_at", "finished_at", "confirmed_at"),
        ]


class HitDecisionSerializer(serializers.ModelSerializer[ScreeningDecision]):
    """What a person said of a hit, why, and what it rests on."""

    actor = serializers.CharField(source="actor.username")

    class Meta:
        model = ScreeningDecision
        fields = ["id", "hit", "revision", "verdict", "reason", "basis", "actor", "at"]


class HitSerializer(serializers.ModelSerializer[ScreeningHit]):
    """An entity that is like an entry of a list, and why."""

    entity = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)

    class Meta:
        model = ScreeningHit
        fields = [
            *("id", "entity", "source", "key", "name", "score", "state", "standing", "note", "revision"),
            *("evidence", "subject", "entry", "subject_digest", "entry_digest", "found_at", "changed_at"),
        ]


class HitDetailSerializer(HitSerializer):
    """A hit with all decisions about it, the newest first."""

    decisions = HitDecisionSerializer(many=True, read_only=True)

    class Meta(HitSerializer.Meta):
        fields = [*HitSerializer.Meta.fields, "decisions"]


class ScreeningSerializer(serializers.ModelSerializer[ScreeningRun]):
    """A screening: which lists were looked at, and what came of it."""

    entity = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True, allow_null=True)

    class Meta:
        model = ScreeningRun
        fields = [
            *("id", "entity", "state", "outcome", "counts", "coverage", "algorithm", "policy"),
            *("started_at", "finished_at"),
        ]


class ScreenRequest(serializers.Serializer[Any]):
    """Who is meant: a name, and what is known beside it."""

    name = serializers.CharField(max_length=500)
    kind = serializers.ChoiceField(["person", "entity"], required=False, default="")
    birth = serializers.CharField(max_length=40, required=False, default="")
    country = serializers.CharField(max_length=60, required=False, default="")


class DecisionRequest(serializers.Serializer[Any]):
    """``revision`` is that of the hit as it was looked at."""

    revision = serializers.IntegerField(min_value=1)
    verdict = serializers.ChoiceField(HitVerdict.choices)
    reason = serializers.CharField(max_length=2_000)


class ListsView(APIView):
    """The official lists that the policy names."""

    permission_classes = [CanView]
    may_view = "entities.view_listversion"

    @extend_schema(responses={200: LIST_OF_OBJECTS})
    def get(self, request: Request) -> Response:
        """Whether each is imported and current, of which day, and with which digest."""
        return Response(list_documents())


class ScreenName(APIView):
    """Screen a name."""

    permission_classes = [CanView]
    may_view = "entities.view_screeninghit"

    @extend_schema(
        parameters=[
            OpenApiParameter("name", required=True),
            *(OpenApiParameter(name) for name in ("kind", "birth", "country")),
        ],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request) -> Response:
        """Who on the lists is like the name, and which lists were looked at. Writes nothing."""
        asked = ScreenRequest(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        told = asked.validated_data
        try:
            subject = make_subject(
                names=[told["name"]], kind=told["kind"], births=[told["birth"]], countries=[told["country"]]
            )
        except ValueError as error:
            raise ValidationError({"birth": [str(error)]}) from None
        return Response(screen(subject).as_json())


class EntityScreenings(PartList):
    """Screenings of the entity named in the path, newest first."""

    may_view = "entities.view_screeninghit"
    serializer_class = ScreeningSerializer
    queryset = ScreeningRun.objects.select_related("entity")
    ordering = "-id"

    @extend_schema(request=None, responses={201: OpenApiTypes.OBJECT})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Screen the entity now and record what is found."""
        by = require(cast(User, request.user), RUN)
        run, screened = screen_entity(entity=named(slug), by=by)
        document = {**ScreeningSerializer(run).data, **screened.as_json()}
        return Response(document, status=status.HTTP_201_CREATED)


class HitList(Seen, ListAPIView[ScreeningHit]):
    """All hits, the likest first; those that were decided count as well."""

    permission_classes = [CanView]
    may_view = "entities.view_screeninghit"
    serializer_class = HitSerializer
    filterset_fields = ["state", "standing", "source", "entity__slug"]
    queryset = ScreeningHit.objects.select_related("entity")
    ordering = "-found_at"

    def get_queryset(self) -> QuerySet[ScreeningHit]:
        """Those of natural persons need a right of their own."""
        return seen(super().get_queryset(), "entity")


class HitDetail(Seen, RetrieveAPIView[ScreeningHit]):
    """One hit with the decisions about it."""

    permission_classes = [CanView]
    may_view = "entities.view_screeninghit"
    serializer_class = HitDetailSerializer
    queryset = ScreeningHit.objects.select_related("entity").prefetch_related("decisions__actor")

    def get_queryset(self) -> QuerySet[ScreeningHit]:
        """Those of natural persons need a right of their own."""
        return seen(super().get_queryset(), "entity")


class HitDecision(APIView):
    """Decide a hit."""

    permission_classes = [CanView]
    may_view = "entities.view_screeninghit"

    @extend_schema(request=DecisionRequest, responses={201: HitDecisionSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Say what it is; refused when it has changed since ``revision``."""
        asked = DecisionRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        rows = ScreeningHit.objects.all()
        shown = rows if may_see_people(request.user) else without_people(rows, "entity")
        hit = get_object_or_404(shown, pk=pk)
        decision = decide_hit(hit=hit, by=cast(User, request.user), **asked.validated_data)
        return Response(HitDecisionSerializer(decision).data, status=status.HTTP_201_CREATED)


def list_documents() -> list[dict[str, Any]]:
    """The lists as JSON, each as it stands now."""
    looked = coverage(current_policy(), timezone.now())
    return [{"list": one.source, **one.as_json(), "told": one.told} for one in looked]
