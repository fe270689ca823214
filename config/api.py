"""The REST API, put together from each app's own ``api`` room."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
