"""``watches``: what is kept fresh, and looking again now."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.idempotency import idempotent
from research.api.people import person
from research.api.requests import EmptyBody, WatchRequest, read
from research.api.runs import accepted
from research.api.serializers import RunDetailSerializer, WatchSerializer
from research.models import Watch
from research.services.watches import refresh, steer

WATCHES = Watch.objects.select_related("decision__result__run__macro")


class WatchList(ListAPIView[Watch]):
    """The questions that are kept answered, what is due first."""

    permission_classes = [CanView]
    may_view = "research.view_watch"
    serializer_class = WatchSerializer
    queryset = WATCHES
    filterset_fields = ("state", "macro_name")
    ordering = "due_at"


class WatchDetail(APIView):
    """One of them."""

    permission_classes = [CanView]
    may_view = "research.view_watch"

    @extend_schema(responses=WatchSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """What was approved, until when it is fresh, and how looking again went."""
        return Response(WatchSerializer(get_object_or_404(WATCHES, pk=pk)).data)

    @extend_schema(request=WatchRequest, responses=WatchSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Change how often and how eagerly it is looked at again, pause it, or let it go on."""
        body = read(WatchRequest, request.data)
        watch = steer(watch=get_object_or_404(WATCHES, pk=pk), actor=person(request), **body)
        return Response(WatchSerializer(watch).data)


class RefreshWatch(APIView):
    """Looking again now."""

    permission_classes = [CanView]
    may_view = "research.view_watch"

    @extend_schema(request=EmptyBody, responses={202: RunDetailSerializer})
    @idempotent
    def post(self, request: Request, pk: int) -> Response:
        """Ask the question again now; follow the run at ``Location``."""
        read(EmptyBody, request.data)
        return accepted(refresh(watch=get_object_or_404(WATCHES, pk=pk), actor=person(request)))
