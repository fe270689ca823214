"""The page on the register: what is imported and being imported, a search by name, a try at verification."""

from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from entities.gleif.checking import check_claims
from entities.gleif.claims import Claim
from entities.gleif.errors import GleifError
from entities.gleif.finding import find_by_name
from entities.gleif.golden import status
from entities.gleif.name_search import name_search_state
from entities.gleif.register import open_register
from entities.models import GoldenCopyImport

MAX_TEXT, HITS, LAST = 300, 10, 15


def register_page(request: HttpRequest, *, site: AdminSite) -> HttpResponse:
    """Everything is asked by GET, so that an answer has an address."""
    if not request.user.has_perm("entities.view_goldencopyimport"):
        raise PermissionDenied
    asked = {
        name: request.GET.get(name, "").strip()[:MAX_TEXT] for name in ("q", "lei", "claimed", "jurisdiction")
    }
    kinds = status.kinds()
    context = {
        **site.each_context(request),
        "title": "LEI register",
        "kinds": kinds,
        "empty": not any(kind.live for kind in kinds),
        "running": status.running(),
        "imports": GoldenCopyImport.objects.all()[:LAST],
        "names_missing": name_search_state(),
        "sync_hours": settings.REGISTER_SYNC_HOURS,
        "asked": asked,
        **_answers(asked),
    }
    return render(request, "admin/entities/goldencopyimport/register.html", context)


def _answers(asked: dict[str, str]) -> dict[str, Any]:
    """What was found; trouble of the register is said and is no answer."""
    if not (asked["q"] or asked["lei"]):
        return {}
    try:
        register = open_register(settings.DOSSIER_REGISTER)
        found: dict[str, Any] = {}
        if asked["q"]:
            found["found"] = find_by_name(asked["q"], register=register, limit=HITS)
        if asked["lei"]:
            claim = Claim(asked["lei"], asked["claimed"] or None, asked["jurisdiction"] or None)
            found["report"] = check_claims([claim], register=register)[0]
        return {**found, "source": register.label}
    except GleifError as error:
        return {"trouble": str(error) or type(error).__name__}
