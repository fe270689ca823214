"""``runs``: starting research and following it."""

from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.filters import RunFilter
from research.api.idempotency import idempotent
from research.api.people import person
from research.api.requests import ConfirmRequest, EmptyBody, RunRequest, read
from research.api.serializers import RunDetailSerializer, RunSerializer, StepSerializer
from research.models import Run, Step
from research.models.states import Trigger
from research.services.runs import cancel_run, confirm_checkpoint, finish_run, resume_run, start_run
from research.services.sessions import find_session
from research.services.spending import with_calls

RUNS = with_calls(Run.objects.select_related("macro", "subject", "requested_by", "result"))


class RunList(ListAPIView[Run]):
    """The runs, newest first."""

    permission_classes = [CanView]
    may_view = "research.view_run"
    serializer_class = RunSerializer
    filterset_class = RunFilter
    queryset = RUNS

    @extend_schema(request=RunRequest, responses={202: RunDetailSerializer})
    @idempotent
    def post(self, request: Request) -> Response:
        """Start a run; follow it at ``Location``."""
        body = read(RunRequest, request.data)
        session = body.pop("session", None)
        run = start_run(
            **body,
            session=find_session(str(session)) if session else None,
            trigger=Trigger.API.value,
            requested_by=person(request),
        )
        return accepted(run)


class RunDetail(RetrieveAPIView[Run]):
    """One run: how far it is, and what became of it."""

    permission_classes = [CanView]
    may_view = "research.view_run"
    serializer_class = RunDetailSerializer
    queryset = RUNS


class RunSteps(ListAPIView[Step]):
    """The journal of a run, in order."""

    permission_classes = [CanView]
    may_view = "research.view_step"
    serializer_class = StepSerializer
    queryset = Step.objects.all()
    filter_backends = []
    ordering = "seq"

    def get_queryset(self) -> QuerySet[Step]:
        if "pk" not in self.kwargs:  # the schema is being drawn
            return Step.objects.none()
        return Step.objects.filter(run=get_object_or_404(Run, pk=self.kwargs["pk"]))


class RunAction(APIView):
    """Something a person does to a run; the service decides whether it may be done."""

    permission_classes = [CanView]
    may_view = "research.view_run"


class ConfirmRun(RunAction):
    @extend_schema(request=ConfirmRequest, responses={202: RunDetailSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Let a run that waits for a person go on, with what was changed in what it showed, or with more money."""
        body = read(ConfirmRequest, request.data)
        run = get_object_or_404(RUNS, pk=pk)
        return accepted(confirm_checkpoint(run=run, actor=person(request), **body))


class CancelRun(RunAction):
    @extend_schema(request=EmptyBody, responses={202: RunDetailSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Stop a run: at once, or between two steps."""
        read(EmptyBody, request.data)
        return accepted(cancel_run(run=get_object_or_404(RUNS, pk=pk), actor=person(request)))


class ResumeRun(RunAction):
    @extend_schema(request=EmptyBody, responses={202: RunDetailSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Take up a failed or cancelled run where it still stood well."""
        read(EmptyBody, request.data)
        return accepted(resume_run(run=get_object_or_404(RUNS, pk=pk), actor=person(request)))


class FinishRun(RunAction):
    @extend_schema(request=EmptyBody, responses={202: RunDetailSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Make a partial result of what a failed or cancelled run has found."""
        read(EmptyBody, request.data)
        return accepted(finish_run(run=get_object_or_404(RUNS, pk=pk), actor=person(request)))


def accepted(run: Run) -> Response:
    """202 with the run and where to follow it."""
    location = reverse("api-run", args=[run.pk])
    return Response(RunDetailSerializer(run).data, status.HTTP_202_ACCEPTED, headers={"Location": location})
