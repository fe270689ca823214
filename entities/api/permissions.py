"""Who may read what through REST. Acting is a question for the services, which ask it on every face of the house."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from entities.memory.people import as_seen_by, see_as
from entities.models import LookHow


class Seen:
    """A view that reads as the person may see it: without natural persons, for whoever lacks that right.

    What writes sees everybody: a person whom somebody may not see must still not be created twice.
    """

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Nobody is seen until it is known who asks; after the answer everything is as it was."""
        with as_seen_by(AnonymousUser(), LookHow.REST):
            return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]  # of the view beside it

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Now it is known."""
        super().initial(request, *args, **kwargs)  # type: ignore[misc]
        reading = request.method in getattr(self, "reading_methods", SAFE_METHODS)
        see_as(request.user if reading else None)


class CanView(BasePermission):
    """Reading needs the permissions that the view names in ``may_view``, and so does acting on one thing of a list:
    who may not see it cannot act on it, and is not told what it says. Adding to a list needs only a known person here.

    A view whose POST only reads says so with ``reading_methods``.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.user, AnonymousUser) or not request.user.is_active:
            return False
        reading = request.method in getattr(view, "reading_methods", SAFE_METHODS)
        adding = isinstance(view, ListModelMixin) and not reading
        named: str | tuple[str, ...] = view.may_view  # type: ignore[attr-defined]  # every view must name one
        return adding or request.user.has_perms((named,) if isinstance(named, str) else named)
