"""Counts beside the rows of a list."""

from typing import Any

from django.db.models import Count, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce


def counted(rows: QuerySet[Any]) -> Coalesce:
    """How many ``rows`` belong to each row of a list, by an ``OuterRef`` in their condition.

    ``Count`` over a join groups the whole table before the first page of it can be shown; this is asked for the rows
    of the page alone.
    """
    one = rows.order_by().values(only=Value(1)).annotate(n=Count("pk"))
    return Coalesce(Subquery(one.values("n")), 0)
