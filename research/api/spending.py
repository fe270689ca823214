"""``spending``: what research cost, by day, macro or model."""

from datetime import date, timedelta
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.requests import SpendingRequest, read
from research.api.serializers import Amount
from research.services.spending import BY, By, spending, total


class SumSerializer(serializers.Serializer[Any]):
    """Some calls and their money in US dollars; ``spent`` is null where nobody knows what any of them cost."""

    calls = serializers.IntegerField()
    spent = Amount(allow_null=True)
    possibly_paid = Amount()
    unknown_calls = serializers.IntegerField()


class SpendingRowSerializer(SumSerializer):
    """A sum under one day, macro or model: only one of the three is there."""

    day = serializers.DateField(required=False)
    macro = serializers.CharField(required=False)
    model = serializers.CharField(required=False, help_text="Who answered, according to the provider.")


class SpendingSerializer(serializers.Serializer[Any]):
    """The sums of a time, days in order and everything else the dearest first."""

    by = serializers.ChoiceField(BY)
    to = serializers.DateField()
    total = SumSerializer()
    rows = SpendingRowSerializer(many=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"from": serializers.DateField(), **super().get_fields()}


class Spending(APIView):
    """Sums of what was booked; a run of several parts is counted once."""

    permission_classes = [CanView]
    may_view = "research.view_run"

    @extend_schema(
        parameters=[
            OpenApiParameter("from", date, description="The first day (UTC); without it thirty days back."),
            OpenApiParameter("to", date, description="The last day; without it today."),
            OpenApiParameter("by", enum=BY, default="day"),
        ],
        responses=SpendingSerializer,
    )
    def get(self, request: Request) -> Response:
        """What was spent in a time."""
        asked = read(SpendingRequest, request.query_params.dict())
        return Response(spending_document(asked.get("from"), asked.get("to"), asked["by"]))


def spending_document(first: date | None, last: date | None, by: str) -> dict[str, Any]:
    """What stands in ``SpendingSerializer``. Raises InvalidParameters for a time that is none."""
    last = last or timezone.localdate()
    first = first or last - timedelta(days=29)
    word = cast(By, by)
    return {
        "from": first.isoformat(),
        "to": last.isoformat(),
        "by": word,
        "total": total(first=first, last=last).sums(),
        "rows": [row.as_json(word) for row in spending(by=word, first=first, last=last)],
    }
