"""What the uses of a citation are called on its page, and where they are shown.

Citations know nothing of who cites: whoever records uses under a label says here how to show them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from django.http import HttpRequest


class Place(NamedTuple):
    """What a use stands in: its name, and the address of its page (empty for none)."""

    name: str
    url: str = ""


FindPlaces: TypeAlias = Callable[[HttpRequest, Sequence[str]], dict[str, Place]]
_FINDERS: dict[str, FindPlaces] = {}


def add_places(label: str, find: FindPlaces) -> None:
    """Show uses with this label by what ``find`` gives for their references: only what this person may see."""
    _FINDERS[label] = find


def places_of(request: HttpRequest, label: str, references: Sequence[str]) -> dict[str, Place]:
    """The places by reference; what is not there is not shown, or belongs to a label that nobody explains."""
    finder = _FINDERS.get(label)
    return finder(request, references) if finder else {}
