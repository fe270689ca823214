"""``documents``: what was read, and searching it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from entities.api.permissions import CanView
from research.api.filters import require_known
from research.api.pagination import MAX_PAGE, page_size
from research.jsontext import JsonObject
from research.models import Document, Source
from research.web.archive.search import Found, filtered, search_documents

MAX_DEPTH = 1_000


class DocumentSerializer(serializers.ModelSerializer[Document]):
    """An archived text without the text."""

    class Meta:
        model = Document
        fields = [
            "id",
            "digest",
            "url",
            "host",
            "title",
            "mime",
            "language",
            "size",
            "warnings",
            "fetched_at",
        ]


class UseSerializer(serializers.ModelSerializer[Source]):
    """A run that used the document, under its number."""

    class Meta:
        model = Source
        fields = ["run", "number", "title"]


class DocumentDetailSerializer(DocumentSerializer):
    """The text exactly as it was kept, and the runs that used it."""

    uses = UseSerializer(many=True, read_only=True)

    class Meta(DocumentSerializer.Meta):
        fields = [*DocumentSerializer.Meta.fields, "text", "uses"]


class SnippetSerializer(serializers.Serializer[Any]):
    """A part of the text: where it begins, and what to highlight in it, as pairs of code points."""

    text = serializers.CharField()
    start = serializers.IntegerField()
    ranges = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class FoundSerializer(DocumentSerializer):
    """A document in a list; ``score`` and ``snippet`` only where something was searched for."""

    score = serializers.FloatField(required=False)
    snippet = SnippetSerializer(required=False)

    class Meta(DocumentSerializer.Meta):
        fields = [*DocumentSerializer.Meta.fields, "score", "snippet"]


class DocumentFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter is untyped
    """``host`` also means the hosts below it, ``run`` all that its family read."""

    host = filters.CharFilter(method="of_host")
    run = filters.UUIDFilter(method="of_run")
    language = filters.CharFilter()

    class Meta:
        model = Document
        fields = ["host", "run", "language"]

    def of_host(self, documents: QuerySet[Document], name: str, value: str) -> QuerySet[Document]:
        return filtered(documents, host=value)

    def of_run(self, documents: QuerySet[Document], name: str, value: Any) -> QuerySet[Document]:
        return filtered(documents, run=value)


class DocumentList(ListAPIView[Document]):
    """The archive, the latest first; with ``q`` what answers that question, the best first."""

    permission_classes = [CanView]
    may_view = "research.view_document"
    serializer_class = FoundSerializer
    filterset_class = DocumentFilter
    ordering = "-id"
    queryset = Document.objects.defer("text")

    @extend_schema(parameters=[OpenApiParameter("q", str, description="A question, or words.")])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The archive, the latest first; with ``q`` what answers that question, the best first."""
        if "q" not in request.query_params:
            return self.list(request)
        return self._search(request, request.query_params["q"])

    def _search(self, request: Request, question: str) -> Response:
        narrowed = DocumentFilter(request.query_params, queryset=self.get_queryset())
        require_known(request, narrowed, "q")
        chosen = {name: value for name, value in narrowed.form.cleaned_data.items() if value}
        size, offset = min(page_size(request), MAX_PAGE - 1), _offset(request.query_params.get("cursor", ""))
        found = search_documents(question, **chosen, limit=size + 1, offset=offset)
        page = request.build_absolute_uri()
        document = {
            "next": _at(page, offset + size) if len(found) > size and offset + size < MAX_DEPTH else None,
            "previous": _at(page, max(0, offset - size)) if offset else None,
            "results": [found_document(each) for each in found[:size]],
        }
        return Response(document)


class DocumentDetail(RetrieveAPIView[Document]):
    """One document with its text."""

    permission_classes = [CanView]
    may_view = "research.view_document"
    serializer_class = DocumentDetailSerializer
    queryset = Document.objects.prefetch_related("uses")


def found_document(found: Found) -> JsonObject:
    """A document as a search shows it; one shape for REST and ``--json``."""
    snippet = {
        "text": found.snippet.text,
        "start": found.snippet.start,
        "ranges": [list(pair) for pair in found.snippet.ranges],
    }
    return {**DocumentSerializer(found.document).data, "score": round(found.score, 6), "snippet": snippet}


def _at(page: str, offset: int) -> str:
    return replace_query_param(page, "cursor", urlsafe_b64encode(f"at={offset}".encode()).decode())


def _offset(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        word, _, number = urlsafe_b64decode(cursor.encode()).decode().partition("=")
        offset = int(number)
    except ValueError:
        raise NotFound("Invalid cursor") from None
    if word != "at" or not 0 <= offset <= MAX_DEPTH:
        raise NotFound("Invalid cursor")
    return offset
