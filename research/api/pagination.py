"""Lists are paged by cursor: stable under inserts, bounded in size."""

from rest_framework.pagination import CursorPagination


class NewestFirst(CursorPagination):
    """Newest first by creation time; ``page_size`` up to 200."""

    ordering = "-created_at"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
