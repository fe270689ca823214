"""From the first proof of who somebody is to a session that opens doors, and what a session has shown.

Between the first and the second step the session is anonymous: it opens no page but that of the second step. A session
remembers whether a second factor was shown in it, so that nothing is asked of the database while pages are read.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from research.services.access import Person
from research.services.factors import has_factor
from research.sign_in.devices import remember_device

HALF_WAY, MARK, PROVED, NEXT = "half_way", "second_factor", "proved_at", "after_set_up"
NONE, SHOWN = "none", "shown"
PATIENCE = 600  # seconds between the first step and the second, and for which a proof is fresh
ALWAYS = {"login", "passkey", "logout", "confirm", "single_sign_on", "single_sign_on_done", "jsi18n"}
SET_UP = {"second_factor", "second_factor_app", "second_factor_key", "second_factor_codes"}


@dataclass(frozen=True)
class HalfWay:
    """Somebody whose first step was right."""

    person: Person
    backend: str
    next: str


def is_on() -> bool:
    """Whether anything here is asked for."""
    return bool(settings.DOSSIER_SECOND_FACTOR != "off")


def safe_next(request: HttpRequest, wanted: str | None) -> str:
    """An address of ours, else the start page."""
    fits = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if wanted and fits else reverse("admin:index")


def enter(
    request: HttpRequest, person: Person, *, backend: str, wanted: str | None, shown: bool = False
) -> HttpResponseBase:
    """The first step was right: log in, or lead to the second step where the person has a second factor."""
    wanted = safe_next(request, wanted)
    if is_on() and not shown and has_factor(person):
        if request.user.is_authenticated:
            request.session.flush()
        request.session.cycle_key()
        request.session.set_expiry(PATIENCE)
        request.session[HALF_WAY] = {
            "person": person.pk,
            "password": person.get_session_auth_hash(),
            "backend": backend,
            "next": wanted,
            "at": time.time(),
        }
        return HttpResponseRedirect(reverse("admin:confirm"))
    return _logged_in(request, person, backend, wanted, SHOWN if shown else NONE)


def half_way(request: HttpRequest) -> HalfWay | None:
    """Who has taken the first step in this session, for ten minutes and while the password stays the same."""
    kept = request.session.get(HALF_WAY)
    if not kept or time.time() - kept["at"] > PATIENCE:
        return None
    person = get_user_model()._default_manager.filter(pk=kept["person"], is_active=True).first()
    if person is None or not constant_time_compare(person.get_session_auth_hash(), kept["password"]):
        return None
    return HalfWay(person, kept["backend"], kept["next"])


def finish(request: HttpRequest, found: HalfWay) -> HttpResponseBase:
    """The second step was right."""
    return _logged_in(request, found.person, found.backend, found.next, SHOWN)


def mark_proved(request: HttpRequest, *, shown: bool) -> None:
    """The person of this session has just shown again who they are; ``shown``: with a second factor."""
    request.session[PROVED] = time.time()
    if shown:
        request.session[MARK] = SHOWN


def is_fresh(request: HttpRequest, seconds: float = PATIENCE) -> bool:
    """Whether this session has shown lately who is there."""
    return bool(time.time() - request.session.get(PROVED, 0) < seconds)


def step_up_is_due(request: HttpRequest) -> bool:
    """Whether who approves has to show once more who they are; see DOSSIER_STEP_UP_MINUTES."""
    minutes = settings.DOSSIER_STEP_UP_MINUTES
    return bool(minutes > 0 and not is_fresh(request, minutes * 60))


def ask_again(request: HttpRequest, wanted: str | None = None) -> HttpResponseRedirect:
    """To the page that asks who is there, and from it back."""
    query = urlencode({"next": wanted or request.get_full_path()})
    return HttpResponseRedirect(f"{reverse('admin:confirm')}?{query}")


def _logged_in(
    request: HttpRequest, person: Person, backend: str, wanted: str, mark: str
) -> HttpResponseBase:
    login(request, cast(User, person), backend)
    request.session.set_expiry(None)  # as long as any other
    request.session.pop(HALF_WAY, None)  # of whoever began here, and was somebody else perhaps
    if is_on():
        request.session[MARK] = mark
    request.session[PROVED] = time.time()
    response = HttpResponseRedirect(wanted)
    remember_device(request, response, person)
    return response


class SecondStep:
    """Middleware: a session that has not shown a second factor, where one is asked for, opens only what leads to it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not is_on():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        if request.session.get(MARK) == SHOWN or not request.user.is_authenticated:
            return None
        match = request.resolver_match
        name = match.url_name if match else ""
        if MARK not in request.session:  # it began while nothing was asked for
            if has_factor(request.user):
                return None if name in ALWAYS else _refused(request, ask_again)
            request.session[MARK] = NONE
        if settings.DOSSIER_SECOND_FACTOR != "required" or name in ALWAYS | SET_UP:
            return None
        return _refused(request, _to_set_up)


def _to_set_up(request: HttpRequest) -> HttpResponseRedirect:
    if request.method == "GET" and request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate":
        request.session[NEXT] = request.get_full_path()
    return HttpResponseRedirect(reverse("admin:second_factor"))


def _refused(request: HttpRequest, lead: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
    if not request.path.startswith("/api/"):
        return lead(request)
    body = {
        "type": "urn:dossier:second-factor",
        "title": "This session has not shown a second factor. Log in again, or send a token.",
        "status": 403,
    }
    return JsonResponse(body, status=403, content_type="application/problem+json")
