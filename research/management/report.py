"""How runs and results look on a terminal."""

import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from django.urls import reverse
from django.utils import timezone

from common.commands.base import VERDICT_STYLES
from common.commands.console import Part, plain_lines
from research.checks.verdict import WORST_FIRST
from research.jsontext import Json, JsonObject, canonical_json
from research.models import Check, Decision, ResearchResult, Run, Step, VerbCall
from research.models.states import ResultState, RunState, StepKind, VerbState
from research.services.checkpoints import Checkpoint
from research.services.spending import amount, spend_of
from research.services.trouble import explain_end, explain_wait, used_words

Line: TypeAlias = Sequence[Part]
_Verdicts: TypeAlias = tuple[tuple[str, str], ...]

STATE_STYLES = {
    RunState.SUCCEEDED.value: "SUCCESS",
    RunState.FAILED.value: "ERROR",
    RunState.CANCELLED.value: "WARNING",
    RunState.AWAITING_CONFIRMATION.value: "WARNING",
    VerbState.SUCCEEDED.value: "SUCCESS",
    VerbState.ROLLED_BACK.value: "WARNING",
}
TAKEN_STYLES = {"keep": "WARNING"}
TAKEN_WORDS = {
    "remove": "removed",
    "restore": "given back what was there",
    "mark": "marked on the timeline",
    "keep": "kept",
}
MAX_VALUE = 4_000
NO_TERMINAL = (10_000, 24)  # a pipe: programs find whole sentences on one line


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


def plan_lines(step: Step) -> Iterator[Line]:
    """What a run that waits for a person is going to do."""
    if step.kind == StepKind.PHASE and isinstance(step.answer, dict):
        yield from data_lines(step.answer, depth=4)


def progress_lines(progress: JsonObject | None) -> Iterator[Line]:
    """The phases of a deep run on one line, and a line for each of its researchers."""
    if progress is None:
        return
    marks = {"done": "✓", "now": "●", "waits": "?", "ended": "✗"}
    line: list[Part] = ["phases  "]
    for phase in progress["phases"]:
        name, mark = phase["name"], marks.get(phase["state"], "·")
        if name == "round":
            name = f"round {progress['round']}/{progress['rounds']}"
        line.append(f"  {mark} {name}")
    yield line
    for topic in progress["topics"]:
        told = f"{topic['calls']} calls, {topic['sources']} sources" if not topic["error"] else topic["error"]
        yield [
            f"  {topic['directive']}  ",
            state(topic["state"]),
            f"  {_short(topic['title'], 70)}  ({told})",
        ]


def checkpoint_lines(checkpoint: Checkpoint | None) -> Iterator[Line]:
    """What a run asks a person, and what can be changed."""
    if checkpoint is None or (checkpoint.phase == "plan" and checkpoint.edit is None):
        return
    yield [(f"{checkpoint.phase}: ", "WARNING"), checkpoint.message]
    yield from data_lines(checkpoint.shown, depth=2)
    yield from data_lines(checkpoint.edit or {}, depth=2)


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
        [
            "used",
            used_words(run),
        ],
        ["spent", _spend(run)],
    ]
    if result:
        rows.append(["result", f"{result.pk} ({result.state})"])
    return rows


def _spend(run: Run) -> str:
    """What it cost, in words, with what may still come and what is allowed."""
    spend = spend_of(run)
    more = [
        f"possibly paid {spend.possibly_paid_text} USD" * bool(spend.possibly_paid),
        f"reserved {amount(spend.reserved)} USD" * bool(spend.reserved),
        f"budget {amount(spend.budget)} USD" if spend.budget is not None else "",
    ]
    return "; ".join([spend.words, *filter(None, more)])


def trouble_lines(run: Run) -> Iterator[Line]:
    """Why a run failed or what it waits for, and what to do next."""
    if run.error:
        yield from error_lines(run.error)
    waits, ended = explain_wait(run, timezone.now()), explain_end(run)
    if waits:
        yield [("waits: ", "WARNING"), waits.sentence, f" ({waits.detail})" * bool(waits.detail)]
    elif ended and ended.detail:
        yield [ended.sentence]
    if ended and ended.said:
        yield from _wrapped(["The model said: "], _short(" ".join(ended.said.split()), MAX_VALUE))
    if (told := waits or ended) and told.advice:
        yield [told.advice]


def error_lines(error: JsonObject) -> Iterator[Line]:
    """Why a run failed, with the names that were nearest."""
    message, nearest_names = str(error.get("message", "no reason given")), error.get("nearest", [])
    yield [("failed: ", "ERROR"), message.partition(" Nearest:")[0] if nearest_names else message]
    yield from [["nearest:"]] if nearest_names else []
    for nearest in nearest_names:
        ended = ", ended" * (nearest.get("entity_status") == "INACTIVE")
        place = nearest.get("jurisdiction", "")
        yield [f"    {nearest.get('lei', '')}  {nearest.get('name', '')} ({place}{ended})"]


def data_lines(data: Json, depth: int = 1) -> Iterator[Line]:
    """The document as indented ``name: value`` lines; an item of a list is headed by its name."""
    space = "  " * depth
    items = data.items() if isinstance(data, dict) else enumerate(data, start=1)
    for key, value in items:
        if isinstance(value, dict | list) and value:
            heading, rest = _headed(key, value)
            yield [space, (heading, "MIGRATE_LABEL")]
            yield from data_lines(rest, depth + 1)
        else:
            label = f"{key}. " if isinstance(key, int) else f"{key}: "
            yield from _wrapped([space, label], _short(value, MAX_VALUE))


