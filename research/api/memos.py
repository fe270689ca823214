"""``results/{id}/memo``."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import urlencode
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.idempotency import idempotent
from research.api.negotiation import AnyAnswer
from research.api.people import person
from research.api.requests import MemoRequest, read
from research.api.serializers import MemoSerializer
from research.memo.formats import MEDIA_TYPES
from research.models import Memo, ResearchResult
from research.services.memos import compose_memo

RESULTS = ResearchResult.objects.select_related("run__macro")
PARAMETERS = [
    OpenApiParameter("style", enum=Memo.Style.values, default="memo"),
    OpenApiParameter("format", enum=Memo.Format.values, default="md"),
    OpenApiParameter("language", enum=["de", "fr", "it", "en"], default="en"),
]


class ResultMemo(APIView):
    """A document about a result as it stands; the same state of things gives the same bytes."""

    permission_classes = [CanView]
    may_view = "research.view_researchresult"
    content_negotiation_class = AnyAnswer

    @extend_schema(
        parameters=PARAMETERS,
        responses={(200, media): OpenApiTypes.STR for media in MEDIA_TYPES.values()},
    )
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """The document itself."""
        memo = _compose(request, pk, read(MemoRequest, request.query_params.dict()))
        form = "json" if memo.style == Memo.Style.JSON else memo.format
        name = f"memo-{str(memo.result_id)[:8]}-{memo.style}.{form}"
        return HttpResponse(
            bytes(memo.body),
            content_type=f"{MEDIA_TYPES[form]}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"', "ETag": f'"{memo.digest}"'},
        )

    @extend_schema(request=MemoRequest, responses={201: MemoSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Compose the document and keep it; fetch it at ``Location``."""
        options = read(MemoRequest, request.data)
        memo = _compose(request, pk, options)
        location = f"{reverse('api-result-memo', args=[pk])}?{urlencode(options)}"
        return Response(MemoSerializer(memo).data, status.HTTP_201_CREATED, headers={"Location": location})


def _compose(request: Request, pk: UUID, options: dict[str, str]) -> Memo:
    return compose_memo(result=get_object_or_404(RESULTS, pk=pk), actor=person(request), **options)
