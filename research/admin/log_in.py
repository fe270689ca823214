"""The page that asks for a name and a password."""

from typing import Any, cast

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from research.services.access import Person
from research.sign_in.passwords import LogInForm
from research.sign_in.second_step import enter, is_on


class LogIn(LoginView):
    """Django's, and from it to the second step where the person has one."""

    form_class = LogInForm
    template_name = "admin/login.html"
    next_page = "admin:index"  # also where a ``next`` led that is refused

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        person = cast(Person, form.get_user())
        backend = getattr(person, "backend", settings.AUTHENTICATION_BACKENDS[0])
        return cast(HttpResponse, enter(self.request, person, backend=backend, wanted=self.get_success_url()))


@never_cache
def log_in(
    request: HttpRequest, *, site: AdminSite, extra_context: dict[str, Any] | None = None
) -> HttpResponse:
    """The page, in the language of the browser."""
    if request.method == "GET" and site.has_permission(request):
        return HttpResponseRedirect(reverse("admin:index"))
    with translation.override(translation.get_language_from_request(request)):
        context = {
            **site.each_context(request),
            "title": _("Log in"),
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
            "passkeys": is_on(),
            **(extra_context or {}),
        }
        if settings.DOSSIER_OIDC_ISSUER and settings.DOSSIER_OIDC_CLIENT_ID:
            context["provider"] = settings.DOSSIER_OIDC_NAME
        response = LogIn.as_view(extra_context=context)(request)
        return cast(HttpResponse, getattr(response, "render", lambda: response)())
