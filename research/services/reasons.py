"""What stands behind a statement of entity memory: the verb call, the decision, the checks and quotes it rested on, and
the archived pages."""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from django.urls import reverse

from entities.models import Statement
from entities.reasons import May, Reason, add_reasons
from research.jsontext import Json, JsonObject
from research.models import Decision, Document, Rollback, VerbCall
from research.review.pointer import is_inside, join

MAX_CHECKS = 20
MAX_LEAVES = 20_000
MAX_TEXT = 2_000


def reasons_of(statement: Statement, may: May) -> list[Reason]:
    """The chain from the verb call that made the statement; empty for one that no decision has written.

    Each part needs the permission to see it: what a person may not see is left out.
    """
    rows = VerbCall.objects.filter(pk=statement.call or 0, decision=statement.decision)
    call = rows.select_related("executed_by", "decision__reviewer", "decision__result__run__macro").first()
    if call is None:
        return []
    chain = _call(call) if may("research.view_verbcall") else []
    chain += _decision(call.decision) if may("research.view_decision") else []
    checks = _checks_on(statement, call)
    chain += [_check(check) for check in checks] if may("research.view_check") else []
    return chain + (_pages(checks) if may("research.view_document") else [])


def _call(call: VerbCall) -> list[Reason]:
    path = reverse("admin:research_verbcall_change", args=[call.pk])
    who = call.executed_by.get_username() if call.executed_by else ""
    return [Reason("call", call.text[:MAX_TEXT], call.finished_at, who, path, verdict=call.state)]


def _decision(decision: Decision) -> list[Reason]:
    result = decision.result
    said = f"{result}: {decision.reason}" if decision.reason else str(result)
    path = reverse("admin:research_researchresult_change", args=[result.pk])
    who = decision.reviewer.get_username()
    chain = [Reason("decision", said[:MAX_TEXT], decision.created_at, who, path, verdict=decision.verdict)]
    rollback = Rollback.objects.filter(decision=decision).select_related("actor").first()
    if rollback:
        who = rollback.actor.get_username()
        chain.append(Reason("rollback", rollback.reason[:MAX_TEXT], rollback.at, who, path))
    return chain


def _checks_on(statement: Statement, call: VerbCall) -> list[JsonObject]:
    """The checks of the decision on the places that hold what the statement, or its call, says."""
    wanted = {_plain(value) for value in [*call.arguments.values(), statement.value, statement.share_low]}
    wanted |= {_plain(statement.object.name)} if statement.object else set()
    places = [place for place, value in _leaves(call.decision.data) if _plain(value) in wanted - {""}]
    found = []
    for check in call.decision.checks:
        pointer = check.get("pointer") or ""
        if pointer and any(is_inside(place, pointer) or is_inside(pointer, place) for place in places):
            found.append(check)
            if len(found) == MAX_CHECKS:
                break
    return found


def _check(check: JsonObject) -> Reason:
    """A check, or the quote that one found in an archived text."""
    evidence = check.get("evidence") or {}
    quote, document = str(evidence.get("quote") or ""), evidence.get("document")
    path = ""
    if isinstance(document, int):
        path = reverse("admin:research_document_change", args=[document])
        if isinstance(evidence.get("start"), int):
            path += f"?from={evidence['start']}&to={evidence.get('end')}#passage"
    kind = "quote" if check.get("kind") == "quote" else "check"
    said = f"{check.get('pointer', '')}: {check.get('message', '')}"
    verdict = str(check.get("verdict", ""))
    return Reason(kind, said[:MAX_TEXT], path=path, quote=quote[:MAX_TEXT], verdict=verdict)


def _pages(checks: list[JsonObject]) -> list[Reason]:
    """The archived texts in which the quotes stand."""
    named = [(check.get("evidence") or {}).get("document") for check in checks]
    documents = Document.objects.filter(pk__in={pk for pk in named if isinstance(pk, int)}).defer("text")
    return [
        Reason(
            "page",
            str(document),
            document.fetched_at,
            path=reverse("admin:research_document_change", args=[document.pk]),
            address=document.url,
        )
        for document in documents.order_by("pk")
    ]


def _leaves(data: Json) -> Iterator[tuple[str, Any]]:
    """(pointer, value) of the texts and numbers of a document, bounded."""
    stack: list[tuple[str, Any]] = [("", data)]
    for _ in range(MAX_LEAVES):
        if not stack:
            return
        place, value = stack.pop()
        if isinstance(value, dict):
            stack += [(join(place, name), item) for name, item in value.items()]
        elif isinstance(value, list):
            stack += [(join(place, at), item) for at, item in enumerate(value)]
        elif value is not None:
            yield place, value


def _plain(value: Any) -> str:
    """The same text for 70, 70.0 and "70", and for a name in other capitals."""
    text = " ".join(str(value).split()).casefold() if isinstance(value, str | int | float | Decimal) else ""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return f"{number.normalize():f}" if number.is_finite() else text


def tell_reasons() -> None:
    """Let entity memory ask for what stands behind its statements. Called when the program starts."""
    add_reasons("research", reasons_of)
