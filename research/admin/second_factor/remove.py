"""Taking a factor away."""

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from research.admin.second_factor.entrance import person_of, proved, second_factor_page
from research.models import Factor
from research.services.factors import remove_factor


@second_factor_page
@proved
def remove(request: HttpRequest, factor_id: int, *, site: AdminSite) -> HttpResponseBase:
    """Take a factor away, after a question."""
    person = person_of(request)
    factor = get_object_or_404(Factor, pk=factor_id, user=person.pk)
    if request.method == "POST":
        remove_factor(person=person, factor=factor)
        messages.success(request, _("%(name)s is removed.") % {"name": factor})
        return HttpResponseRedirect(reverse("admin:second_factor"))
    context = {**site.each_context(request), "title": _("Remove this factor?"), "factor": factor}
    return render(request, "admin/sign_in/remove.html", context)
