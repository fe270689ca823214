"""Lists are paged by cursor: stable under inserts, bounded in size."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.views import APIView

PAGE, MAX_PAGE = 50, 200


def page_size(request: Request) -> int:
    """How many are asked for, at most MAX_PAGE. Raises ValidationError for what is no number from 1."""
    text = request.query_params.get("page_size", str(PAGE))
    if not (text.isascii() and text.isdigit()) or not int(text[:9]):
        raise serializers.ValidationError({"page_size": [f"must be a number from 1 to {MAX_PAGE}"]})
    return min(int(text[:9]), MAX_PAGE)


class NewestFirst(CursorPagination):
    """Newest first by creation time, unless the view names another ``ordering``; ``page_size`` up to 200."""

    ordering = "-created_at"
    page_size = PAGE
    page_size_query_param = "page_size"
    max_page_size = MAX_PAGE

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        """A cursor that was tampered with is refused like one that cannot be read."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError, DataError):
            raise NotFound(self.invalid_cursor_message) from None

    def get_page_size(self, request: Request) -> int:
        return page_size(request)

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> tuple[str, ...]:
        return (getattr(view, "ordering", self.ordering),)
