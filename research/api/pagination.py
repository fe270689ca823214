"""Lists are paged by cursor: stable under inserts, bounded in size."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.views import APIView


class NewestFirst(CursorPagination):
    """Newest first by creation time, unless the view names another ``ordering``; ``page_size`` up to 200."""

    ordering = "-created_at"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        """A cursor that was tampered with is refused like one that cannot be read."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError, DataError):
            raise NotFound(self.invalid_cursor_message) from None

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> tuple[str, ...]:
        return (getattr(view, "ordering", self.ordering),)
