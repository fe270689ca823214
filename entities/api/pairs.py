"""``pairs``: entities that may be the same, and what a person says of them."""

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.idempotency import idempotent
from entities.api.permissions import CanView, Seen
from entities.api.serializers import EntitySerializer
from entities.memory import JUDGEMENTS, MergePlan, RefusedWrite, judge_pair, plan_merge, waiting_pairs
from entities.memory.people import may_see_people, seen, without_people
from entities.models import WAITING, Entity, EntityPair

SEE = ("entities.view_entity", "entities.view_entitypair")


class PairSerializer(serializers.ModelSerializer[EntityPair]):
    """Two entities that may be the same: ``score`` is 0 to 100, ``explanation`` says why they are alike."""

    entity = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    other = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    judged_by = serializers.CharField(source="judged_by.username", allow_null=True, default=None)

    class Meta:
        model = EntityPair
        fields = [
            *("id", "entity", "other", "state", "score", "explanation"),
            *("found_at", "found_by", "judged_at", "judged_by"),
        ]


class MergeSerializer(serializers.Serializer[Any]):
    """What happens if the other one goes into ``into``; the digest says that this was seen."""

    into = serializers.SlugField()
    digest = serializers.CharField()
    moves = serializers.DictField(child=serializers.IntegerField())
    conflicts = serializers.ListField(child=serializers.CharField())
    blockers = serializers.ListField(child=serializers.CharField())


class PairDetailSerializer(PairSerializer):
    """A pair with both entities, and for one that waits what either merge would do."""

    entity = EntitySerializer(read_only=True)  # type: ignore[assignment]
    other = EntitySerializer(read_only=True)  # type: ignore[assignment]
    merges = serializers.SerializerMethodField()

    class Meta(PairSerializer.Meta):
        fields = [*PairSerializer.Meta.fields, "merges"]

    @extend_schema_field(MergeSerializer(many=True))
    def get_merges(self, pair: EntityPair) -> Any:
        if pair.state not in WAITING:
            return []
        both = ((pair.other, pair.entity), (pair.entity, pair.other))
        ways = [_merge_document(into, plan_merge(into=into, other=goes)) for into, goes in both]
        return MergeSerializer(ways, many=True).data


class JudgementRequest(serializers.Serializer[Any]):
    """``into`` and ``digest`` are needed for ``same``: which one stays, and the merge that was seen."""

    judgement = serializers.ChoiceField(JUDGEMENTS)
    reason = serializers.CharField(max_length=2_000)
    into = serializers.CharField(max_length=120, required=False, default="", allow_blank=True)
    digest = serializers.CharField(max_length=64, required=False, default="", allow_blank=True)


class PairList(Seen, ListAPIView[EntityPair]):
    """Pairs that wait for a person, the newest first; with ``state`` those of that state."""

    permission_classes = [CanView]
    may_view = SEE
    serializer_class = PairSerializer
    filter_backends: list[Any] = []
    ordering = "-found_at"
    queryset = EntityPair.objects.select_related("entity", "other", "judged_by")

    def get_queryset(self) -> QuerySet[EntityPair]:
        state = self.request.query_params.get("state", "") if "request" in self.__dict__ else ""
        rows = seen(super().get_queryset(), "entity", "other")
        return (
            rows.filter(state=state) if state else rows.filter(pk__in=waiting_pairs().order_by().values("pk"))
        )

    @extend_schema(parameters=[OpenApiParameter("state", enum=EntityPair.State.values)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A page of the queue, or of pairs of one state."""
        return super().get(request, *args, **kwargs)


class PairDetail(Seen, RetrieveAPIView[EntityPair]):
    """One pair with both of its entities."""

    permission_classes = [CanView]
    may_view = SEE
    serializer_class = PairDetailSerializer
    queryset = EntityPair.objects.select_related("entity", "other", "judged_by")

    def get_queryset(self) -> QuerySet[EntityPair]:
        """Those of natural persons need a right of their own."""
        return seen(super().get_queryset(), "entity", "other")


class PairJudgement(APIView):
    """What a person says of a pair."""

    permission_classes = [CanView]
    may_view = SEE

    @extend_schema(request=JudgementRequest, responses=PairDetailSerializer)
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Same, different or later; 409 when somebody else has judged the pair already."""
        rows = PairDetail.queryset.all()
        people = may_see_people(request.user)
        pair = get_object_or_404(rows if people else without_people(rows, "entity", "other"), pk=pk)
        asked = JudgementRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = dict(asked.validated_data)
        slug = wanted.pop("into")
        into = next((one for one in (pair.entity, pair.other) if one.slug == slug), None)
        if slug and into is None:
            raise RefusedWrite(f"{slug} is neither of the two")
        judge_pair(pair=pair, actor=cast(User, request.user), into=into, **wanted)
        return Response(PairDetailSerializer(PairDetail.queryset.all().get(pk=pk)).data)


def _merge_document(into: Entity, plan: MergePlan) -> dict[str, Any]:
    return {
        "into": into.slug,
        "digest": plan.digest,
        "moves": plan.counts,
        "conflicts": plan.conflicts,
        "blockers": plan.blockers,
    }
