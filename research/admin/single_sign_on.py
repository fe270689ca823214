"""Logging in by a provider of single sign-on: to it, and back."""

import logging
from dataclasses import asdict

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from research.admin.second_factor.entrance import in_their_language
from research.errors import DossierError, NotPermitted
from research.services.identities import person_at
from research.sign_in import oidc
from research.sign_in.second_step import enter, safe_next

log = logging.getLogger(__name__)


@never_cache
@in_their_language
def single_sign_on(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """To the provider."""
    if not oidc.is_set_up():
        raise Http404
    try:
        wanted = safe_next(request, request.GET.get("next"))
        return HttpResponseRedirect(oidc.address_to_ask(request, wanted))
    except DossierError as error:
        return _refused(request, site, error)


@never_cache
@in_their_language
def single_sign_on_done(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """Back from it."""
    if not oidc.is_set_up():
        raise Http404
    try:
        claims, wanted = oidc.answered(request)
        person = person_at(**asdict(claims))
        if not person.is_staff:
            raise NotPermitted(_("Your account here has no rights yet."))
    except DossierError as error:
        return _refused(request, site, error)
    trusted = settings.DOSSIER_OIDC_SECOND_FACTOR == "provider"
    return enter(request, person, backend=settings.AUTHENTICATION_BACKENDS[0], wanted=wanted, shown=trusted)


def _refused(request: HttpRequest, site: AdminSite, error: DossierError) -> HttpResponseBase:
    log.warning("Single sign-on was refused: %s", error.message)
    context = {
        **site.each_context(request),
        "title": _("You are not logged in"),
        "trouble": error.message,
        "provider": settings.DOSSIER_OIDC_NAME,
        "has_permission": False,
    }
    return render(request, "admin/sign_in/refused.html", context, status=403)
