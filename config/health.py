"""Liveness and readiness for load balancers."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from research.services import readiness


def healthz(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and is migrated, else 503 with the reason.

    What models and search providers are set up is told and decides nothing: without them there is still work to do.
    """
    try:
        executor = MigrationExecutor(connection)
        behind = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return JsonResponse({"status": "unavailable", "database": "no answer"}, status=503)
    if behind:
        return JsonResponse({"status": "unavailable", "migrations": f"{behind} not applied"}, status=503)
    told = {"models": readiness.models(), "search": readiness.search_providers()}
    return JsonResponse({"status": "ok", **told})
