"""``citations/extract``, ``verify`` and ``format``: one entry a citation, in the order of the text."""

from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from citations.api.parsers import LargeJson, PlainText
from citations.api.refusals import TooMany
from citations.api.serializers import (
    FormatRequest,
    FormattedSerializer,
    JudgementSerializer,
    MentionSerializer,
    TextRequest,
    VerifyRequest,
)
from citations.extract import extract
from citations.format import format_mention
from citations.mention import Mention
from citations.services.allowance import charge, free_at
from citations.services.authorities import act_table
from citations.services.verification import verify

ASK = "citations.verify_citation"


class CitationView(APIView):
    """What all three share: known people, large bodies, and an allowance counted in citations."""

    permission_classes = [IsAuthenticated]
    parser_classes = [LargeJson, PlainText]

    def found(self, request: Request, text: str) -> list[Mention]:
        """The citations of a text, counted. Raises TooMany when the person is ahead of their allowance."""
        now, person = timezone.now(), cast(User, request.user)
        if (moment := free_at(person=person, now=now)) > now:
            raise TooMany(moment, now)
        mentions = extract(text, acts=act_table())
        charge(person=person, count=len(mentions), now=now)
        return mentions


class Extract(CitationView):
    """Finding citations."""

    @extend_schema(request=TextRequest, responses=MentionSerializer(many=True))
    def post(self, request: Request) -> Response:
        """Every citation of the text with its offsets, canonical form and pinpoints; whether it exists is not asked."""
        text = _read(TextRequest, request)["text"]
        return Response([mention.as_json() for mention in self.found(request, text)])


class Verify(CitationView):
    """Verifying citations."""

    @extend_schema(request=VerifyRequest, responses=JudgementSerializer(many=True))
    def post(self, request: Request) -> Response:
        """Every citation of the text with its verdict. Asking outside needs the right to have citations verified."""
        body = _read(VerifyRequest, request)
        lookups = _lookups(request, body.get("lookups"))
        mentions = self.found(request, body["text"])
        return Response([one.as_json() for one in verify(mentions, text=body["text"], lookups=lookups)])


class Format(CitationView):
    """Writing citations."""

    parser_classes = [LargeJson]

    @extend_schema(request=FormatRequest, responses=FormattedSerializer(many=True))
    def post(self, request: Request) -> Response:
        """Each citation as a court of the language writes it."""
        body = _read(FormatRequest, request)
        mentions = self.found(request, body["citation"])
        if not mentions:
            raise ValidationError({"citation": ["This is no citation that Dossier can read."]})
        return Response([_formatted(mention, body["language"], body["style"]) for mention in mentions])


def _read(serializer: type[Any], request: Request) -> dict[str, Any]:
    body = serializer(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


def _lookups(request: Request, wanted: int | None) -> int:
    """As many as the settings allow, for people who may ask outside; who asks for more than they may is told so."""
    allowed = settings.CITATION_LOOKUPS if request.user.has_perm(ASK) else 0
    if wanted and not allowed:
        raise PermissionDenied("You may not have questions asked outside; send lookups 0, or leave it away.")
    return allowed if wanted is None else min(wanted, allowed)


def _formatted(mention: Mention, language: Any, style: Any) -> dict[str, Any]:
    return {
        "raw": mention.raw,
        "kind": mention.kind,
        "normalized": mention.normalized,
        "formatted": format_mention(mention, language, style=style),
    }
