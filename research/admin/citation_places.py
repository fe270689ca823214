"""What a use of a citation in a result is called, and the review that shows it."""

from collections.abc import Sequence

from django.http import HttpRequest
from django.urls import reverse

from citations.places import Place, add_places
from research.checks.cited import LABEL
from research.models import ResearchResult


def results(request: HttpRequest, references: Sequence[str]) -> dict[str, Place]:
    """Results by their id; none for people who may not see them."""
    if not request.user.has_perm("research.view_researchresult"):
        return {}
    rows = ResearchResult.objects.filter(pk__in=list(references)).select_related("run__macro")
    return {
        str(result.pk): Place(str(result), reverse("admin:research_researchresult_review", args=[result.pk]))
        for result in rows
    }


add_places(LABEL, results)
