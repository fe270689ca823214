"""The REST API, put together from each app's own ``api`` room."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path, re_path
from django.views import defaults
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from config.outages import answer_for
from entities.api.idempotency import Remembering
from research.api.docs import docs
from research.api.idempotency import idempotent

Remembering.by = staticmethod(idempotent)


@extend_schema(exclude=True)
class NoSuchPath(APIView):
    """A path that is not there is refused like everything else: with a problem document."""

    permission_classes = [AllowAny]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise NotFound(f"There is nothing at {request.path[:200]}.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that Django turned away before anybody read it, for example because it names another host."""
    if not request.path.startswith("/api/"):
        return defaults.bad_request(request, exception)
    body = {
        "type": "urn:dossier:bad-request",
        "title": "The request is not one for this server.",
        "status": 400,
    }
    return JsonResponse(body, status=400, content_type="application/problem+json")


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an exception that nobody foresaw: a problem document below ``/api/``, a page elsewhere."""
    if outage := answer_for(request):
        return outage
    if not request.path.startswith("/api/"):
        return defaults.server_error(request)
    body = {"type": "urn:dossier:internal", "title": "Something went wrong; it is logged.", "status": 500}
    return JsonResponse(body, status=500, content_type="application/problem+json")


urlpatterns = [
    path("", include("research.api.urls")),
    path("", include("entities.api.urls")),
    path("", include("citations.api.urls")),
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs", docs, name="api-docs"),
    re_path("", NoSuchPath.as_view()),
]
