"""``results``: what runs found, and what people decide about it."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.filters import ResultFilter
from research.api.idempotency import idempotent
from research.api.people import person
from research.api.requests import (
    ApproveRequest,
    EmptyBody,
    RejectRequest,
    RerunRequest,
    RollbackRequest,
    read,
)
from research.api.runs import accepted
from research.api.serializers import (
    ResultDetailSerializer,
    ResultSerializer,
    RollbackPlanSerializer,
    RunSerializer,
    VerbPlanSerializer,
    verb_plan,
)
from research.errors import InvalidTransition, NotPermitted
from research.models import Decision, ResearchResult
from research.models.states import Trigger
from research.services.access import EXECUTE, require
from research.services.execution import enqueue_execution, execute_verbs
from research.services.reviews import approve_result, reject_result, request_changes
from research.services.rollback import preview_rollback, roll_back_verbs
from research.sign_in.second_step import step_up_is_due

RESULTS = ResearchResult.objects.select_related("run__macro", "run__requested_by")


class ResultList(ListAPIView[ResearchResult]):
    """The results, newest first; ``state=pending_review`` are those that wait for a person."""

    permission_classes = [CanView]
    may_view = "research.view_researchresult"
    serializer_class = ResultSerializer
    filterset_class = ResultFilter
    queryset = RESULTS


class ResultDetail(RetrieveAPIView[ResearchResult]):
    """One result with its data, checks, sources and decision."""

    permission_classes = [CanView]
    may_view = "research.view_researchresult"
    serializer_class = ResultDetailSerializer
    queryset = RESULTS.prefetch_related("checks", "run__sources")


class ResultAction(APIView):
    """Something a person does with a result; the service decides whether it may be done."""

    permission_classes = [CanView]
    may_view = "research.view_researchresult"

    def result(self, pk: UUID) -> ResearchResult:
        return get_object_or_404(RESULTS, pk=pk)


class ApproveResult(ResultAction):
    @extend_schema(request=ApproveRequest, responses=ResultDetailSerializer)
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Approve what was seen, with edits or without; with ``execute`` its verbs are executed right away."""
        body = read(ApproveRequest, request.data)
        result, reviewer = self.result(pk), person(request)
        if body["execute"]:
            require(reviewer, EXECUTE)
        if request.auth is None and step_up_is_due(request._request):  # a token is asked nothing
            raise NotPermitted("Approving takes showing who you are first: log in again, or send a token.")
        decision = approve_result(
            result=result,
            reviewer=reviewer,
            digest=body["digest"],
            edits=[dict(operation) for operation in body["edits"]],
            reason=body["note"],
            shown=body["shown"],
        )
        if body["execute"]:
            execute_verbs(decision=decision, actor=reviewer)
        return _shown(pk)


class RejectResult(ResultAction):
    @extend_schema(request=RejectRequest, responses=ResultDetailSerializer)
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Turn the result down, with a reason."""
        body = read(RejectRequest, request.data)
        reject_result(result=self.result(pk), reviewer=person(request), **body)
        return _shown(pk)


class RerunResult(ResultAction):
    @extend_schema(request=RerunRequest, responses={202: RunSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Ask for changes: the result is superseded by that of a new run."""
        body = read(RerunRequest, request.data)
        result = self.result(pk)
        run = request_changes(
            result=result,
            reviewer=person(request),
            digest=body["digest"],
            feedback=body["feedback"],
            trigger=Trigger.API.value,
        )
        return accepted(run)


class ResultVerbs(ResultAction):
    @extend_schema(responses=VerbPlanSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """The verbs of a result: suggested while it waits, planned and executed once it is approved."""
        return Response(verb_plan(self.result(pk)))


class ExecuteResult(ResultAction):
    @extend_schema(request=EmptyBody, responses={200: VerbPlanSerializer, 202: VerbPlanSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Execute the approved verbs, each exactly once; ``Prefer: respond-async`` leaves it to a worker."""
        read(EmptyBody, request.data)
        result, actor = self.result(pk), person(request)
        decision = _decision(result)
        if "respond-async" in request.headers.get("Prefer", ""):
            enqueue_execution(decision=decision, actor=actor)
            location = reverse("api-result-verbs", args=[result.pk])
            return Response(verb_plan(result), status.HTTP_202_ACCEPTED, headers={"Location": location})
        execute_verbs(decision=decision, actor=actor)
        return Response(verb_plan(self.result(pk)))


class RollBackResult(ResultAction):
    @extend_schema(
        request=RollbackRequest,
        responses=PolymorphicProxySerializer(
            "RollbackOrPlan", [RollbackPlanSerializer, VerbPlanSerializer], resource_type_field_name=None
        ),
    )
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Take back what the verbs wrote, as far as nobody has built on it; ``dry_run`` only says what would be."""
        body = read(RollbackRequest, request.data)
        result, actor = self.result(pk), person(request)
        if body["dry_run"]:
            return Response(preview_rollback(result=result, actor=actor).as_json())
        roll_back_verbs(result=result, actor=actor, reason=body["reason"], digest=body["digest"])
        return Response(verb_plan(self.result(pk)))


def _decision(result: ResearchResult) -> Decision:
    decision = Decision.objects.filter(result=result).select_related("result__run", "reviewer").first()
    if decision is None:
        raise InvalidTransition("Nobody has approved this result yet.", state=result.state)
    return decision


def _shown(pk: UUID) -> Response:
    document: Any = ResultDetailSerializer(RESULTS.get(pk=pk)).data
    return Response(document)