def check_lines(checks: Sequence[Check]) -> Iterator[Line]:
    """Every check under what it is about, the worst first; what has the same verdicts is told about once."""
    groups: dict[str, list[Check]] = {}
    for check in sorted(checks, key=_badness):
        groups.setdefault(check.subject or check.pointer or "the document", []).append(check)
    alike: dict[tuple[_Verdicts, _Verdicts], list[str]] = {}
    for subject, group in groups.items():
        told = dict.fromkeys((c.verdict, f"{c.code}: {c.message}") for c in group if c.verdict != "pass")
        passed = dict.fromkeys((c.verdict, c.code) for c in group if c.verdict == "pass")
        alike.setdefault((tuple(told), tuple(passed)), []).append(subject)
    for (told_of_all, passed_by_all), subjects in alike.items():
        for subject in subjects:
            where = _places(subject, groups[subject])
            yield from _wrapped([(f"  {subject}", "MIGRATE_LABEL"), "  " * bool(where)], where)
        for word, text in told_of_all:
            yield from _wrapped(["    ", (f"{word:<8}", VERDICT_STYLES[word])], text)
        if passed_by_all:
            codes = ", ".join(code for _, code in passed_by_all)
            yield from _wrapped(["    ", (f"{'pass':<8}", VERDICT_STYLES["pass"])], codes)


def _places(subject: str, group: Sequence[Check]) -> str:
    """The name that the register has for what was checked, and where in the document it stands."""
    names = [check.evidence.get("seen") for check in group if check.code == "name"]
    pointers = ", ".join(
        dict.fromkeys(check.pointer for check in group if check.pointer not in ("", subject))
    )
    return "  ".join(filter(None, [*map(str, names[:1]), pointers]))


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
        *_marks(result),
        *_expiry(result),
    ]
    if decision:
        by = f"{decision.verdict} by {decision.reviewer}, {decision.created_at:%Y-%m-%d %H:%M} UTC"
        rows.append(["decision", f"{by}, {len(decision.edits)} edits" if decision.edits else by])
    if decision and decision.reason:
        rows.append(["reason", decision.reason])
    return rows


def _marks(result: ResearchResult) -> list[Line]:
    """What a reader has to know of a result before its words."""
    marks: list[Line] = []
    if result.partial:
        marks.append(["partial", ("the research ended before it was done", "ERROR")])
    if result.ungrounded:
        marks.append(["ungrounded", ("no text of a source was read for it", "ERROR")])
    return marks


def _expiry(result: ResearchResult) -> list[Line]:
    if result.expires_at is None or result.state != ResultState.PENDING_REVIEW:
        return []
    if result.expired(timezone.now()):
        return [["expired", (f"{result.expires_at:%Y-%m-%d}: run it again", "ERROR")]]
    return [["decide by", f"{result.expires_at:%Y-%m-%d}"]]


def call_rows(calls: Sequence[VerbCall]) -> list[Line]:
    """Planned and executed verbs, in order."""
    return [[f"{c.ordinal:>3}", state(c.state), c.text, (c.error or {}).get("message", "")] for c in calls]


def taken_rows(told: Mapping[str, Any]) -> list[Line]:
    """What is or would be taken back, row by row, and why the rest is kept."""
    return [
        [
            (step["action"], TAKEN_STYLES.get(step["action"], "NOTICE")),
            step["entity"],
            _taken(step),
            step["why"],
        ]
        for step in told["steps"]
    ]


def _taken(step: JsonObject) -> str:
    return f"{step['what']} ({', '.join(step['fields'])})" if step["fields"] else str(step["what"])


def review_path(result: ResearchResult) -> str:
    """Where the review page of a result is."""
    return reverse("admin:research_researchresult_review", args=[result.pk])


def _outcome(step: Step) -> list[Part]:
    answer = step.answer or {}
    if not answer.get("success", True):
        return [(f"no answer: {answer['error'].get('message', '')}", "WARNING")]
    if step.kind == StepKind.MODEL:
        count = len(answer.get("tool_calls", []))
        return [f"asks for {count} tool call{'s' * (count > 1)}" if count else "writes its answer"]
    return [("done", "SUCCESS")] if step.kind == StepKind.TOOL else []


def _headed(key: str | int, value: Json) -> tuple[str, Json]:
    """The heading of a part, and the part without what the heading says already."""
    if not isinstance(key, int):
        return key, value
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return f"{key}.", value
    return f"{key}. {value['name']}", {name: item for name, item in value.items() if name != "name"}


def _badness(check: Check) -> int:
    return WORST_FIRST.index(check.verdict)


def _wrapped(label: list[Part], text: str) -> Iterator[Line]:
    """``text`` after its label, as wide as the terminal; the lines that follow stand below the first."""
    indent = sum(len(part if isinstance(part, str) else part[0]) for part in label)
    room = max(shutil.get_terminal_size(NO_TERMINAL).columns - indent, 30)
    first, *others = [
        part
        for line in plain_lines(text)
        for part in textwrap.wrap(line, room, break_long_words=False, break_on_hyphens=False) or [""]
    ]
    yield [*label, first] if first else label
    yield from ([" " * indent, line] for line in others)


def _short(value: Json, length: int) -> str:
    if value is None:
        return "-"
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= length else f"{text[: length - 1]}…"
