"""``sessions`` and ``sessions/{id}``."""

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from entities.api.permissions import CanView
from research.api.filters import SessionFilter
from research.api.idempotency import idempotent
from research.api.people import person
from research.api.requests import SessionRequest, read
from research.api.serializers import SessionDetailSerializer, SessionSerializer
from research.models import ResearchSession
from research.services.sessions import open_session

SESSIONS = ResearchSession.objects.select_related("created_by")


class SessionList(ListAPIView[ResearchSession]):
    """The sessions, newest first."""

    permission_classes = [CanView]
    may_view = "research.view_researchsession"
    serializer_class = SessionSerializer
    filterset_class = SessionFilter
    queryset = SESSIONS

    @extend_schema(request=SessionRequest, responses={201: SessionSerializer})
    @idempotent
    def post(self, request: Request) -> Response:
        """Open a session."""
        session = open_session(actor=person(request), **read(SessionRequest, request.data))
        location = reverse("api-session", args=[session.pk])
        return Response(
            SessionSerializer(session).data, status.HTTP_201_CREATED, headers={"Location": location}
        )


class SessionDetail(RetrieveAPIView[ResearchSession]):
    """A session with its runs and results, newest first."""

    permission_classes = [CanView]
    may_view = ("research.view_researchsession", "research.view_run", "research.view_researchresult")
    serializer_class = SessionDetailSerializer
    queryset = SESSIONS.prefetch_related("runs__macro", "runs__requested_by", "results__run__macro")
