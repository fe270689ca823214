"""Liveness and readiness for load balancers."""

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse

from entities.gleif.name_search import name_search_state
from research.doctor.database import pending_migrations
from research.services import readiness


def healthz(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and is migrated, else 503 with the reason.

    What models, search providers and the database are set up for is told and decides nothing: there is work to do.
    """
    try:
        behind = pending_migrations()
    except DatabaseError:
        return JsonResponse({"status": "unavailable", "database": "no answer"}, status=503)
    if behind:
        return JsonResponse({"status": "unavailable", "migrations": f"{behind} not applied"}, status=503)
    told = {"models": readiness.models(), "search": readiness.search_providers(), "register_names": _names()}
    return JsonResponse({"status": "ok", **told})


def _names() -> str:
    """How names of the imported register are found."""
    missing = name_search_state()
    return (
        f"only whole names and their beginnings are found: {missing}" if missing else "names alike are found"
    )
