"""What else waits for review, so that a person goes from one result to the next."""

from django.db.models import Q, QuerySet

from research.admin.gate.history import review_url
from research.models import ResearchResult
from research.models.states import ResultState


class Queue:
    """The pending results around this one, the oldest first."""

    def __init__(self, result: ResearchResult) -> None:
        pending = ResearchResult.objects.filter(state=ResultState.PENDING_REVIEW)
        before = Q(created_at__lt=result.created_at) | Q(created_at=result.created_at, pk__lt=result.pk)
        others = pending.exclude(pk=result.pk)
        self.previous = _url(others.filter(before).order_by("-created_at", "-pk"))
        self.next = _url(others.exclude(before).order_by("created_at", "pk"))
        self.total = pending.count()
        self.position = others.filter(before).count() + 1


def _url(results: QuerySet[ResearchResult]) -> str:
    found = results.first()
    return review_url(found) if found else ""
