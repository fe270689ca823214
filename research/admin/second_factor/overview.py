"""What a person has set up, and what they can."""

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from research.admin.second_factor.entrance import person_of, second_factor_page
from research.models import Factor
from research.services.factors import codes_left, factors_of


@second_factor_page
def overview(request: HttpRequest, *, site: AdminSite) -> HttpResponse:
    """What the person has set up, and what they can."""
    factors = factors_of(person_of(request))
    context = {
        **site.each_context(request),
        "title": _("Second factor"),
        "factors": [factor for factor in factors if factor.kind != Factor.Kind.CODES],
        "has_app": any(factor.kind == Factor.Kind.APP for factor in factors),
        "left": codes_left(factors),
        "required": settings.DOSSIER_SECOND_FACTOR == "required",
    }
    return render(request, "admin/sign_in/second_factor.html", context)
