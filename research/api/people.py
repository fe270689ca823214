"""Who is asking."""

from typing import cast

from rest_framework.request import Request

from research.services.access import Person


def person(request: Request) -> Person:
    """The person behind the request; views let nobody else in."""
    return cast(Person, request.user)
