"""What a memo says, before any format: taken from the stored rows alone, so the same rows give the same memo."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from research.jsontext import Json, JsonObject
from research.memo.labels import Labels
from research.models import Decision, ResearchResult, Step
from research.models.states import DecisionVerdict, StepKind
from research.review.pointer import join, resolve

MAX_LINES = 2_000
_FINDINGS = ("key_findings", "key_concerns", "red_flags", "risk_factors")
_GAPS = ("data_gaps",)
_NEXT = ("recommended_verifications", "recommended_actions")


@dataclass(frozen=True)
class CheckLine:
    """One verdict in words."""

    verdict: str
    message: str


@dataclass(frozen=True)
class Line:
    """One leaf of the data: where it stands, its label, its text, what it was before an edit, its checks."""

    pointer: str
    depth: int
    label: str
    value: str
    was: str | None = None
    heading: bool = False
    checks: tuple[CheckLine, ...] = ()


@dataclass(frozen=True)
class Content:
    """All a memo says; lists are empty where there is nothing to say."""

    title: str
    subtitle: str
    facts: list[tuple[str, str]]
    summary: list[str]
    findings: list[Line]
    sources: list[JsonObject]
    decisions: list[str]
    edits: list[str]
    verbs: list[JsonObject]
    limitations: list[str]
    methodology: list[tuple[str, str]]
    next_steps: list[str]
    data: Json = field(repr=False, default=None)

    def as_json(self) -> JsonObject:
        """The JSON style: the same content as data."""
        return asdict(self)


def build(result: ResearchResult, labels: Labels) -> Content:
    """Gather the content of a memo about a result and, if there is one, its decision."""
    decision = Decision.objects.filter(result=result).select_related("reviewer").first()
    approved = decision is not None and decision.verdict == DecisionVerdict.APPROVED
    data = decision.data if decision and approved else result.data
    checks = _checks(result, decision)
    gaps = [*result.limitations, *_collect(data, _GAPS)]
    return Content(
        title=f"{labels('title')}: {result.run.title}",
        subtitle=labels(f"state_{result.state}"),
        facts=_facts(result, labels),
        summary=[*_check_summary(checks, labels), *_collect(data, _FINDINGS)],
        findings=list(_lines(data, result.data, checks, "", 0))[:MAX_LINES],
        sources=[
            dict(row) for row in result.run.sources.values("number", "title", "url", "as_of", "snippet")
        ],
        decisions=_decisions(decision, labels),
        edits=_edits(decision, result.data),
        verbs=_verbs(decision),
        limitations=gaps + ([labels("ungrounded")] if result.ungrounded else []),
        methodology=_methodology(result, checks, labels),
        next_steps=_next_steps(result, checks, data, labels),
        data=data,
    )


def _facts(result: ResearchResult, labels: Labels) -> list[tuple[str, str]]:
    run = result.run
    return [
        (labels("question"), f"{run.macro.description.strip()} ({run.macro})"),
        (
            labels("parameters"),
            ", ".join(f"{key}: {_text(value)}" for key, value in sorted(run.params.items())),
        ),
        (labels("found_on"), f"{result.created_at:%Y-%m-%d %H:%M} UTC"),
        (labels("fingerprint"), result.digest),
    ]


def _checks(result: ResearchResult, decision: Decision | None) -> list[JsonObject]:
    if decision and decision.checks:
        return list(decision.checks)
    rows = result.checks.values("kind", "code", "pointer", "subject", "verdict", "message", "as_of")
    return [dict(row) for row in rows]


def _check_summary(checks: list[JsonObject], labels: Labels) -> list[str]:
    counts = {
        word: sum(check["verdict"] == word for check in checks)
        for word in ("pass", "warn", "fail", "unknown")
    }
    words = ", ".join(f"{count} {labels(word)}" for word, count in counts.items() if count)
    return [f"{labels('checks_run')}: {len(checks)} ({words})." if checks else labels("no_checks")]


def _lines(data: Json, original: Json, checks: list[JsonObject], pointer: str, depth: int) -> Iterator[Line]:
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        place = join(pointer, key)
        label = _label(key, value)
        here = tuple(CheckLine(c["verdict"], c["message"]) for c in checks if c["pointer"] == place)
        if isinstance(value, dict | list) and value:
            yield Line(place, depth, label, "", heading=True, checks=here)
            yield from _lines(value, original, checks, place, depth + 1)
        else:
            yield Line(place, depth, label, _text(value), _was(original, place, value), checks=here)


def _label(key: str | int, value: Json) -> str:
    if isinstance(key, int):
        name = value.get("name") or value.get("owner_name") if isinstance(value, dict) else None
        return f"{key + 1}. {name}" if name else f"{key + 1}."
    return key.replace("_", " ").strip().capitalize() or '""'


def _was(original: Json, pointer: str, value: Json) -> str | None:
    found, old = resolve(original, pointer)
    if not found:
        return ""
    return None if _text(old) == _text(value) else _text(old)


def _text(value: Json) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "–" if value in ([], {}, "") else str(value)


def _collect(data: Json, names: tuple[str, ...], depth: int = 0) -> list[str]:
    """Every text in a list of one of these names, wherever the macro's schema puts it."""
    if depth > 4 or not isinstance(data, dict | list):
        return []
    found: list[str] = []
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if key in names and isinstance(value, list):
            found += [str(item) for item in value]
        else:
            found += _collect(value, names, depth + 1)
    return list(dict.fromkeys(found))


