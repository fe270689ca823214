"""Setting up a security key."""

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from research.admin.second_factor.codes import set_up
from research.admin.second_factor.entrance import person_of, proved, second_factor_page
from research.errors import DossierError
from research.services.factors import has_factor
from research.sign_in import keys


@second_factor_page
@proved
def key(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """Set up a security key."""
    person, trouble = person_of(request), ""
    if request.method == "POST":
        try:
            first = not has_factor(person)
            keys.add_answered(
                request, person, request.POST.get("name", ""), request.POST.get("answer", "")[:20_000]
            )
            return set_up(request, site, person, first, _("The security key is set up."))
        except DossierError as error:
            trouble = error.message
    context = {
        **site.each_context(request),
        "title": _("Security key"),
        "options": keys.ask_for_new(request, person),
        "trouble": trouble,
    }
    return render(request, "admin/sign_in/key.html", context)
