"""The second step of a log-in, and showing again who is there."""

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from research.admin.second_factor.entrance import person_of, second_factor_page
from research.errors import DossierError
from research.models import Factor
from research.services.access import Person
from research.services.factors import factors_of, has_factor, use_code
from research.services.lockouts import address_of, sentence, shut_until
from research.sign_in import keys, oidc
from research.sign_in.devices import device_of
from research.sign_in.second_step import finish, half_way, is_on, mark_proved, safe_next


@second_factor_page
def confirm(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """The second step of a log-in, or showing again who is there: by a factor, by the password where there is none."""
    found = half_way(request)
    if not found and not request.user.is_authenticated:
        return HttpResponseRedirect(reverse("admin:login"))
    person = found.person if found else person_of(request)
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
