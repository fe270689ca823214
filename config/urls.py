"""URLs of the whole house."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config import health

admin.autodiscover()  # here and not when the apps are loaded: a worker has no use for the pages and their forms

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]
handler400 = "config.api.bad_request"
handler500 = "config.api.server_error"
