"""Liveness and readiness for load balancers."""

from collections.abc import Mapping

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from entities.gleif.name_search import name_search_state
from research.api.signing_in import ApiToken
from research.doctor.findings import Finding
from research.doctor.vitals import NO_ANSWER, VITALS, overall
from research.services import readiness

PERMISSION = "research.view_auditevent"  # as for the doctor's page


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and is migrated, else 503; strangers are told no more than the status.

    ``degraded`` is told with 200 as well: pages can be read while no worker is alive, and a load balancer that took
    this server away would only make it worse. ``?of=workers`` asks for one component and gives 503 when that one is
    broken, for whoever watches. Who may see the doctor's page, logged in or by a token, is also told why, and what
    models, search providers and the database are set up for.
    """
    vitals = VITALS.now()
    asked = request.GET.get("of", "")
    if asked in vitals:
        broken = vitals[asked].state == "broken"
        return JsonResponse({"status": "unavailable" if broken else "ok"}, status=503 if broken else 200)
    state = overall(vitals)
    away = state == "unavailable"
    return JsonResponse({"status": state, **_told(request, vitals)}, status=503 if away else 200)


def _told(request: HttpRequest, vitals: Mapping[str, Finding]) -> dict[str, object]:
    """What is told to whoever may see it; while the database does not answer nobody can show who they are."""
    if vitals["database"].seen.startswith(NO_ANSWER) or not _may_see(request):
        return {}
    return {
        "components": {
            name: {"state": one.state, "seen": one.seen, **({"todo": one.todo} if one.todo else {})}
            for name, one in vitals.items()
        },
        "models": readiness.models(),
        "search": readiness.search_providers(),
        "register_names": _names(),
    }


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
