"""Who may come to these pages, and in which language they are shown."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from research.services.access import Person
from research.services.factors import has_factor
from research.sign_in.second_step import MARK, SHOWN, ask_again, is_fresh, is_on

Page = Callable[..., HttpResponseBase]


def in_their_language(page: Page) -> Page:
    """The page in the language of the browser, if that is one of ours."""

    @wraps(page)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(translation.get_language_from_request(request)):
            return page(request, *args, **kwargs)

    return shown


def second_factor_page(page: Page) -> Page:
    """There where a second factor is on, never kept by a browser, in the language of whoever reads."""

    @wraps(page)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_on() and not (settings.DOSSIER_STEP_UP_MINUTES > 0 and page.__name__ == "confirm"):
            raise Http404
        return page(request, *args, **kwargs)

    return never_cache(sensitive_post_parameters()(in_their_language(opened)))


def proved(page: Page) -> Page:
    """Whoever comes here has shown lately who they are, with the second factor where they have one."""

    @wraps(page)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        bare = request.session.get(MARK) != SHOWN and has_factor(person_of(request))
        if bare or not is_fresh(request):
            return ask_again(request, reverse("admin:second_factor"))
        return page(request, *args, **kwargs)

    return opened


def person_of(request: HttpRequest) -> Person:
    return cast(Person, request.user)
