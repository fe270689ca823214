"""Who may read what through REST. Acting is a question for the services, which ask it on every face of the house."""

from django.contrib.auth.models import AnonymousUser
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView


class CanView(BasePermission):
    """Reading needs the permission that the view names in ``may_view``; every other method only a known person.

    A view whose POST only reads says so with ``reading_methods``.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.user, AnonymousUser) or not request.user.is_active:
            return False
        reading = request.method in getattr(view, "reading_methods", SAFE_METHODS)
        return not reading or request.user.has_perm(view.may_view)  # type: ignore[attr-defined]  # must name one
