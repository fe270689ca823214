"""The research tools: ask a question, follow it, read what came of it, and, with the right to, decide."""

from django.conf import settings
from django.urls import reverse

from research.api.macro_serializers import MacroDetailSerializer, MacroSerializer
from research.api.serializers import (
    MemoSerializer,
    ResultDetailSerializer,
    RunDetailSerializer,
)
from research.errors import NotFound
from research.jsontext import Json, JsonObject, storable_json
from research.mcp.offer import Offer
from research.memo.formats import TEXTS
from research.memo.labels import LANGUAGES
from research.models import Macro, Memo, ResearchResult, Run
from research.models.states import Autonomy, Depth, MacroStatus, Trigger
from research.review.merge import merged
from research.review.patch import make_patch
from research.services.access import DECIDE, EXECUTE, START, VIEW_RESULT, Person, require
from research.services.execution import execute_verbs
from research.services.macros import active_macro
from research.services.memos import compose_memo
from research.services.reviews import approve_result, reject_result
from research.services.runs import can_finish, cancel_run, confirm_checkpoint, finish_run, start_run
from research.services.sessions import find_session
from research.services.spending import with_calls

UUID: JsonObject = {"type": "string", "format": "uuid", "minLength": 36, "maxLength": 36}
DIGEST: JsonObject = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "description": "of the data that were read: an answer that has changed since is not decided about",
}
RESULTS = ResearchResult.objects.select_related("run__macro", "run__requested_by")
RUNS = Run.objects.select_related("macro", "subject", "requested_by", "result")


