"""``registers`` and ``selections``: asking national registers, choosing their lines, taking choices back."""

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.idempotency import idempotent
from entities.api.permissions import CanView
from entities.api.serializers import LIST_OF_OBJECTS
from entities.api.views import PartList
from entities.gleif.jurisdictions import jurisdiction_code
from entities.models import Entity, ImportedFact, RegisterCorrection, RegisterSelection
from entities.models.selection import CorrectionKind
from entities.registers.looking import Found, look_up
from entities.registers.matching import Candidate, Wanted
from entities.registers.records import Capability, as_json
from entities.registers.setup import KINDS, configured, missing, open_source
from entities.services.correction import correct_selection, preview_correction
from entities.services.selection import reject_candidates, select_company
from entities.services.thresholds import thresholds_of


class FactSerializer(serializers.ModelSerializer[ImportedFact]):
    """One thing that an import wrote."""

    entity = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)

    class Meta:
        model = ImportedFact
        fields = ["ordinal", "kind", "entity", "row", "field", "old", "new"]


class CorrectionSerializer(serializers.ModelSerializer[RegisterCorrection]):
    """What was taken back, what was kept and why, and what was taken instead."""

    corrected_by = serializers.CharField(source="corrected_by.username")

    class Meta:
        model = RegisterCorrection
        fields = ["id", "kind", "reason", "replacement", "undone", "corrected_by", "at"]


class SelectionSerializer(serializers.ModelSerializer[RegisterSelection]):
    """Which line of a register was taken for an entity, among which candidates, by whom and why."""

    entity = serializers.SlugRelatedField[Entity](slug_field="slug", read_only=True)
    chosen_by = serializers.CharField(source="chosen_by.username", allow_null=True, default=None)
    correction = CorrectionSerializer(read_only=True, allow_null=True, default=None)

    class Meta:
        model = RegisterSelection
        fields = [
            *("id", "entity", "register", "query", "candidates", "thresholds", "verdict", "number", "score"),
            *("chooser", "chosen_by", "model", "reason", "reference", "url", "as_of", "at", "correction"),
        ]


class SelectionDetailSerializer(SelectionSerializer):
    """A selection with everything that was imported because of it."""

    facts = FactSerializer(many=True, read_only=True)

    class Meta(SelectionSerializer.Meta):
        fields = [*SelectionSerializer.Meta.fields, "facts"]


class SelectionRequest(serializers.Serializer[Any]):
    """``number`` is what a person chose; without it the rule chooses. ``none_of_these`` says that no line is it."""

    register = serializers.CharField(max_length=40)
    number = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    name = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="")
    none_of_these = serializers.BooleanField(required=False, default=False)


class CorrectionRequest(serializers.Serializer[Any]):
    """``digest`` is that of the plan that was looked at; ``number`` the line to take instead, ``into`` its entity."""

    kind = serializers.ChoiceField(CorrectionKind.choices)
    reason = serializers.CharField(max_length=2_000)
    digest = serializers.CharField(max_length=64)
    number = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    into = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")


class LookUpRequest(serializers.Serializer[Any]):
    """What to ask a register for."""

    name = serializers.CharField(max_length=500)
    jurisdiction = serializers.CharField(max_length=60, required=False, default="")
    number = serializers.CharField(max_length=60, required=False, default="")


class RegisterList(APIView):
    """The registers that Dossier knows."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: LIST_OF_OBJECTS})
    def get(self, request: Request) -> Response:
        """What each answers, and which settings are missing where it cannot be asked here."""
        return Response([register_document(name) for name in KINDS])


class RegisterCandidates(APIView):
    """Look a company up in one register."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        parameters=[OpenApiParameter(name) for name in ("name", "jurisdiction", "number")],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, register: str) -> Response:
        """Candidates with scores, and what the rule says of them. Writes nothing."""
        asked = LookUpRequest(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        source = open_source(register)
        wanted = Wanted(data["name"], jurisdiction_code(data["jurisdiction"]), data["number"])
        return Response(found_document(look_up(source, wanted, thresholds_of(register))))


class RegisterRecord(APIView):
    """One company of a register."""

    permission_classes = [IsAuthenticated]

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, register: str, number: str) -> Response:
        """The record, and its officers, owners and authorisation where the register has them."""
        return Response(record_document(register, number))


