"""The admin site: Dossier's own start page, and its tables grouped by what they are for."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path


class DossierSite(AdminSite):
    """The pages themselves are imported when one is asked for: this class is made while they register."""

    site_header = site_title = "Dossier"
    index_title = "Start"
    index_template = "admin/start.html"
    site_url = None

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        from research.sign_in.devices import remember_device
        from research.sign_in.passwords import LogInForm

        self.login_form = LogInForm
        response = super().login(request, extra_context)
        if request.method == "POST" and request.user.is_authenticated:
            remember_device(request, response, request.user)
        return response

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from research.admin.start import start_page

        return super().index(request, {**start_page(request), **(extra_context or {})})

    def get_urls(self) -> list[Any]:
        return [path("doctor/", self.admin_view(self.doctor), name="doctor"), *super().get_urls()]

    def doctor(self, request: HttpRequest) -> HttpResponseBase:
        """Whether everything is in order."""
        from research.admin.doctor import doctor_page

        return doctor_page(request, site=self)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        from research.admin.rooms import by_room

        apps = super().get_app_list(request, app_label)
        return apps if app_label else by_room(apps)
