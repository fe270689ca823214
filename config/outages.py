"""What is answered while the database is away, full, or busy with others: 503 or 507, in a sentence and with a time."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from common.transactions import is_away, is_full, passes

SAFE = ("GET", "HEAD", "OPTIONS")
MARK = "_outage"


@dataclass(frozen=True)
class Outage:
    """``code`` and ``title`` of the problem document; ``wait`` are the seconds after which to try again."""

    code: str
    status: int
    title: str
    wait: int


AWAY = Outage(
    *("database-unavailable", 503),
    "The database cannot be reached at the moment. Try again in a few seconds; what was stored is there.",
    wait=5,
)
BUSY = Outage(
    *("database-busy", 503),
    "Others are writing what this would write. Nothing was stored; try again in a few seconds.",
    wait=2,
)
FULL = Outage(
    *("storage-full", 507),
    "There is no room left on the disk. Nothing was stored, and what is there can be read. "
    "Whoever runs Dossier has to make room.",
    wait=300,
)


def outage_of(error: BaseException | None) -> Outage | None:
    """What the database, or the disk, is at; None for any other error."""
    if error is None:
        return None
    kinds = ((is_full, FULL), (passes, BUSY), (is_away, AWAY))
    return next((outage for holds, outage in kinds if holds(error)), None)


def answer_for(request: HttpRequest) -> HttpResponse | None:
    """The answer to the error that is being handled, where it is an outage: a problem document, or a page."""
    outage = outage_of(sys.exc_info()[1])
    if outage is None:
        return None
    answer: HttpResponse
    if request.path.startswith("/api/"):
        body = {"type": f"urn:dossier:{outage.code}", "title": outage.title, "status": outage.status}
        answer = JsonResponse(body, status=outage.status, content_type="application/problem+json")
    else:  # without the frame of other pages, which would ask the database
        answer = HttpResponse(render_to_string("outage.html", {"outage": outage}), status=outage.status)
    answer["Retry-After"] = str(outage.wait)
    setattr(answer, MARK, outage)
    return answer


class AskOnceMore:
    """A request that only reads, and whose connection the database broke, is answered over a new one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if request.method in SAFE and getattr(answer, MARK, None) is AWAY:
            connections.close_all()
            answer = self.get_response(request)
        return answer
