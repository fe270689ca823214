"""Actions that other apps offer on the list of entities.

Entities know nothing of research: whoever can do something for many entities at once adds an action when the program
starts, as it adds panels to their pages.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from entities.models import Entity

Do: TypeAlias = Callable[[HttpRequest, QuerySet[Entity]], HttpResponse | None]
AdminDo: TypeAlias = Callable[[Any, HttpRequest, QuerySet[Entity]], HttpResponse | None]


@dataclass(frozen=True)
class ListAction:
    """``label`` is what a person chooses; ``allowed`` says to whom it is offered; ``do`` may lead to another page."""

    name: str
    label: str
    allowed: Callable[[HttpRequest], bool]
    do: Do


_ACTIONS: dict[str, ListAction] = {}


def add_list_action(action: ListAction) -> None:
    """Offer this action from now on; one of the same name is replaced."""
    _ACTIONS[action.name] = action


def list_actions_for(request: HttpRequest) -> list[ListAction]:
    """The actions that this person may choose."""
    return [action for action in _ACTIONS.values() if action.allowed(request)]


def admin_actions(request: HttpRequest) -> dict[str, tuple[AdminDo, str, str]]:
    """The same as Django's admin wants them: by name, with what to call and what to show."""
    return {one.name: (_called(one), one.name, one.label) for one in list_actions_for(request)}


def _called(action: ListAction) -> AdminDo:
    return lambda admin, request, entities: action.do(request, entities)
