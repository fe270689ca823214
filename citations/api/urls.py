"""The REST paths of citations, below ``/api/v1/``."""

from django.urls import path

from citations.api import views

urlpatterns = [
    path("citations/extract", views.Extract.as_view(), name="api-citations-extract"),
    path("citations/verify", views.Verify.as_view(), name="api-citations-verify"),
    path("citations/format", views.Format.as_view(), name="api-citations-format"),
]
