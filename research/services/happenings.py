"""What a webhook is told of an event: what it is about and where to look, never what was found.

Whoever wants to know more asks the API, with a token and its rights. So a message that goes astray tells little.
"""

from django.conf import settings

from research.jsontext import JsonObject
from research.models import AuditEvent, ResearchResult, Run, VerbCall, Watch
from research.services.access import Person

VIEW = {
    "run": "research.view_run",
    "researchresult": "research.view_researchresult",
    "verbcall": "research.view_researchresult",
    "watch": "research.view_watch",
}
PAGES = {"run": "/admin/research/run/{}/change/", "result": "/admin/research/researchresult/{}/review/"}
"""Written out: to ask Django for them, a worker would load every page of the admin."""


def told(event: AuditEvent, person: Person) -> JsonObject | None:
    """The ``data`` of a message, for a person who may see it; None for others, and for the inner runs of a run."""
    if not person.is_active or not person.has_perm(VIEW[event.object_type]):
        return None
    match event.object_type:
        case "run":
            return _of_run(event)
        case "researchresult":
            found = ResearchResult.objects.filter(pk=event.object_id).select_related("run__macro").first()
            return _of_result(found, event) if found else None
        case "verbcall":
            return _of_verb(event)
    return _of_watch(event)


def told_of_heads(person: Person) -> bool:
    """Whether a person may see the audit trail."""
    return person.is_active and person.has_perm("research.view_auditevent")


def _of_run(event: AuditEvent) -> JsonObject | None:
    run = Run.objects.filter(pk=event.object_id, parent=None).select_related("macro").first()
    if run is None:
        return None
    result = event.detail.get("result")
    error = (event.detail.get("error") or {}).get("code")
    page = _page("result", result) if result else _page("run", run.pk)
    return {**_about(run), "result": result, "error": error, "url": page}


def _of_result(result: ResearchResult, event: AuditEvent) -> JsonObject:
    page = _page("result", result.pk)
    by = event.actor.get_username() if event.actor else None
    return {**_about(result.run), "result": str(result.pk), "by": by, "url": page}


def _of_verb(event: AuditEvent) -> JsonObject | None:
    calls = VerbCall.objects.select_related("decision__result__run__macro")
    call = calls.filter(pk=event.object_id).first()
    if call is None:
        return None
    return {**_of_result(call.decision.result, event), "verb": call.verb, "ordinal": call.ordinal}


def _of_watch(event: AuditEvent) -> JsonObject | None:
    watch = Watch.objects.filter(pk=event.object_id).select_related("decision__result__run__macro").first()
    if watch is None:
        return None
    approved = watch.decision.result
    result = event.detail.get("result") or str(approved.pk)
    page = _page("result", result)
    return {**_about(approved.run), "watch": watch.pk, "result": result, "url": page}


def _about(run: Run) -> JsonObject:
    session = str(run.session_id) if run.session_id else None
    return {"run": str(run.pk), "macro": run.macro.name, "trigger": run.trigger, "session": session}


def _page(name: str, pk: object) -> str:
    """The page of the admin where a person goes on."""
    return f"{settings.DOSSIER_URL}{PAGES[name].format(pk)}"
