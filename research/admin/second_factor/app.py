"""Setting up an authenticator app."""

import segno
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from research.admin.second_factor.codes import set_up
from research.admin.second_factor.entrance import person_of, proved, second_factor_page
from research.errors import DossierError
from research.services.factors import add_app, address_of_secret, has_factor, new_secret

SECRET = "new_app_secret"  # noqa: S105 - where it is kept until its first code is right


@second_factor_page
@proved
def app(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """Set up an authenticator app: its secret as a picture and as text, until the first code is right."""
    person, trouble = person_of(request), ""
    if request.method == "POST" and request.session.get(SECRET):
        secret = request.session[SECRET]
        try:
            first = not has_factor(person)
            add_app(person=person, secret=secret, code=request.POST.get("code", "")[:20])
            del request.session[SECRET]
            return set_up(request, site, person, first, _("The authenticator app is set up."))
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
