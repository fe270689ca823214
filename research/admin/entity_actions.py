"""What research offers on the list of entities: "Research these"."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from entities.list_actions import ListAction, add_list_action
from entities.models import Entity
from research.errors import DossierError
from research.models.states import Trigger
from research.services.access import START
from research.services.enrichment import MAX_IDENTIFIERS, Enrichment, enrich


def research_these(request: HttpRequest, entities: QuerySet[Entity]) -> HttpResponse | None:
    """Tell what is fresh, research the rest, and lead to the run if there is one."""
    slugs = list(entities.order_by("slug").values_list("slug", flat=True)[: MAX_IDENTIFIERS + 1])
    try:
        done = enrich(
            identifiers=slugs,
            trigger=Trigger.ADMIN.value,
            requested_by=request.user,  # type: ignore[arg-type]  # a known person: the admin lets nobody else in
        )
    except DossierError as error:
        messages.error(request, str(error))
        return None
    messages.success(request, _sentence(done))
    if done.run is None:
        return None
    return HttpResponseRedirect(reverse("admin:research_run_change", args=[done.run.pk]))


def _sentence(done: Enrichment) -> str:
    counts = {
        status: sum(entry["status"] == status for entry in done.entries) for status in ("fresh", "queued")
    }
    fresh, queued = counts["fresh"], counts["queued"]
    told = f"{fresh} fresh: nobody was asked about {'it' if fresh == 1 else 'them'}." if fresh else ""
    return " ".join(filter(None, [f"{queued} to be researched." if queued else "Nothing to research.", told]))


add_list_action(
    ListAction(
        "research_these", "Research these", lambda request: request.user.has_perm(START), research_these
    )
)