def _decisions(decision: Decision | None, labels: Labels) -> list[str]:
    if decision is None:
        return [labels("not_decided")]
    when = f"{decision.created_at:%Y-%m-%d %H:%M} UTC"
    line = f"{labels(f'verdict_{decision.verdict}')}: {decision.reviewer.get_username()}, {when}."
    return [line, *([f"{labels('reason')}: {decision.reason}"] if decision.reason else [])]


def _edits(decision: Decision | None, original: Json) -> list[str]:
    lines = []
    for edit in decision.edits if decision else []:
        old = resolve(original, edit["path"])[1]
        new = _text(edit["value"]) if "value" in edit else "–"
        lines.append(f"{edit['op']} {edit['path']}: {_text(old)} → {new}")
    return lines


def _verbs(decision: Decision | None) -> list[JsonObject]:
    calls = decision.verb_calls.all() if decision else []
    return [
        {
            "text": call.text,
            "state": call.state,
            "changed": len(call.changed),
            "error": (call.error or {}).get("message", ""),
        }
        for call in calls
    ]


def _methodology(result: ResearchResult, checks: list[JsonObject], labels: Labels) -> list[tuple[str, str]]:
    run = result.run
    steps = Step.objects.filter(run=run)
    seconds = (run.finished_at - run.started_at).total_seconds() if run.finished_at and run.started_at else 0
    return [
        (labels("researcher"), run.model),
        (labels("register"), run.register),
        (labels("model_turns"), str(steps.filter(kind=StepKind.MODEL).count())),
        (labels("tool_calls"), str(steps.filter(kind=StepKind.TOOL).count())),
        (labels("sources"), str(run.sources.count())),
        (labels("checks"), str(len(checks))),
        (labels("duration"), f"{seconds:.1f} s"),
        (labels("cost"), f"{run.spent_usd:.4f} USD"),
        (labels("started"), f"{run.started_at:%Y-%m-%d %H:%M:%S} UTC" if run.started_at else "–"),
    ]


def _next_steps(result: ResearchResult, checks: list[JsonObject], data: Json, labels: Labels) -> list[str]:
    steps = _collect(data, _NEXT)
    failed = [check["message"] for check in checks if check["verdict"] == "fail"]
    steps += [f"{labels('clear_up')}: {message}" for message in failed]
    state = {"pending_review": "next_review", "approved": "next_execute"}.get(result.state)
    expiry = [f"{labels('next_refresh')} {result.expires_at:%Y-%m-%d}."] if result.expires_at else []
    return [*([labels(state)] if state else []), *steps, *expiry]
