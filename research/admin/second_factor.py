"""Pages of the second factor: showing it at a log-in, showing again who is there, and setting it up."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth import authenticate
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from research.errors import DossierError
from research.models import Factor
from research.services.access import Person
from research.services.factors import (
    add_app,
    address_of_secret,
    codes_left,
    end_sessions,
    factors_of,
    has_factor,
    make_codes,
    new_secret,
    remove_factor,
    use_code,
)
from research.services.lockouts import address_of, sentence, shut_until
from research.sign_in import keys, oidc
from research.sign_in.devices import device_of
from research.sign_in.second_step import (
    MARK,
    NEXT,
    PATIENCE,
    SHOWN,
    ask_again,
    enter,
    finish,
    half_way,
    is_fresh,
    is_on,
    mark_proved,
    safe_next,
)

Page = Callable[..., HttpResponseBase]
SECRET = "new_app_secret"  # noqa: S105 - where it is kept until its first code is right


def in_their_language(page: Page) -> Page:
    """The page in the language of the browser, if that is one of ours."""

    @wraps(page)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(translation.get_language_from_request(request)):
            return page(request, *args, **kwargs)

    return shown


def _door(page: Page) -> Page:
    """There where a second factor is on, never kept by a browser, in the language of whoever reads."""

    @wraps(page)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_on() and not (settings.DOSSIER_STEP_UP_MINUTES > 0 and page.__name__ == "confirm"):
            raise Http404
        return page(request, *args, **kwargs)

    return never_cache(sensitive_post_parameters()(in_their_language(opened)))


def _proved(page: Page) -> Page:
    """Whoever comes here has shown lately who they are, with the second factor where they have one."""

    @wraps(page)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        bare = request.session.get(MARK) != SHOWN and has_factor(_person(request))
        if bare or not is_fresh(request):
            return ask_again(request, reverse("admin:second_factor"))
        return page(request, *args, **kwargs)

    return opened


@_door
def confirm(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """The second step of a log-in, or showing again who is there: by a factor, by the password where there is none."""
    found = half_way(request)
    if not found and not request.user.is_authenticated:
        return HttpResponseRedirect(reverse("admin:login"))
    person = found.person if found else _person(request)
    wanted = found.next if found else safe_next(request, request.POST.get("next") or request.GET.get("next"))
    strong, trouble = bool(found) or (is_on() and has_factor(person)), ""
    if request.method == "POST":
        try:
            if strong:
                _show_factor(request, person)
            else:
                trouble = _wrong_password(request, person)
        except DossierError as error:
            trouble = error.message
        if not trouble and found:
            return finish(request, found)
        if not trouble:
            mark_proved(request, shown=strong)
            return HttpResponseRedirect(wanted)
    kinds = {factor.kind for factor in factors_of(person)}
    asked = keys.ask_for_known(request, person) if strong else None
    context = {
        **site.each_context(request),
        "title": _("Second step") if found else _("Is it still you?"),
        "person": person,
        "half_way": bool(found),
        "strong": strong,
        "by_code": bool(kinds & {Factor.Kind.APP, Factor.Kind.CODES}),
        "by_app": Factor.Kind.APP in kinds,
        "options": asked,
        "by_password": person.has_usable_password(),
        "provider": settings.DOSSIER_OIDC_NAME if oidc.is_set_up() else "",
        "next": wanted,
        "trouble": trouble,
        "has_permission": False,
    }
    return render(request, "admin/sign_in/confirm.html", context)


@_door
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


@_door
def second_factor(request: HttpRequest, *, site: AdminSite) -> HttpResponse:
    """What the person has set up, and what they can."""
    factors = factors_of(_person(request))
    context = {
        **site.each_context(request),
        "title": _("Second factor"),
        "factors": [factor for factor in factors if factor.kind != Factor.Kind.CODES],
        "has_app": any(factor.kind == Factor.Kind.APP for factor in factors),
        "left": codes_left(factors),
        "required": settings.DOSSIER_SECOND_FACTOR == "required",
    }
    return render(request, "admin/sign_in/second_factor.html", context)


@_door
@_proved
def app(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """Set up an authenticator app: its secret as a picture and as text, until the first code is right."""
    person, trouble = _person(request), ""
    if request.method == "POST" and request.session.get(SECRET):
        secret = request.session[SECRET]
        try:
            first = not has_factor(person)
            add_app(person=person, secret=secret, code=request.POST.get("code", "")[:20])
            del request.session[SECRET]
            return _set_up(request, site, person, first, _("The authenticator app is set up."))
        except DossierError as error:
            trouble = error.message
    else:
        secret = request.session[SECRET] = new_secret()
    picture = segno.make(address_of_secret(person, secret), micro=False)
    context = {
        **site.each_context(request),
        "title": _("Authenticator app"),
        "picture": picture.svg_data_uri(scale=5, border=3, dark="#000", light="#fff"),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "trouble": trouble,
    }
    return render(request, "admin/sign_in/app.html", context)


@_door
@_proved
def key(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """Set up a security key."""
    person, trouble = _person(request), ""
    if request.method == "POST":
        try:
            first = not has_factor(person)
            keys.add_answered(
                request, person, request.POST.get("name", ""), request.POST.get("answer", "")[:20_000]
            )
            return _set_up(request, site, person, first, _("The security key is set up."))
        except DossierError as error:
            trouble = error.message
    context = {
        **site.each_context(request),
        "title": _("Security key"),
        "options": keys.ask_for_new(request, person),
        "trouble": trouble,
    }
    return render(request, "admin/sign_in/key.html", context)


@_door
@_proved
def codes(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """New recovery codes, shown this once."""
    person = _person(request)
    if request.method != "POST" or not has_factor(person):
        return HttpResponseRedirect(reverse("admin:second_factor"))
    return _show_codes(request, site, make_codes(person=person))


@_door
@_proved
def remove(request: HttpRequest, factor_id: int, *, site: AdminSite) -> HttpResponseBase:
    """Take a factor away, after a question."""
    person = _person(request)
    factor = get_object_or_404(Factor, pk=factor_id, user=person.pk)
    if request.method == "POST":
        remove_factor(person=person, factor=factor)
        messages.success(request, _("%(name)s is removed.") % {"name": factor})
        return HttpResponseRedirect(reverse("admin:second_factor"))
    context = {**site.each_context(request), "title": _("Remove this factor?"), "factor": factor}
    return render(request, "admin/sign_in/remove.html", context)


def _set_up(request: HttpRequest, site: AdminSite, person: Person, first: bool, said: str) -> HttpResponse:
    """The session has shown a factor now. With the first come recovery codes, and other sessions end."""
    mark_proved(request, shown=True)
    messages.success(request, said)
    if not first:
        return HttpResponseRedirect(reverse("admin:second_factor"))
    end_sessions(person, but=request.session.session_key)
    return _show_codes(request, site, make_codes(person=person))


def _show_codes(request: HttpRequest, site: AdminSite, made: list[str]) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": _("Recovery codes"),
        "codes": made,
        "next": safe_next(request, request.session.pop(NEXT, "")),
    }
    return render(request, "admin/sign_in/codes.html", context)


def _show_factor(request: HttpRequest, person: Person) -> None:
    """Raises WrongCode, LockedOut."""
    answer = request.POST.get("answer", "")
    if answer:
        keys.check_answered(request, person, answer[:20_000])
    else:
        use_code(person=person, code=request.POST.get("code", "")[:40])


def _wrong_password(request: HttpRequest, person: Person) -> str:
    """Why the password that was typed is refused; it is counted as at a log-in."""
    name = person.get_username()
    if authenticate(request, username=name, password=request.POST.get("password", "")) == person:
        return ""
    until = shut_until(name=name, address=address_of(request), device=device_of(request, name))
    return sentence(until) if until else _("This password is not right.")


def _person(request: HttpRequest) -> Person:
    return cast(Person, request.user)
