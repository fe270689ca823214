"""The admin site: Dossier's own start page, and its tables grouped by what they are for."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, cast

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path, reverse

SECOND_FACTOR = {
    "overview": "",
    "app": "app/",
    "key": "key/",
    "codes": "codes/",
    "remove": "<int:factor_id>/remove/",
}


def _asked_for(
    site: AdminSite, module: str, name: str, request: HttpRequest, **given: Any
) -> HttpResponseBase:
    """A page of a module that is imported when the page is asked for."""
    page: Callable[..., HttpResponseBase] = getattr(import_module(f"research.admin.{module}"), name)
    return page(request, site=site, **given)


class DossierSite(AdminSite):
    """The pages themselves are imported when one is asked for: this class is made while they register."""

    site_header = site_title = "Dossier"
    index_title = "Start"
    index_template = "admin/start.html"
    site_url = None

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Django's, which also keeps what was typed on a page whose log-in has expired."""
        from research.admin.kept import keeping

        return keeping(super().admin_view(view, cacheable))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The one log-in there is: by password, and from there to the second step where there is one."""
        from research.admin.log_in import log_in

        return log_in(request, site=self, extra_context=extra_context)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Django's page, with wrong old passwords counted."""
        from research.sign_in.passwords import ChangePassword

        page = ChangePassword.as_view(
            template_name=self.password_change_template or "registration/password_change_form.html",
            success_url=reverse("admin:password_change_done"),
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return cast(TemplateResponse, page(request))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from research.admin.start import start_page

        return super().index(request, {**start_page(request), **(extra_context or {})})

    def get_urls(self) -> list[Any]:
        door = partial(partial, _asked_for, self)
        own = [
            path("doctor/", self.admin_view(self.doctor), name="doctor"),
            path("confirm/", door("second_factor.confirm", "confirm"), name="confirm"),
            path("login/passkey/", door("second_factor.passkey", "passkey"), name="passkey"),
            path("login/single-sign-on/", door("single_sign_on", "single_sign_on"), name="single_sign_on"),
            path(
                "login/single-sign-on/done/",
                door("single_sign_on", "single_sign_on_done"),
                name="single_sign_on_done",
            ),
        ]
        for name, tail in SECOND_FACTOR.items():
            page = self.admin_view(door(f"second_factor.{name}", name))
            named = f"second_factor_{name}".removesuffix("_overview")
            own.append(path(f"second-factor/{tail}", page, name=named))
        return [*own, *super().get_urls()]

    def doctor(self, request: HttpRequest) -> HttpResponseBase:
        """Whether everything is in order."""
        from research.admin.doctor import doctor_page

        return doctor_page(request, site=self)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "second_factor_on": settings.DOSSIER_SECOND_FACTOR != "off"}

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        from research.admin.rooms import by_room

        apps = super().get_app_list(request, app_label)
        return apps if app_label else by_room(apps)
