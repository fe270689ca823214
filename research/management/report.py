"""How runs and results look on a terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from entities.management.base import VERDICT_STYLES, verdict
from entities.management.console import Part
from research.jsontext import Json, JsonObject, canonical_json
from research.models import Check, Decision, ResearchResult, Run, Step, VerbCall
from research.models.states import RunState, StepKind, VerbState

Line: TypeAlias = Sequence[Part]

STATE_STYLES = {
    RunState.SUCCEEDED.value: "SUCCESS",
    RunState.FAILED.value: "ERROR",
    RunState.CANCELLED.value: "WARNING",
    RunState.AWAITING_CONFIRMATION.value: "WARNING",
    VerbState.SUCCEEDED.value: "SUCCESS",
}
WORST_FIRST = ("fail", "unknown", "warn", "pass")
MAX_VALUE = 160


def state(word: str) -> Part:
    """A state in its colour."""
    return word, STATE_STYLES.get(word, "NOTICE")


def step_line(step: Step) -> Line:
    """One line of progress: what was asked, and in a word what came back."""
    asked = ", ".join(f"{key}={_short(value, 60)}" for key, value in step.intent.get("arguments", {}).items())
    return [
        f"  {step.seq:>3}  ",
        (step.name, "MIGRATE_LABEL"),
        f"  {asked}" * bool(asked),
        "  ",
        *_outcome(step),
    ]


def run_rows(run: Run) -> list[Line]:
    """The head of a run."""
    result = ResearchResult.objects.filter(run=run).first()
    rows: list[Line] = [
        ["run", str(run.pk)],
        ["macro", str(run.macro)],
        ["about", run.title],
        ["state", state(run.state)],
        ["register", run.register],
        ["model", run.model],
        ["asked by", f"{run.requested_by or 'the machine itself'}, {run.created_at:%Y-%m-%d %H:%M} UTC"],
    ]
    if result:
        rows.append(["result", f"{result.pk} ({result.state})"])
    return rows


def error_lines(error: JsonObject) -> Iterator[Line]:
    """Why a run failed, with the names that were nearest."""
    yield [("failed: ", "ERROR"), str(error.get("message", "no reason given"))]
    for nearest in [*error.get("nearest", []), *error.get("candidates", [])]:
        yield [f"    {nearest.get('lei', '')}  {nearest.get('name', '')} ({nearest.get('jurisdiction', '')})"]


def data_lines(data: Json, depth: int = 0) -> Iterator[Line]:
    """The document as indented ``name: value`` lines; a list item is headed by its name."""
    space = "  " * (depth + 1)
    items = data.items() if isinstance(data, dict) else enumerate(data, start=1)
    for key, value in items:
        if isinstance(value, dict | list) and value:
            yield [space, (_label(key, value), "MIGRATE_LABEL")]
            yield from data_lines(value, depth + 1)
        else:
            yield [space, (f"{key}: ", "HTTP_NOT_MODIFIED"), _short(value, MAX_VALUE)]


def check_rows(checks: Sequence[Check]) -> list[Line]:
    """Every check, the worst first."""
    ordered = sorted(checks, key=lambda check: WORST_FIRST.index(check.verdict))
    return [[verdict(c.verdict), c.code, c.pointer or "(document)", c.subject, c.message] for c in ordered]


def tally(checks: Sequence[Check]) -> list[Part]:
    """``12 pass, 1 fail``, each in its colour."""
    counts = Counter(check.verdict for check in checks)
    parts: list[Part] = []
    for word in (word for word in reversed(WORST_FIRST) if counts[word]):
        parts += [", "] * bool(parts)
        parts.append((f"{counts[word]} {word}", VERDICT_STYLES[word]))
    return parts or ["none"]


def result_rows(result: ResearchResult) -> list[Line]:
    """The head of a result."""
    decision = Decision.objects.filter(result=result).select_related("reviewer").first()
    rows: list[Line] = [
        ["result", str(result.pk)],
        ["run", str(result.run_id)],
        ["macro", str(result.run.macro)],
        ["about", result.run.title],
        ["state", state(result.state)],
        ["digest", result.digest],
        ["schema", ("valid", "SUCCESS") if result.schema_valid else ("not valid", "ERROR")],
        ["register", result.run.register],
    ]
    if decision:
        by = f"{decision.verdict} by {decision.reviewer}, {decision.created_at:%Y-%m-%d %H:%M} UTC"
        rows.append(["decision", f"{by}, {len(decision.edits)} edits" if decision.edits else by])
    if decision and decision.reason:
        rows.append(["reason", decision.reason])
    return rows


def call_rows(calls: Sequence[VerbCall]) -> list[Line]:
    """Planned and executed verbs, in order."""
    return [[f"{c.ordinal:>3}", state(c.state), c.text, (c.error or {}).get("message", "")] for c in calls]


def _outcome(step: Step) -> list[Part]:
    answer = step.answer or {}
    if step.kind == StepKind.TOOL and not answer.get("success", True):
        return [(f"no answer: {answer['error'].get('message', '')}", "WARNING")]
    if step.kind == StepKind.MODEL:
        calls = answer.get("tool_calls", [])
        return [f"asks for {len(calls)} tool calls" if calls else "writes its answer"]
    return [("done", "SUCCESS")] if step.kind == StepKind.TOOL else []


def _label(key: str | int, value: Json) -> str:
    name = value.get("name") if isinstance(value, dict) else None
    return f"{key}. {name}" if isinstance(key, int) and isinstance(name, str) else f"{key}"


def _short(value: Json, length: int) -> str:
    if value is None:
        return "-"
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= length else f"{text[: length - 1]}…"
