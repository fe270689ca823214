"""The page that says whether everything is in order; what asks outside is asked when its button is pressed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string

from research.doctor.all import everything, to_do
from research.doctor.findings import GROUPS, Found, State, worst

PERMISSION = "research.view_auditevent"
STATES: tuple[State, ...] = ("broken", "warning", "ok", "skipped")
CUT = "<!-- the answers, as they come -->"


def doctor_page(request: HttpRequest, *, site: AdminSite) -> HttpResponseBase:
    """What asks nobody at once; after POST also each answer from outside, written to the page as it comes."""
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    frame = {**site.each_context(request), "title": "Is everything in order?"}
    if request.method == "POST":
        response = StreamingHttpResponse(_as_they_come(request, frame))
        response.headers["X-Accel-Buffering"] = "no"  # or nginx would keep it all until it is whole
        return response
    _, found = everything(offline=True)
    context = {**frame, **_shown(list(found)), "asking": False}
    return HttpResponse(render_to_string("admin/doctor.html", context, request))


def _as_they_come(request: HttpRequest, frame: dict[str, Any]) -> Iterator[str]:
    order, coming = everything()
    found: list[Found] = []
    head = tail = ""
    local = sum(
        not one.outside for one in order[:-1]
    )  # the last one comes last: it needs the answers of the others
    for one, finding in coming:
        found.append((one, finding))
        if len(found) < local:
            continue
        if len(found) == local:
            context = {**frame, **_shown(found), "asking": True, "waiting": len(order) - local}
            head, _, tail = render_to_string("admin/doctor.html", context, request).partition(CUT)
            yield head
        else:
            yield render_to_string(
                "admin/doctor/finding.html", {"one": one, "finding": finding, "group": one.group}
            )
    yield render_to_string("admin/doctor/verdict.html", {**_shown(found), "done": True})
    yield tail


def _shown(found: Sequence[Found]) -> dict[str, Any]:
    counts = Counter(finding.state for _, finding in found)
    groups = [(group, [pair for pair in found if pair[0].group == group]) for group in GROUPS]
    return {
        "groups": [(group, pairs) for group, pairs in groups if pairs],
        "counts": [(state, counts[state]) for state in STATES if counts[state]],
        "state": worst([finding for _, finding in found]),
        "todo": to_do(found),
        "asked": sum(one.outside for one, _ in found),
    }
