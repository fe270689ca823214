"""What REST writes to entity memory: entities nobody vouches for yet, their forms, and findings about them.

Whoever writes needs the permission for it; what memory refuses is a 409 with its own sentence.
"""

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.idempotency import idempotent
from entities.api.permissions import CanView
from entities.api.serializers import EntityDetailSerializer, FindingsSerializer, RepresentationSerializer
from entities.api.views import EntityList, Representations, Research, named
from entities.memory import (
    ADD,
    ADD_FORM,
    ADD_RESEARCH,
    MAX_NAME,
    ChangeLog,
    Origin,
    add_representation,
    create_entity,
    deactivate_representation,
    form_by_id,
    invalidate_research,
    key_of,
    store_claimed_results,
)
from entities.memory.access import EXPORT, require
from entities.models import Representation, SourceKind
from entities.services.export import FORMATS, ExportFormat, export_entity


class Body(serializers.Serializer[Any]):
    """The base of these bodies: a field that is not known is refused by name."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, dict) else []
        if unknown:
            allowed = list(self.fields)
            fault = {"message": f"is not known; there are: {', '.join(allowed)}", "allowed": allowed}
            raise serializers.ValidationError({str(name)[:80]: fault for name in unknown})
        return super().to_internal_value(data)


class EntityRequest(Body):
    """``key`` is what tells it from others of its name: a mint, a register number."""

    name = serializers.CharField(max_length=MAX_NAME)
    type = serializers.CharField(max_length=40)
    symbol = serializers.CharField(max_length=30, required=False, default="", allow_blank=True)
    metadata = serializers.DictField(required=False, default=dict)
    key = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class FormRequest(Body):
    """``context`` holds the key: ``{mint}``, ``{market}``, ``{lei}``, ``{isin}``, ``{number}``, ``{docket}`` ..."""

    type = serializers.ChoiceField(
        [kind for kind in Representation.Type.values if kind != Representation.Type.FORMER_SLUG]
    )
    authority = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    chain = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    context = serializers.DictField()  # type: ignore[assignment]  # hides an attribute that we do not use


class ReasonRequest(Body):
    """Why."""

    reason = serializers.CharField(max_length=300)


class ExportRequest(ReasonRequest):
    """Why, and as what."""

    format = serializers.ChoiceField(choices=ExportFormat.choices, default=ExportFormat.JSON)


class FindingsRequest(Body):
    """Findings, and every source that was asked; ``ttl`` is seconds, else the entity's type decides.

    A source counts if the journal of ``run`` shows a call about this entity.
    """

    findings = serializers.DictField()
    sources = serializers.ListField(child=serializers.DictField(), max_length=200)
    run = serializers.UUIDField(required=False, allow_null=True, default=None)
    ttl = serializers.IntegerField(min_value=0, required=False, allow_null=True, default=None)


class InvalidatedSerializer(serializers.Serializer[Any]):
    """How many findings held until now."""

    invalidated = serializers.IntegerField()


class Entities(EntityList):
    """Entity memory."""

    @extend_schema(request=EntityRequest, responses={201: EntityDetailSerializer})
    @idempotent
    def post(self, request: Request) -> Response:
        """Enter what nobody has verified; one that looks like another is kept apart until a person has."""
        asked = _asked(request, ADD, EntityRequest)
        entity = create_entity(**asked, log=_signed(request))
        headers = {"Location": reverse("api-entity", args=[entity.slug])}
        return Response(EntityDetailSerializer(entity).data, status.HTTP_201_CREATED, headers=headers)


class Forms(Representations):
    """The entity's concrete forms."""

    @extend_schema(request=FormRequest, responses={201: RepresentationSerializer})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Add a form; one that is known already is seen again."""
        asked = _asked(request, ADD_FORM, FormRequest)
        key = key_of(asked["type"], asked["context"])
        added = add_representation(entity=named(slug), key=key, **asked, log=_signed(request))
        return Response(RepresentationSerializer(added).data, status.HTTP_201_CREATED)


class FormEnd(APIView):
    """A form that an entity no longer has: a delisted market, a dead pool."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=ReasonRequest, responses=RepresentationSerializer)
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Say so, with a reason; the row is kept."""
        asked, person = _asked(request, ADD_FORM, ReasonRequest), cast(User, request.user)
        found = form_by_id(str(pk))
        if found is None:
            raise Http404("No representation has this id.")
        gone = deactivate_representation(
            representation=found, source=person.get_username(), **asked, log=_signed(request)
        )
        return Response(RepresentationSerializer(gone).data)


class Export(APIView):
    """All that is known of an entity."""

    permission_classes = [CanView]
    may_view = "entities.view_entity"

    @extend_schema(
        request=ExportRequest,
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "application/pdf"): OpenApiTypes.BINARY,
        },
    )
    def post(self, request: Request, slug: str) -> HttpResponseBase:
        """Every row about it, table by table; who exported it and why is recorded."""
        asked, person = _asked(request, EXPORT, ExportRequest), cast(User, request.user)
        headers = {"Cache-Control": "no-store"}
        if write := FORMATS.get(asked.pop("format")):
            written = write(entity=named(slug), actor=person, **asked)
            return HttpResponse(written, content_type="application/pdf", headers=headers)
        told = export_entity(entity=named(slug), actor=person, **asked)
        return StreamingHttpResponse(told, content_type="application/json", headers=headers)


class Findings(Research):
    """What was found out about the entity."""

    @extend_schema(request=FindingsRequest, responses={201: FindingsSerializer})
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Keep findings beside the earlier ones. They are not believed unless two sources answered in the run."""
        asked, person = _asked(request, ADD_RESEARCH, FindingsRequest), cast(User, request.user)
        run = str(asked.pop("run") or "")
        by = f"by {person.get_username()}"[:64]
        stored = store_claimed_results(entity=named(slug), run=run, reference=by, **asked)
        return Response(FindingsSerializer(stored).data, status.HTTP_201_CREATED)


class FindingsEnd(APIView):
    """Findings that no longer hold."""

    permission_classes = [IsAuthenticated]

    @extend_schema(request=ReasonRequest, responses=InvalidatedSerializer)
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Never again use what is stored: something happened that it does not know of."""
        asked = _asked(request, ADD_RESEARCH, ReasonRequest)
        count = invalidate_research(entity=named(slug), actor=cast(User, request.user), **asked)
        return Response(InvalidatedSerializer({"invalidated": count}).data)


def _asked(request: Request, permission: str, body: type[Body]) -> dict[str, Any]:
    """The validated body of somebody who may. Raises NotAllowed, ValidationError."""
    require(cast(User, request.user), permission)
    asked = body(data=request.data)
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)


def _signed(request: Request) -> ChangeLog:
    """What a person enters is theirs."""
    name = cast(User, request.user).get_username()
    return ChangeLog(origin=Origin(kind=SourceKind.PERSON, source=name, signed_by=name))
