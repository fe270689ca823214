"""``entities/{slug}/owners``: who owns an entity, by one rule on one day."""

from datetime import date
from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView, Seen
from entities.api.views import named
from entities.memory.interests import TooManyInterests, read_structure
from entities.memory.people import may_see_people
from entities.ownership.assessment import assess
from entities.ownership.telling import as_json
from entities.ownership.thresholds import threshold, threshold_for, thresholds


class OwnersRequest(serializers.Serializer[Any]):
    """``rule`` is that of the entity's jurisdiction, ``as_of`` today, unless they are given."""

    rule = serializers.ChoiceField(choices=list(thresholds()), required=False)
    as_of = serializers.DateField(required=False)


class Owners(Seen, APIView):
    """Who owns the entity, where each chain ends, and what the answer rests on."""

    permission_classes = [CanView]
    may_view = ("entities.view_entity", "entities.view_relationship")

    @extend_schema(
        parameters=[OpenApiParameter("rule"), OpenApiParameter("as_of", OpenApiTypes.DATE)],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Persons without a name for whoever may not see them; their shares are told."""
        asked = OwnersRequest(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        entity = named(slug)
        day: date = asked.validated_data.get("as_of") or timezone.localdate()
        name = asked.validated_data.get("rule")
        rule = threshold(name) if name else threshold_for(entity.jurisdiction, day)
        try:
            structure = read_structure(entity, day)
        except TooManyInterests as error:
            raise ValidationError({"slug": [str(error)]}) from None
        found = assess(structure, str(entity.pk), rule)
        return Response(as_json(found, people=may_see_people(request.user)))
