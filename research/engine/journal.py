"""The journal of a run: intent before the call, answer right after it, each in a transaction of its own.

Nothing else is conversation state. An intent without an answer is the one call that may have been in flight when a
worker died; it is asked again under the same number.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from research.engine import lease
from research.jsontext import JsonObject, storable_json, storable_text
from research.models import Document, Source, Step
from research.models.states import StepKind

MAX_SOURCES = 500
MAX_SNIPPET = 2_000


class Journal:
    """Writes steps of one run under one fence; every method raises LeaseLost when the fence is stale."""

    def __init__(self, run_id: UUID, fence: int) -> None:
        self.run_id, self.fence = run_id, fence

    def steps(self) -> list[Step]:
        """All steps so far, in order."""
        return list(Step.objects.filter(run_id=self.run_id).order_by("seq"))

    @transaction.atomic
    def intend(self, kind: StepKind, name: str, intent: JsonObject) -> Step:
        """Commit what is about to be done."""
        lease.hold(self.run_id, self.fence)
        last = Step.objects.filter(run_id=self.run_id).aggregate(last=Max("seq"))["last"] or 0
        return Step.objects.create(
            run_id=self.run_id,
            seq=last + 1,
            kind=kind,
            name=name[:100],
            intent=storable_json(intent),
            fence=self.fence,
        )

    @transaction.atomic
    def retry(self, step: Step) -> Step:
        """Ask again what was in flight when the last worker stopped."""
        lease.hold(self.run_id, self.fence)
        step.attempt, step.fence = step.attempt + 1, self.fence
        step.save(update_fields=["attempt", "fence"])
        return step

    @transaction.atomic
    def answer(self, step: Step, answer: JsonObject, **fields: Any) -> Step:
        """Commit what came back, before anything else is done with it."""
        lease.hold(self.run_id, self.fence)
        step.answer, step.answered_at = storable_json(answer), timezone.now()
        for name, value in fields.items():
            setattr(step, name, storable_json(value))
        step.save(update_fields=["answer", "answered_at", *fields])
        return step

    @transaction.atomic
    def answer_tool(self, step: Step, content: JsonObject, sources: Sequence[JsonObject]) -> Step:
        """The answer of a tool together with what it was read from."""
        for source in sources:
            keep_source(self.run_id, source)
        return self.answer(step, content)

    def note(self, kind: StepKind, name: str, content: JsonObject) -> Step:
        """A step that has no call to wait for."""
        return self.answer(self.intend(kind, name, {}), content)


def give_connection_back() -> None:
    """No database connection is held while something far away is asked."""
    if not connection.in_atomic_block:
        connection.close()


def keep_source(run_id: UUID, source: JsonObject) -> Source | None:
    """Store a source once per run, its text once in the archive; None when the run has too many."""
    source = storable_json(source)
    key = str(source.get("key") or source["url"])[:200]
    kind = str(source.get("kind") or "web")
    known = Source.objects.filter(run_id=run_id, kind=kind, key=key).first()
    if known:
        return known
    number = (Source.objects.filter(run_id=run_id).aggregate(last=Max("number"))["last"] or 0) + 1
    if number > MAX_SOURCES:
        return None
    return Source.objects.create(
        run_id=run_id,
        number=number,
        kind=kind,
        key=key,
        document=archive(source, fetched_at=timezone.now()),
        url=str(source["url"])[:2000],
        title=str(source.get("title") or source["url"])[:500],
        snippet=str(source.get("snippet", ""))[:MAX_SNIPPET],
        as_of=str(source.get("as_of", ""))[:40],
        quality=str(source.get("quality", ""))[:10],
    )


def archive(source: JsonObject, *, fetched_at: datetime) -> Document | None:
    """The archived text of a source, content-addressed; None when it came without text."""
    text = storable_text(str(source.get("text") or ""))
    if not text:
        return None
    content = text.encode()
    document, _ = Document.objects.get_or_create(
        digest=hashlib.sha256(content).hexdigest(),
        defaults={
            "url": str(source["url"])[:2000],
            "title": str(source.get("title", ""))[:500],
            "mime": str(source.get("mime") or "application/json")[:100],
            "size": len(content),
            "text": text,
            "fetched_at": fetched_at,
        },
    )
    return document
