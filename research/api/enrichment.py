"""``entities/enrich``: bringing what memory knows of entities up to date."""

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.idempotency import idempotent
from research.api.people import person
from research.api.requests import Body, EnrichRequest, read
from research.api.serializers import RunDetailSerializer
from research.models.states import Trigger
from research.services.enrichment import enrich


class EnrichedEntry(Body):
    """What memory has for one identifier; ``status`` is fresh, ambiguous, duplicate or queued."""

    identifier = serializers.CharField()
    status = serializers.CharField()
    kind = serializers.CharField()
    entity = serializers.CharField(allow_null=True)
    candidates = serializers.ListField(child=serializers.DictField())
    research = serializers.DictField(allow_null=True)
    of = serializers.CharField(required=False)


class EnrichAnswer(Body):
    """The run that researches what is queued, if anything is."""

    run = RunDetailSerializer(allow_null=True)
    entities = EnrichedEntry(many=True)


class Enrich(APIView):
    permission_classes = [CanView]
    may_view = "entities.view_entityresearch"
    reading_methods = ("GET", "HEAD", "OPTIONS", "POST")  # it tells what memory holds

    @extend_schema(
        request=EnrichRequest,
        responses={200: EnrichAnswer, 202: EnrichAnswer},
        operation_id="entities_enrich",
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Tell what is fresh and research the rest: 202 with a run to follow at ``Location``, 200 without one."""
        body = read(EnrichRequest, request.data)
        done = enrich(**body, trigger=Trigger.API.value, requested_by=person(request))
        answer = {"run": RunDetailSerializer(done.run).data if done.run else None, "entities": done.entries}
        if done.run is None:
            return Response(answer)
        location = reverse("api-run", args=[done.run.pk])
        return Response(answer, status.HTTP_202_ACCEPTED, headers={"Location": location})
