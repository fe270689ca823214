"""``browse/TOOL``: walking through sites, one call of a tool at a time; the session goes on by itself."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.people import person
from research.browsing.walks import Owner
from research.errors import WalkRefused
from research.jsontext import storable_json
from research.services.access import START
from research.tools.browsing import CALLS, call_browsing
from research.tools.tool import REGISTRY, argument_fault

PREFIX = "research_"
WORDS = [name.removeprefix(PREFIX) for name in CALLS]


class Browse(APIView):
    """The tools of walking: what they take and give is said in the reference of tools for agents."""

    permission_classes = [CanView]
    may_view = (START, "research.view_document")

    @extend_schema(
        parameters=[OpenApiParameter("tool", str, OpenApiParameter.PATH, enum=WORDS)],
        request=OpenApiTypes.OBJECT,
        responses={200: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request, tool: str) -> Response:
        """Make a step, or look something up; the body is the tool's arguments.

        An old ``viewToken`` is refused with 409; ``given`` and ``current`` are the tokens, and nothing was chosen.
        """
        name = f"{PREFIX}{tool}"
        if name not in CALLS:
            raise NotFound(f"There is no such tool; there are: {', '.join(WORDS)}.")
        arguments: Any = request.data
        if fault := argument_fault(REGISTRY[name], arguments):
            raise WalkRefused("bad_arguments", fault)
        answer = call_browsing(name, arguments, Owner(person_id=person(request).pk))
        return Response(storable_json(answer))
