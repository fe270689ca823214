"""Which tools were asked about an entity, and with what result, by the journal."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from uuid import UUID

from django.db.models import Q

from entities.models import Entity
from research.jsontext import JsonObject, canonical_json
from research.models import Step
from research.models.states import StepKind
from research.tools.tool import COMPLETE, REGISTRY, THINK

NO_SOURCES = (
    THINK,
    COMPLETE,
    "resolve_entity",
    "search_entities",
    "check_research_freshness",
    "get_cached_research",
)
SLIPS = ("unknown_tool", "bad_arguments", "budget")  # errors of the caller, which say nothing about a source


def tool_steps(live: Iterable[Step]) -> list[Step]:
    """Answered calls to outside sources, in order. Memory itself is not a source."""
    answered = (step for step in live if step.kind == StepKind.TOOL and step.answer is not None)
    return [step for step in answered if step.name not in NO_SOURCES and _kind(step) != "write"]


def audit_of(steps: Sequence[Step]) -> JsonObject:
    """``{toolsUsed, toolsSucceeded, toolsFailed}`` without duplicates. A tool may be in both of the last two."""
    return {
        "toolsUsed": _names(steps),
        "toolsSucceeded": _names(step for step in steps if worked(step)),
        "toolsFailed": _names(step for step in steps if not worked(step)),
    }


def sources_of(steps: Sequence[Step]) -> list[JsonObject]:
    """The sources for memory: one per tool. It succeeded if any call did."""
    by_tool: dict[str, Step] = {}
    for step in steps:
        if str((step.answer or {}).get("error", {}).get("code", "")) in SLIPS:
            continue
        if step.name not in by_tool or (worked(step) and not worked(by_tool[step.name])):
            by_tool[step.name] = step
    return [_source(step) for step in by_tool.values()]


def sources_about(run: str, entity: Entity) -> list[JsonObject]:
    """The sources that a run and its parts asked about an entity: the calls that name it or one of its keys."""
    with suppress(ValueError):
        family = Q(run=UUID(run)) | Q(run__parent=UUID(run))
        answered = Step.objects.filter(family, kind=StepKind.TOOL, answer__isnull=False).order_by(
            "run", "seq"
        )
        keys = [entity.name, *filter(None, [entity.lei, entity.symbol])]
        keys += entity.representations.filter(active=True).values_list("key", flat=True)
        return sources_of([step for step in tool_steps(answered) if _names_one(step, keys)])
    return []


def _names_one(step: Step, keys: Iterable[str]) -> bool:
    said = canonical_json([step.intent, step.answer]).casefold()
    return any(canonical_json(key)[1:-1].casefold() in said for key in keys)


def nothing_found(identifier: str, steps: Iterable[Step], register: str) -> str:
    """A sentence on which sources were asked without result."""
    lei = "the demo register shipped with Dossier" if register == "demo" else "the LEI register"
    places = {"lei": lei, **_PLACES}
    names = dict.fromkeys(places.get(step.name.split("_")[0], step.name) for step in steps if worked(step))
    *most, last = names or [lei]
    where = f"{', '.join(most)} and {last}" if most else last
    shown = identifier if len(identifier) <= 100 else f"{identifier[:99]}…"
    return f"“{shown}” was looked for in {where}: nothing was found."


_PLACES = {"register": "national registers", "web": "the web", "extract": "pages of the web"}


def worked(step: Step) -> bool:
    return bool(step.answer and step.answer.get("success"))


def data_of(steps: Iterable[Step], tool: str) -> JsonObject | None:
    """The last successful answer of a tool."""
    found = [step for step in steps if step.name == tool and worked(step)]
    return dict((found[-1].answer or {}).get("data") or {}) if found else None


def _source(step: Step) -> JsonObject:
    answer = step.answer or {}
    data = answer.get("data") or {}
    source: JsonObject = {
        "tool": step.name,
        "success": worked(step),
        "timestamp": step.answered_at.isoformat(timespec="seconds") if step.answered_at else None,
        "source": data.get("source") or data.get("register") or answer.get("error", {}).get("source"),
    }
    if data.get("retrieved_at") or data.get("as_of"):
        source["dataFreshness"] = data.get("retrieved_at") or data.get("as_of")
    if not worked(step):
        source["error"] = str(answer.get("error", {}).get("message", "no reason given"))[:300]
    return {name: value for name, value in source.items() if value is not None}


def _kind(step: Step) -> str:
    known = REGISTRY.get(step.name)
    return known.effect if known else "read"


def _names(steps: Iterable[Step]) -> list[str]:
    return list(dict.fromkeys(step.name for step in steps))
