"""What research has of an entity that is erased: the runs that were about it, and what came of them.

Such a run stays as a row without content: that it was, of which macro, who asked, what it cost. So does a decision.
Texts of pages that no other run used go. A result about somebody else keeps what it says, without the words.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from entities.memory.redaction import ERASED, Words, holds, is_named
from entities.memory.written import chunks
from entities.models import Erasure
from entities.services.erasure import Done, Wipe
from entities.services.sweeping import keys_holding
from research import audit
from research.audit import witness
from research.jsontext import digest
from research.models import (
    Check,
    Decision,
    Document,
    Draft,
    IdempotencyKey,
    Memo,
    Page,
    ResearchResult,
    Rollback,
    Run,
    Source,
    Step,
    VerbCall,
    VerbEffect,
    Walk,
    WalkView,
    Watch,
)
from research.models.states import OPEN_RUN_STATES
from research.services.access import Person
from research.web.archive.store import replace

RESULT: dict[str, Any] = {
    "data": {},
    "schema_errors": [],
    "limitations": [],
    "evidence": [],
    "coverage": {},
    "fidelity": None,
    "suggested_verbs": "",
    "verb_faults": [],
    "register_label": "",
}
DECISION: dict[str, Any] = {"reason": ERASED, "edits": [], "checks": [], "displayed": {}, "verbs": ""}
CALL: dict[str, Any] = {"text": ERASED, "arguments": {}, "output": None, "changed": [], "error": None}
EFFECT: dict[str, Any] = {"entity": ERASED, "what": ERASED, "old": {}, "new": {}}
RUN: dict[str, Any] = {"params": {}, "feedback": "", "error": None}


def wipes(ids: Sequence[UUID], words: Words) -> Sequence[Wipe]:
    """What goes of the runs that were about these entities: they are their subject, or were asked for by name."""
    about = Q(subject__in=ids) | Q(pk__in=_asked_by_name(words))
    runs = Run.objects.filter(about)
    return wipes_of(Run.objects.filter(about | Q(parent__in=runs)))


def _asked_by_name(words: Words) -> list[UUID]:
    """Runs of which a parameter is one of the words and nothing else. No subject is known of what nobody approved."""
    likely = Run.objects.filter(pk__in=keys_holding(Run, "params", words) if words else [])
    return [
        run.pk
        for run in likely.only("params")
        if any(is_named(value, words) for value in dict(run.params).values())
    ]


def wipes_of(runs: QuerySet[Run]) -> Sequence[Wipe]:
    """What these runs found out, and what came of it."""
    results = ResearchResult.objects.filter(run__in=runs)
    decisions = Decision.objects.filter(result__in=results)
    calls = VerbCall.objects.filter(decision__in=decisions)
    sources = Source.objects.filter(run__in=runs)
    others = Source.objects.exclude(run__in=runs).filter(document__isnull=False)
    documents = Document.objects.filter(pk__in=sources.values("document")).exclude(
        pk__in=others.values("document")
    )
    return (
        Wipe(WalkView.objects.filter(Q(walk__run__in=runs) | Q(document__in=documents))),
        Wipe(Walk.objects.filter(run__in=runs)),
        Wipe(Page.objects.filter(document__in=documents)),
        Wipe(documents),
        Wipe(sources),
        Wipe(Step.objects.filter(run__in=runs)),
        Wipe(Check.objects.filter(result__in=results)),
        Wipe(Memo.objects.filter(result__in=results)),
        Wipe(Watch.objects.filter(Q(decision__in=decisions) | Q(run__in=runs))),
        Wipe(results, RESULT),
        Wipe(decisions, DECISION),
        Wipe(decisions.filter(data__isnull=False), {"data": {}}),
        Wipe(calls, CALL),
        Wipe(VerbEffect.objects.filter(call__in=calls), EFFECT),
        Wipe(Rollback.objects.filter(decision__in=decisions), {"reason": ERASED, "steps": []}),
        Wipe(runs, RUN),
    )


def blockers(ids: Sequence[UUID], words: Words) -> Sequence[str]:
    """Work in progress would write down again what is erased."""
    at_work = [
        run
        for run in Run.objects.filter(state__in=OPEN_RUN_STATES).select_related("macro")
        if run.subject_id in ids or holds(run.params, words)
    ]
    return [
        f"The run {run.pk} ({run.macro.name}) is about it and is {run.state}: cancel it, or wait for its end."
        for run in at_work
    ]


def follow(done: Done) -> None:
    """Memos of a result out of which something was taken, drafts and kept answers go; so does a watch that asks for it.

    Memos are bytes, in which no word is looked for, and so are pictures of pages; a watch without the name would ask
    about nobody.
    """
    results = {*done.emptied.get(ResearchResult, {})}
    results |= {*_decided(done).values_list("result", flat=True)}
    done.delete(Memo, Memo.objects.filter(result__in=results).values_list("pk", flat=True))
    seen = WalkView.objects.filter(document__in=done.emptied.get(Document, {}))
    done.delete(WalkView, seen.values_list("pk", flat=True))
    for model in (Draft, IdempotencyKey, Walk, WalkView, Watch):
        done.delete(model, done.emptied.pop(model, {}))


def settle(erasure: Erasure, actor: Person | None, done: Done) -> None:
    """Bring what rests on the bytes of a result in line, and vouch for what stays."""
    for result in ResearchResult.objects.filter(pk__in=done.emptied.get(ResearchResult, {})).only("data"):
        ResearchResult.objects.filter(pk=result.pk).update(digest=digest(result.data))
    for decision in _decided(done).filter(data__isnull=False).only("data"):
        Decision.objects.filter(pk=decision.pk).update(digest=digest(decision.data))
    for document in Document.objects.filter(pk__in=done.emptied.get(Document, {})):
        replace(document)
    said = witness.fingerprints_of_keys("erasure", [erasure.pk])
    for model, rows in done.emptied.items():
        name = model._meta.model_name or ""
        keys = [key for key in rows if key not in done.deleted.get(model, {})]
        for kind in (name, "statementend") if name == "statement" else (name,):
            for some in chunks(keys if kind in witness.KINDS else []):
                said |= witness.fingerprints_of_keys(kind, some)
    audit.record_erased(erasure, actor, said)


def _decided(done: Done) -> QuerySet[Decision]:
    return Decision.objects.filter(pk__in=done.emptied.get(Decision, {}))