def _object(required: tuple[str, ...] = (), **properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def _answer(**members: Json) -> JsonObject:
    found: JsonObject = storable_json({"success": True, **members})
    return found


def research_list(arguments: JsonObject, person: Person) -> JsonObject:
    """The questions that can be asked, by a word in name or description, or by tag."""
    word, tag = arguments.get("search", "").lower(), arguments.get("tag", "")
    macros = Macro.objects.filter(status=MacroStatus.ACTIVE).order_by("name")
    found = [MacroSerializer(macro).data for macro in macros]
    kept = [
        macro
        for macro in found
        if word in f"{macro['name']} {macro['description']}".lower() and (not tag or tag in macro["tags"])
    ]
    return _answer(macros=kept, count=len(kept))


def research_get(arguments: JsonObject, person: Person) -> JsonObject:
    return _answer(macro=MacroDetailSerializer(active_macro(arguments["macro_name"])).data)


def research_execute(arguments: JsonObject, person: Person) -> JsonObject:
    """Start a run; it is followed by its id."""
    session = arguments.get("session_id")
    run = start_run(
        macro=arguments["macro_name"],
        params=arguments.get("params", {}),
        session=find_session(session) if session else None,
        autonomy=arguments.get("autonomy", Autonomy.BALANCED.value),
        depth=arguments.get("depth", Depth.STANDARD.value),
        trigger=Trigger.MCP.value,
        requested_by=person,
    )
    return research_status({"run_id": str(run.pk)}, person)


def research_status(arguments: JsonObject, person: Person) -> JsonObject:
    run = _run(arguments["run_id"])
    told = _answer(run=RunDetailSerializer(run).data, next_action=_next_action(run))
    result = getattr(run, "result", None)
    return told | ({"result_id": str(result.pk), "review_url": _review_url(result)} if result else {})


def research_result(arguments: JsonObject, person: Person) -> JsonObject:
    result = _result(arguments["result_id"])
    return _answer(result=ResultDetailSerializer(result).data, review_url=_review_url(result))


def research_memo(arguments: JsonObject, person: Person) -> JsonObject:
    """A memo that can be read as text; what is a file is downloaded."""
    result = _result(arguments["result_id"])
    options = {name: arguments[name] for name in ("style", "format", "language") if name in arguments}
    memo = compose_memo(result=result, actor=person, **options)
    return _answer(memo={**MemoSerializer(memo).data, "body": bytes(memo.body).decode()})


def research_confirm(arguments: JsonObject, person: Person) -> JsonObject:
    run = _run(arguments["run_id"])
    answer, phase = arguments.get("answer"), arguments["phase"]
    confirm_checkpoint(run=run, actor=person, answer=answer, phase=phase)
    return research_status({"run_id": str(run.pk)}, person)


def research_cancel(arguments: JsonObject, person: Person) -> JsonObject:
    run = _run(arguments["run_id"])
    cancel_run(run=run, actor=person)
    return research_status({"run_id": str(run.pk)}, person)


def research_finish(arguments: JsonObject, person: Person) -> JsonObject:
    run = _run(arguments["run_id"])
    finish_run(run=run, actor=person)
    return research_status({"run_id": str(run.pk)}, person)


def research_approve(arguments: JsonObject, person: Person) -> JsonObject:
    """``edits`` is a JSON Merge Patch (RFC 7396); it is kept as JSON Patch, like the edits of the review page."""
    result, execute = _result(arguments["result_id"]), arguments.get("execute_verbs", False)
    if execute:
        require(person, EXECUTE)  # before anything is decided
    decision = approve_result(
        result=result,
        reviewer=person,
        digest=arguments["digest"],
        edits=make_patch(result.data, merged(result.data, arguments.get("edits", {}))),
        reason=arguments.get("reviewer_notes", ""),
        shown=arguments.get("shown", []),
    )
    if execute:
        execute_verbs(decision=decision, actor=person)
    return research_result({"result_id": str(result.pk)}, person)


def research_reject(arguments: JsonObject, person: Person) -> JsonObject:
    result = _result(arguments["result_id"])
    reject_result(result=result, reviewer=person, digest=arguments["digest"], reason=arguments["reason"])
    return research_result({"result_id": str(result.pk)}, person)


def _run(key: str) -> Run:
    run = with_calls(RUNS).filter(pk=key).first()
    if run is None:
        raise NotFound(f"run: there is none with the id {key}")
    return run


def _result(key: str) -> ResearchResult:
    result = RESULTS.filter(pk=key).first()
    if result is None:
        raise NotFound(f"result: there is none with the id {key}")
    return result


def _review_url(result: ResearchResult) -> str:
    path = reverse("admin:research_researchresult_review", args=[result.pk])
    return f"{settings.DOSSIER_URL}{path}"


def _next_action(run: Run) -> str:
    """What whoever asked can do now, in a sentence."""
    if run.state == "awaiting_confirmation":
        return "It waits for a person: read `run.checkpoint`, then research_confirm with its phase."
    if run.state == "succeeded":
        return "Read research_result; a person decides about it at review_url."
    if run.state in ("failed", "cancelled"):
        made = " research_finish makes a partial result of what it found." if can_finish(run) else ""
        return f"It ended without a result; `run.error` says why.{made}"
    return "Ask research_status again in a while."


PARAMS: JsonObject = {
    "type": "object",
    "description": "as `params_schema` of research_get says: a JSON Schema",
}
SHOWN: JsonObject = {
    "type": "array",
    "items": {"type": "string", "maxLength": 2_000},
    "maxItems": 10_000,
    "description": 'What of the approved data that person has seen, as JSON Pointers; "" is all of it. What is not '
    "among it and has a failed or an unknown check has to be named in reviewer_notes.",
}
EDITS: JsonObject = {
    "type": "object",
    "description": "JSON Merge Patch (RFC 7396): null removes, lists are replaced as a whole",
}
QUESTIONS = (
    Offer(
        "research_list",
        "The questions (macros) that can be researched here.",
        _object(search={"type": "string", "maxLength": 100}, tag={"type": "string", "maxLength": 60}),
        ("research.view_macro",),
        research_list,
    ),
    Offer(
        "research_get",
        "One macro: its parameters (params_schema), the schema of its answer, and what is written on approval.",
        _object(("macro_name",), macro_name={"type": "string", "maxLength": 100}),
        ("research.view_macro",),
        research_get,
    ),
    Offer(
        "research_execute",
        "Start research. It goes on by itself; follow it with research_status.",
        _object(
            ("macro_name",),
            macro_name={"type": "string", "maxLength": 100},
            params=PARAMS,
            session_id=UUID,
            autonomy={"enum": Autonomy.values},
            depth={"enum": Depth.values},
        ),
        (START, "research.view_run"),
        research_execute,
        writes=True,
    ),
    Offer(
        "research_status",
        "How far a run is, what it waits for, what it cost, and its result once there is one.",
        _object(("run_id",), run_id=UUID),
        ("research.view_run",),
        research_status,
    ),
    Offer(
        "research_result",
        "What a run found: the data, every check with its verdict, the sources and the decision.",
        _object(("result_id",), result_id=UUID),
        (VIEW_RESULT,),
        research_result,
    ),
    Offer(
        "research_memo",
        "A memo about a result, as text: findings, citations with what was verified, limits. Without a style it is the "
        "one that the run asked for.",
        _object(
            ("result_id",),
            result_id=UUID,
            style={"enum": Memo.Style.values},
            format={"enum": list(TEXTS)},
            language={"enum": list(LANGUAGES)},
        ),
        (VIEW_RESULT,),
        research_memo,
    ),
    Offer(
        "research_confirm",
        "Let a run that waits for a person go on, with what that person changed in what it showed.",
        _object(
            ("run_id", "phase"),
            run_id=UUID,
            phase={"type": "string", "maxLength": 30, "description": "the checkpoint that was seen"},
            answer={"type": "object", "description": "what the checkpoint offers under `edit`, changed"},
        ),
        (START, "research.view_run"),
        research_confirm,
        writes=True,
    ),
    Offer(
        "research_cancel",
        "Stop a run: at once, or between two steps.",
        _object(("run_id",), run_id=UUID),
        (START, "research.view_run"),
        research_cancel,
        writes=True,
    ),
    Offer(
        "research_finish",
        "Make a partial result of what a failed or cancelled run has found, for review. Ask that person first.",
        _object(("run_id",), run_id=UUID),
        (START, "research.view_run"),
        research_finish,
        writes=True,
    ),
    Offer(
        "research_approve",
        "Sign for a result in the name of the person whose token this is. Ask that person first.",
        _object(
            ("result_id", "digest"),
            result_id=UUID,
            digest=DIGEST,
            edits=EDITS,
            reviewer_notes={"type": "string", "maxLength": 5_000},
            shown=SHOWN,
            execute_verbs={"type": "boolean"},
        ),
        (DECIDE, VIEW_RESULT),
        research_approve,
        writes=True,
    ),
    Offer(
        "research_reject",
        "Turn a result down in the name of the person whose token this is. Ask that person first.",
        _object(
            ("result_id", "digest", "reason"),
            result_id=UUID,
            digest=DIGEST,
            reason={"type": "string", "minLength": 1, "maxLength": 5_000},
        ),
        (DECIDE, VIEW_RESULT),
        research_reject,
        writes=True,
    ),
)
