"""``runs/{id}/events``: the journal of a run as server-sent events while it grows."""

import json
import time
from collections.abc import Callable, Iterator
from uuid import UUID

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from entities.api.permissions import CanView
from research.api.negotiation import AnyAnswer
from research.api.serializers import RunSerializer, StepSerializer
from research.jsontext import Json
from research.models import Run, Step
from research.models.states import RunState

PAUSE_SECONDS = 0.5
LONGEST_SECONDS = 60.0
OVER = {RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED}


class RunEvents(APIView):
    """A stream holds one thread of the web server, so it ends after a minute; a client then asks for the rest."""

    permission_classes = [CanView]
    may_view = ("research.view_run", "research.view_step")
    content_negotiation_class = AnyAnswer

    @extend_schema(responses={(200, "text/event-stream"): OpenApiTypes.STR})
    def get(self, request: Request, pk: UUID) -> StreamingHttpResponse:
        """``step`` and ``run`` events; ``Last-Event-ID`` says after which step to begin."""
        run = get_object_or_404(Run, pk=pk)
        last = request.headers.get("Last-Event-ID", "")
        events = follow(run.pk, after=int(last[:9]) if last.isdecimal() else 0)
        return StreamingHttpResponse(
            events,
            content_type="text/event-stream",
            headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
        )


def follow(
    run_id: UUID,
    *,
    after: int = 0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[str]:
    """Every answered step once, the run whenever its state changes; ends with the run or after a minute."""
    end, state = clock() + LONGEST_SECONDS, ""
    while True:
        run = Run.objects.select_related("macro", "result").get(pk=run_id)
        for step in Step.objects.filter(run_id=run_id, seq__gt=after, answered_at__isnull=False).order_by(
            "seq"
        ):
            after = step.seq
            yield _event("step", StepSerializer(step).data, after)
        if run.state != state:
            state = run.state
            yield _event("run", RunSerializer(run).data, after)
        if state in OVER or clock() >= end:
            return
        sleep(PAUSE_SECONDS)
        yield ": still here\n\n"  # a client that has gone is noticed here


def _event(name: str, document: Json, number: int) -> str:
    data = json.dumps(json.loads(JSONRenderer().render(document)))  # noqa: TID251 - our own
    return f"event: {name}\nid: {number}\ndata: {data}\n\n"
