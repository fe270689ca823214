"""The first page: what the services say of the house, for the template to show."""

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from entities.models import GoldenCopyImport
from research.doctor.findings import Finding
from research.doctor.processes import beat, workers
from research.llm.models import model_names
from research.services.access import EXECUTE, START, Person
from research.services.overview import Overview, overview

REFRESH_SECONDS = 20  # while something runs


def start_page(request: HttpRequest) -> dict[str, Any]:
    """The context of the start page, for whoever is logged in."""
    now = timezone.now()
    seen = overview(cast(Person, request.user), now)
    return {
        "seen": seen,
        "now": now,
        "refresh": REFRESH_SECONDS if seen.running else 0,
        "models": model_names(settings.DOSSIER_MODEL),
        "register": _register(seen),
        "example": not settings.PRODUCTION,
        "dead": _dead(cast(Person, request.user)),
    }


def _dead(person: Person) -> list[Finding]:
    """That no worker or no beat is alive, for those whose work stays lying; their signs ask no database."""
    if not (person.has_perm(START) or person.has_perm(EXECUTE)):
        return []
    return [found for look in (workers, beat) if (found := look()).state == "broken"]


def _register(seen: Overview) -> dict[str, Any] | None:
    """The state of the LEI register: the live files, and trouble or work in progress."""
    if seen.imports is None:
        return None
    states = GoldenCopyImport.State
    return {
        "live": [one for one in seen.imports if one.state == states.LIVE],
        "running": [one for one in seen.imports if one.state == states.RUNNING],
        "failed": [one for one in seen.imports if one.state == states.FAILED],
        "asked": seen.register,
    }
