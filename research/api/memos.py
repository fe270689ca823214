"""``results/{id}/memo``."""

from base64 import b64encode
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
    OpenApiParameter(
        "style", enum=Memo.Style.values, description="Left out: what the run asked for, else `memo`."
    ),
    OpenApiParameter("format", enum=Memo.Format.values, default="md"),
    OpenApiParameter("language", enum=["de", "fr", "it", "en"], default="en"),
    OpenApiParameter("template", description="The name of a template; the standard one if left out."),
]
BINARY = {"pdf", "docx"}


class ResultMemo(APIView):
    """A document about a result as it stands; the same state of things gives the same bytes."""

    permission_classes = [CanView]
    may_view = "research.view_researchresult"
    content_negotiation_class = AnyAnswer

    @extend_schema(
        parameters=PARAMETERS,
        responses={
            (200, media): OpenApiTypes.BINARY if format in BINARY else OpenApiTypes.STR
            for format, media in MEDIA_TYPES.items()
        },
    )
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        """The document itself; without ``format`` the first media type of ``Accept`` that memos have decides."""
        asked = request.query_params.dict()
        if "format" not in asked and (preferred := _preferred(request.headers.get("Accept", ""))):
            asked["format"] = preferred
        memo = _compose(request, pk, read(MemoRequest, asked))
        if f'"{memo.digest}"' in request.headers.get("If-None-Match", ""):
            return HttpResponse(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": f'"{memo.digest}"'})
        return memo_file(memo)

    @extend_schema(request=MemoRequest, responses={201: MemoSerializer})
    @idempotent
    def post(self, request: Request, pk: UUID) -> Response:
        """Compose the document and keep it; fetch it at ``Location``."""
        options = read(MemoRequest, request.data)
        memo = _compose(request, pk, options)
        asked = urlencode({**options, "style": memo.style, "format": memo.format})
        location = f"{reverse('api-result-memo', args=[pk])}?{asked}"
        return Response(MemoSerializer(memo).data, status.HTTP_201_CREATED, headers={"Location": location})


def memo_file(memo: Memo, *, inline: bool = False) -> HttpResponse:
    """A memo to be saved under a name of its own, with its digest (RFC 9530) in the headers."""
    form = "json" if memo.style == Memo.Style.JSON else memo.format
    media = MEDIA_TYPES[form] if form in BINARY else f"{MEDIA_TYPES[form]}; charset=utf-8"
    digest = b64encode(bytes.fromhex(memo.digest)).decode()
    headers = {
        "Content-Disposition": f'{"inline" if inline else "attachment"}; filename="{memo_name(memo, form)}"',
        "ETag": f'"{memo.digest}"',
        "Repr-Digest": f"sha-256=:{digest}:",
        "Vary": "Accept",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(bytes(memo.body), content_type=media, headers=headers)


def memo_name(memo: Memo, form: str) -> str:
    """``memo-4f1c02d3-de.pdf``: of ASCII letters alone, whatever the memo is called."""
    style = "" if memo.style == Memo.Style.MEMO else f"-{memo.style}"
    return f"memo-{str(memo.result_id)[:8]}{style}-{memo.language}.{form}"


def _preferred(accept: str) -> str:
    """The format of the best media type in an Accept header that names a memo's; empty if none does."""
    formats = {media: format for format, media in MEDIA_TYPES.items()}
    weighed = []
    for place, entry in enumerate(accept[:1000].split(",")):
        media, *parameters = (part.strip().lower() for part in entry.split(";"))
        quality = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        if media in formats and quality.replace(".", "", 1).isdigit() and float(quality) > 0:
            weighed.append((-float(quality), place, formats[media]))
    return min(weighed)[2] if weighed else ""


def _compose(request: Request, pk: UUID, options: dict[str, str]) -> Memo:
    return compose_memo(result=get_object_or_404(RESULTS, pk=pk), actor=person(request), **options)
