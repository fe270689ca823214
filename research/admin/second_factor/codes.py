"""Recovery codes: made anew, and with the first factor."""

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from research.admin.second_factor.entrance import person_of, proved, second_factor_page
from research.services.access import Person
from research.services.factors import end_sessions, has_factor, make_codes
from research.sign_in.second_step import NEXT, mark_proved, safe_next


@second_factor_page
@proved
def codes(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """New recovery codes, shown this once."""
    person = person_of(request)
    if request.method != "POST" or not has_factor(person):
        return HttpResponseRedirect(reverse("admin:second_factor"))
    return show_codes(request, site, make_codes(person=person))


def set_up(request: HttpRequest, site: AdminSite, person: Person, first: bool, said: str) -> HttpResponse:
    """The session has shown a factor now. With the first come recovery codes, and other sessions end."""
    mark_proved(request, shown=True)
    messages.success(request, said)
    if not first:
        return HttpResponseRedirect(reverse("admin:second_factor"))
    end_sessions(person, but=request.session.session_key)
    return show_codes(request, site, make_codes(person=person))


def show_codes(request: HttpRequest, site: AdminSite, made: list[str]) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": _("Recovery codes"),
        "codes": made,
        "next": safe_next(request, request.session.pop(NEXT, "")),
    }
    return render(request, "admin/sign_in/codes.html", context)
