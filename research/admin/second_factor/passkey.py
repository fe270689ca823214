"""Logging in by a passkey alone."""

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode

from research.admin.second_factor.entrance import second_factor_page
from research.errors import DossierError
from research.sign_in import keys
from research.sign_in.second_step import PATIENCE, enter, safe_next


@second_factor_page
def passkey(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """Logging in by a passkey alone, which is both steps: what the browser is asked, and then its answer."""
    if request.method != "POST":
        if not request.user.is_authenticated:
            request.session.set_expiry(PATIENCE)
        return JsonResponse(keys.ask_for_any(request))
    wanted = request.POST.get("next")
    try:
        person = keys.person_of_passkey(request, request.POST.get("answer", "")[:20_000])
    except DossierError as error:
        messages.error(request, error.message)
        return HttpResponseRedirect(
            f"{reverse('admin:login')}?{urlencode({'next': safe_next(request, wanted)})}"
        )
    return enter(request, person, backend=settings.AUTHENTICATION_BACKENDS[0], wanted=wanted, shown=True)
