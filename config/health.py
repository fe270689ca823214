"""Liveness and readiness for load balancers."""

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from entities.gleif.name_search import name_search_state
from research.api.signing_in import ApiToken
from research.doctor.database import pending_migrations
from research.services import readiness

PERMISSION = "research.view_auditevent"  # as for the doctor's page


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and is migrated, else 503; strangers are told no more than that.

    Who may see the doctor's page, logged in or by a token, is also told why, and what models, search providers and the
    database are set up for; that decides nothing: there is work to do.
    """
    try:
        behind = pending_migrations()
    except DatabaseError:
        return JsonResponse({"status": "unavailable"}, status=503)
    state = "unavailable" if behind else "ok"
    told: dict[str, object] = {}
    if _may_see(request):
        told = {
            "models": readiness.models(),
            "search": readiness.search_providers(),
            "register_names": _names(),
        }
        told |= {"migrations": f"{behind} not applied"} if behind else {}
    return JsonResponse({"status": state, **told}, status=503 if behind else 200)


def _may_see(request: HttpRequest) -> bool:
    """Whether the session or the token is that of somebody who may see the doctor's page."""
    try:
        carried = ApiToken().authenticate(Request(request))
        person = carried[0] if carried else request.user
        return person.has_perm(PERMISSION)
    except (AuthenticationFailed, DatabaseError):
        return False


def _names() -> str:
    """How names of the imported register are found."""
    missing = name_search_state()
    return (
        f"only whole names and their beginnings are found: {missing}" if missing else "names alike are found"
    )