class EntitySelections(PartList):
    """What was chosen from registers for the entity named in the path, newest first."""

    may_view = "entities.view_registerselection"
    serializer_class = SelectionSerializer
    queryset = RegisterSelection.objects.select_related("entity", "chosen_by", "correction__corrected_by")
    ordering = "-at"

    @extend_schema(request=SelectionRequest, responses={201: SelectionDetailSerializer})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Choose a line of a register for this entity, or let the rule choose."""
        asked = SelectionRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        data = dict(asked.validated_data)
        entity, by = get_object_or_404(Entity, slug=slug), cast(User, request.user)
        if data.pop("none_of_these"):
            data.pop("number")
            selection = reject_candidates(entity=entity, by=by, **data)
        else:
            selection = select_company(entity=entity, by=by, **data)
        return Response(SelectionDetailSerializer(selection).data, status=status.HTTP_201_CREATED)


class SelectionList(ListAPIView[RegisterSelection]):
    """All selections, newest first."""

    permission_classes = [CanView]
    may_view = "entities.view_registerselection"
    serializer_class = SelectionSerializer
    filterset_fields = ["register", "verdict", "chooser"]
    queryset = RegisterSelection.objects.select_related("entity", "chosen_by", "correction__corrected_by")
    ordering = "-at"


class SelectionDetail(RetrieveAPIView[RegisterSelection]):
    """One selection with what it imported."""

    permission_classes = [CanView]
    may_view = "entities.view_registerselection"
    serializer_class = SelectionDetailSerializer
    queryset = RegisterSelection.objects.select_related("entity", "chosen_by").prefetch_related(
        "facts__entity"
    )


class SelectionCorrection(APIView):
    """Take a selection back."""

    permission_classes = [CanView]
    may_view = "entities.view_registerselection"

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, pk: UUID) -> Response:
        """What taking it back would do now, step by step. Writes nothing."""
        plan = preview_correction(get_object_or_404(RegisterSelection, pk=pk))
        return Response({"digest": plan.digest, "steps": [step.as_json() for step in plan.steps]})

    @extend_schema(request=CorrectionRequest, responses={201: CorrectionSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Do it, if the plan is still the one with this digest."""
        asked = CorrectionRequest(data=request.data)
        asked.is_valid(raise_exception=True)
        data = dict(asked.validated_data)
        into = data.pop("into")
        correction = correct_selection(
            selection=get_object_or_404(RegisterSelection, pk=pk),
            by=cast(User, request.user),
            into=get_object_or_404(Entity, slug=into) if into else None,
            **data,
        )
        return Response(CorrectionSerializer(correction).data, status=status.HTTP_201_CREATED)


def register_document(name: str) -> dict[str, Any]:
    """What a register answers, and whether it can be asked here."""
    source = KINDS[name].source
    return {
        "name": name,
        "label": source.label,
        "jurisdictions": list(source.jurisdictions),
        "answers": sorted(capability.value for capability in source.capabilities),
        "set_up": name in configured(),
        "missing": list(missing(name)),
    }


def found_document(found: Found) -> dict[str, Any]:
    """A look-up as JSON: the rule's verdict and the candidates."""
    outcome = found.outcome
    return {
        "register": found.provenance.register,
        "as_of": found.provenance.as_of,
        "verdict": outcome.verdict,
        "reason": outcome.reason,
        "chosen": outcome.chosen.hit.number if outcome.chosen else None,
        "candidates": [_candidate(one) for one in outcome.candidates],
        "total": found.total,
        "truncated": found.truncated,
    }


def record_document(register: str, number: str) -> dict[str, Any]:
    """Everything that a register says of a company. Raises RegisterError."""
    source = open_source(register)
    document = {"register": register, "record": as_json(source.record(number))}
    if source.can(Capability.OFFICERS):
        document["officers"] = as_json(source.officers(number))
    if source.can(Capability.OWNERS):
        document["owners"] = as_json(source.owners(number))
    if source.can(Capability.AUTHORISATION):
        document["authorisation"] = as_json(source.authorisation(number))
    return document


def _candidate(one: Candidate) -> dict[str, Any]:
    hit = one.hit
    return {
        "number": hit.number,
        "name": hit.name,
        "jurisdiction": hit.jurisdiction,
        "status": hit.status,
        "score": str(one.score),
        "explanation": one.explanation,
        "doubts": list(one.doubts),
        "url": hit.url,
    }
