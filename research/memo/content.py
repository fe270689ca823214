"""The content of a memo, before any format: built from stored rows alone, so that the same rows give the same memo."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.db.models import Q, QuerySet

from citations.convert import convert
from entities.memory.wording import share_of
from entities.models import Statement
from research.checks.verdict import WORST_FIRST
from research.jsontext import Json, JsonObject
from research.memo.answer import read_answer
from research.memo.blocks import MARKS, Block
from research.memo.edits import Edit, describe, listed, origins, place_of
from research.memo.findings import Findings, Group, read_findings
from research.memo.labels import Labels
from research.memo.legal import Legal, read_legal
from research.memo.owners import OwnersChart, charts_of
from research.memo.prose import read_prose, without_sources
from research.memo.quotes import Footnote, Quoted, backing, read_quotes
from research.memo.sentences import say
from research.models import Decision, ResearchResult, Step
from research.models.states import DecisionVerdict, StepKind, VerbState
from research.review.numbering import renumbered, shown_numbers
from research.review.pointer import resolve
from research.review.rows import human_label
from research.waits import shortly, spent

MAX_POINTS = 40
MAX_PLACES = 3
MAX_RECORDED = 200
SOURCE_HEADINGS = ("Sources", "Quellen", "Fonti")
CLAIM_COUNTS = ("supported", "partially_supported", "unsupported", "contradicted", "unknown")
LEGAL_PARTS = (
    *("/memo", "/metadata", "/parameters", "/strategy", "/findings", "/citations"),
    *("/suggestedQueries", "/suggested_queries", "/relatedTopics", "/related_topics"),
)
NAMES = ("name", "legal_name", "owner_name", "entity_name", "title")

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class OpenPoint:
    """The message of at least one check, and the places it concerns."""

    verdict: str
    message: str
    places: str


@dataclass(frozen=True)
class VerbLine:
    """A verb, its outcome, and the fields it changed."""

    text: str
    state: str
    changed: str = ""
    error: str = ""

    @property
    def label(self) -> str:
        """The key of the label for its state."""
        return f"verb_{self.state}"


@dataclass(frozen=True)
class Content:
    """The content of a memo. Lists are empty if there is nothing to say."""

    kind: str
    title: str
    state: str
    status: str
    facts: Pairs
    tally: list[tuple[str, int]]
    answer: Pairs
    backing: str
    summary: list[str]
    points: list[OpenPoint]
    report: list[Block]
    verification: str
    findings: list[Group]
    owners: list[OwnersChart]
    sources: list[JsonObject]
    quotes: list[Footnote]
    decision: Pairs
    edits: list[Edit]
    verbs: list[VerbLine]
    limitations: list[str]
    methodology: Pairs
    next_steps: list[str]
    trail: Pairs
    proof: JsonObject | None
    legal: Legal | None
    date: str
    data: Json = field(repr=False, default=None)

    def as_json(self) -> JsonObject:
        """The content as data, for the JSON format."""
        told = asdict(self)
        for chart in told["owners"]:
            del chart["pages"]  # pictures of what the rows say
        return told


@dataclass(frozen=True)
class _Case:
    """The input of every section."""

    result: ResearchResult
    decision: Decision | None
    data: Json
    schema: Json
    checks: list[JsonObject]
    findings: Findings
    quoted: Quoted
    legal: Legal | None
    labels: Labels


def build(result: ResearchResult, schema: Json, labels: Labels, proof: JsonObject | None = None) -> Content:
    """Gather the content of a memo about a result and, if there is one, its decision; ``schema`` is its macro's.

    ``proof`` shows that the audit trail holds it (``research.audit.proofs``).
    """
    case = _case(result, schema, labels)
    run = result.run
    return Content(
        kind=f"{labels('title')} · {run.macro}",
        title=(case.legal.title if case.legal else "") or run.title,
        state=result.state,
        status=labels(f"state_{result.state}"),
        facts=_facts(case),
        tally=_tally(case.checks),
        answer=[] if case.legal else read_answer(run.macro.schema_name, case.data, schema, labels),
        backing=backing(case.checks, case.data, schema, labels),
        summary=case.findings.told.get("summary", []),
        points=_points(case),
        report=_report(case),
        verification=_verification(case),
        findings=_findings(case),
        owners=charts_of(case.data, (case.decision or result).created_at.date(), _place(case)),
        sources=_sources(case),
        quotes=list(case.quoted.notes),
        decision=_decision(case),
        edits=_edits(case),
        verbs=_verbs(case),
        limitations=_limitations(case),
        methodology=_methodology(case),
        next_steps=_next_steps(case),
        trail=_trail(case),
        proof=proof,
        legal=case.legal,
        date=f"{(case.decision or result).created_at:%Y-%m-%d}",
        data=case.data,
    )


def _case(result: ResearchResult, schema: Json, labels: Labels) -> _Case:
    decision = Decision.objects.filter(result=result).select_related("reviewer").first()
    approved = decision is not None and decision.verdict == DecisionVerdict.APPROVED
    data = decision.data if decision and approved else result.data
    edits = decision.edits if decision and approved else []
    numbers = shown_numbers(result.data, result.run.sources.values_list("number", "url"))
    checks = [_told(renumbered(check, numbers), labels) for check in _checks(result, decision)]
    quoted = read_quotes(checks, data, schema)
    findings = read_findings(data, origins(result.data, edits), schema, checks, quoted.at, labels.field)
    legal = read_legal(data, checks, labels.language, _asked(result))
    return _Case(result, decision, data, schema, checks, findings, quoted, legal, labels)


def _told(check: JsonObject, labels: Labels) -> JsonObject:
    """A check with its message in the language of the memo."""
    message = say(str(check["message"]), labels.language)
    return {**check, "message": convert(message, labels.language) if check["kind"] == "citation" else message}


def _asked(result: ResearchResult) -> Json:
    """Citations that the engine verified in a legal run. Edited or from other runs, they are only claims."""
    memo = result.data.get("memo") if isinstance(result.data, dict) else None
    return memo.get("citations") if result.run.workflow == "legal" and isinstance(memo, dict) else None


def _checks(result: ResearchResult, decision: Decision | None) -> list[JsonObject]:
    """The checks at the time of the decision, else the current ones, each with its date."""
    if decision and decision.checks:
        return [{"checked_on": f"{decision.created_at:%Y-%m-%d}", **check} for check in decision.checks]
    names = ("kind", "code", "pointer", "subject", "verdict", "message", "evidence", "as_of", "checked_at")
    found = _rows(result.checks.order_by("ordinal"), *names)
    return [{"checked_on": f"{check.pop('checked_at'):%Y-%m-%d}", **check} for check in found]


def _rows(rows: QuerySet[Any], *names: str) -> list[JsonObject]:
    return [dict(row) for row in rows.values(*names)]


def _report(case: _Case) -> list[Block]:
    """The report of a document, without its list of sources: the memo has its own."""
    text = case.data.get("report") if isinstance(case.data, dict) else None
    return without_sources(read_prose(text), SOURCE_HEADINGS) if isinstance(text, str) else []


def _verification(case: _Case) -> str:
    """A sentence on how far sources support the report. Empty if that was not verified."""
    told, labels = case.result.fidelity, case.labels
    if not told:
        return ""
    if told.get("score") is None:
        return labels("not_verified")
    parts = [labels.count(f"claims_{name}", told[name]) for name in CLAIM_COUNTS if told.get(name)]
    verified = f"{labels.count('claims_verified', told['verified'])}: {', '.join(parts)}."
    return f"{verified} {labels.count('fidelity', round(100 * told['score']))}"


def _sources(case: _Case) -> list[JsonObject]:
    """The sources as numbered in the document, else as in the run."""
    run = case.result.run
    if case.legal and case.legal.sources and not run.sources.exists():
        return list(case.legal.sources)
    if not _report(case) or not _are_sources(case.data.get("sources")):
        return _rows(run.sources.order_by("number"), "number", "title", "url", "as_of", "snippet")
    return [
        {
            "number": source["number"],
            "title": str(source["title"]),
            "url": str(source["url"]),
            "as_of": str(source.get("accessed") or ""),
            "snippet": "",
        }
        for source in case.data["sources"]
    ]


def _findings(case: _Case) -> list[Group]:
    """The findings without parts that have their own section: report and sources, legal memo."""
    if case.legal:
        return [group for group in case.findings.groups if group.pointer and group.pointer not in LEGAL_PARTS]
    if not _report(case):
        return case.findings.groups
    told = {"/report"} | ({"/sources"} if _are_sources(case.data.get("sources")) else set())
    groups = [group for group in case.findings.groups if group.pointer not in told]
    return [
        replace(group, values=tuple(value for value in group.values if value.pointer not in told))
        for group in groups
    ]


def _place(case: _Case) -> str:
    """Where the company was said to be: its law decides who counts as a beneficial owner."""
    return str(
        resolve(case.data, "/entity/jurisdiction")[1] or case.result.run.params.get("jurisdiction") or ""
    )


def _are_sources(value: Json) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict) and {"number", "title", "url"} <= item.keys() for item in value
    )


def _facts(case: _Case) -> Pairs:
    result, labels = case.result, case.labels
    run, decision = result.run, case.decision
    asked_by = run.requested_by.get_username() if run.requested_by else labels(f"trigger_{run.trigger}")
    asked = case.legal.question if case.legal else run.params.get("question")
    asked = asked if isinstance(asked, str) else ""
    given = sorted(item for item in run.params.items() if item[1] not in (None, "", [], {}, asked))
    params = [_parameter(labels, *item) for item in given]
    return [
        (labels("question"), asked or run.macro.description.strip()),
        (labels("parameters"), ", ".join(params) or labels("none")),
        (labels("asked_by"), asked_by),
        (labels("found_on"), f"{result.created_at:%Y-%m-%d %H:%M} UTC"),
        (labels("result"), str(result.pk)),
        (labels("fingerprint"), decision.digest if decision and decision.digest else result.digest),
    ]


def _parameter(labels: Labels, name: str, value: Json) -> str:
    """A parameter in words. An object is shown field by field."""
    label = labels.field(human_label(name))
    if isinstance(value, dict):
        given = sorted(item for item in value.items() if item[1] not in (None, "", [], {}))
        return f"{label} ({', '.join(_parameter(labels, *item) for item in given)})"
    if isinstance(value, bool):
        return f"{label}: {MARKS['pass' if value else 'fail']}"
    return f"{label}: {listed(value)}"


def _tally(checks: Sequence[JsonObject]) -> list[tuple[str, int]]:
    counts = Counter(check["verdict"] for check in checks)
    return [(verdict, counts[verdict]) for verdict in reversed(WORST_FIRST) if counts[verdict]]


def _points(case: _Case) -> list[OpenPoint]:
    """The checks that did not pass, worst first, each message once with its places."""
    places: dict[tuple[str, str], list[str]] = {}
    for check in case.checks:
        # The list of citations already shows unknown verdicts on citations.
        if check["verdict"] != "pass" and not (
            case.legal is not None and check["kind"] == "citation" and check["verdict"] == "unknown"
        ):
            named = places.setdefault((check["verdict"], check["message"]), [])
            named.append(_subject(case, check["pointer"]))
    ordered = sorted(places.items(), key=lambda item: WORST_FIRST.index(item[0][0]))
    return [OpenPoint(*key, _listed(named, case.labels)) for key, named in ordered[:MAX_POINTS]]


def _subject(case: _Case, pointer: str) -> str:
    """The subject of a check: the name of the innermost named object around it, else its place in words."""
    above = pointer
    while above:
        above = above.rpartition("/")[0]
        if case.legal and above == "/memo":
            break  # its title is the title of the memo
        value = resolve(case.data, above)[1]
        name = next((value[key] for key in NAMES if value.get(key)), "") if isinstance(value, dict) else ""
        if isinstance(name, str) and name.strip():
            return name.strip()
    return place_of(case.data, pointer, case.schema, case.labels.field) or case.labels("document")


def _listed(names: Sequence[str], labels: Labels) -> str:
    """``A, B, C and 12 more``."""
    distinct = list(dict.fromkeys(names))
    shown, more = distinct[:MAX_PLACES], len(distinct) - MAX_PLACES
    return ", ".join(shown) + (f" {labels.count('more', more)}" if more > 0 else "")


def _decision(case: _Case) -> Pairs:
    decision, labels = case.decision, case.labels
    if decision is None:
        return []
    pairs = [
        (labels("verdict"), labels(f"verdict_{decision.verdict}")),
        (labels("decided_by"), decision.reviewer.get_username()),
        (labels("decided_on"), f"{decision.created_at:%Y-%m-%d %H:%M} UTC"),
        (labels("edits"), str(len(decision.edits))),
        (labels("seen"), decision.result_digest),
    ]
    if decision.verdict == DecisionVerdict.APPROVED:
        pairs.append((labels("shown"), _shown(decision.displayed, labels)))
    return [*pairs, (labels("reason"), decision.reason)] if decision.reason else pairs


def _shown(displayed: JsonObject, labels: Labels) -> str:
    """How much of the data the reviewer had opened."""
    values, of = int(displayed.get("values") or 0), int(displayed.get("of") or 0)
    if not values:
        return labels("shown_none")
    return labels("shown_all") if values >= of else labels("shown_some").format(values, of)


def _edits(case: _Case) -> list[Edit]:
    edits = case.decision.edits if case.decision else []
    return describe(case.result.data, edits, case.schema, case.labels.field)


def _verbs(case: _Case) -> list[VerbLine]:
    calls = list(case.decision.verb_calls.order_by("ordinal")) if case.decision else []
    said = _recorded([call.pk for call in calls if call.state == VerbState.SUCCEEDED])
    return [
        VerbLine(
            call.text,
            call.state,
            "; ".join(filter(None, [_changed(call.changed), *said.get(call.pk, [])])),
            str((call.error or {}).get("message", "")),
        )
        for call in calls
    ]


def _recorded(calls: Sequence[int]) -> dict[int, list[str]]:
    """``child owned-by parent 40 %: 2026-04-30 - …, recorded 2026-05-01`` by call, what it said of two entities.

    Statements never change, so the memo of a decision says the same for ever.
    """
    rows = Statement.objects.filter(call__in=calls, cut_by__isnull=True, object__isnull=False).order_by("pk")
    told: dict[int, list[str]] = {}
    for row in rows.select_related("subject", "object")[:MAX_RECORDED]:
        if row.object and row.call:
            share = f" {share_of(row)}" if share_of(row) else ""
            days = f"{row.valid_from or '…'} – {row.valid_to or '…'}"
            recorded = f"recorded {row.recorded_from.date()}"
            fact = f"{row.subject.slug} {row.property} {row.object.slug}{share}: {days}, {recorded}"
            told.setdefault(row.call, []).append(fact)
    return told


def _trail(case: _Case) -> Pairs:
    """The checks at the decision: number and verdicts by kind."""
    labels = case.labels
    kinds: dict[str, Counter[str]] = {}
    for check in case.checks:
        kinds.setdefault(check["kind"], Counter())[check["verdict"]] += 1
    told = [
        (
            labels.get(f"kind_{kind}", kind),
            [f"{counts[word]} {MARKS[word]}" for word in MARKS if counts[word]],
        )
        for kind, counts in sorted(kinds.items())
    ]
    return [(kind, "  ".join(counts)) for kind, counts in told]


def _changed(changes: Sequence[JsonObject]) -> str:
    """``allianz-se: created, bic SWIFT; allianz-asset-management: created``."""
    fields: dict[str, list[str]] = {}
    for change in changes:
        fields.setdefault(change["entity"], []).append(change["field"])
    return "; ".join(f"{entity}: {', '.join(dict.fromkeys(names))}" for entity, names in fields.items())


def _limitations(case: _Case) -> list[str]:
    labels, result = case.labels, case.result
    legal = case.legal or Legal()
    said = [*result.limitations, *legal.limitations, *case.findings.told.get("limitations", [])]
    unknown = sum(check["verdict"] == "unknown" for check in case.checks)
    ours = [
        (result.partial, labels("partial")),
        (result.ungrounded, labels("ungrounded")),
        (not case.checks, labels("no_checks")),
        (not case.quoted.notes and result.run.sources.filter(kind="web").exists(), labels("no_quotes")),
        (legal.unverified, labels.count("citations_unverified", legal.unverified)),
        (unknown, labels.count("unanswered", unknown)),
        (case.findings.left_out, labels.count("left_out", case.findings.left_out)),
        (result.repaired, labels("repaired")),
    ]
    return list(
        dict.fromkeys(
            [*(say(str(text), labels.language) for text in said), *(text for holds, text in ours if holds)]
        )
    )


def _methodology(case: _Case) -> Pairs:
    run, labels = case.result.run, case.labels
    steps = Step.objects.filter(Q(run=run) | Q(run__parent=run))
    tools = Counter(steps.filter(kind=StepKind.TOOL).values_list("name", flat=True))
    used = ", ".join(f"{name} {count}" for name, count in sorted(tools.items()))
    return [
        (labels("researcher"), run.model),
        (labels("register"), case.result.register_label or f"{run.register}{_as_of(case)}"),
        (labels("model_turns"), str(steps.filter(kind=StepKind.MODEL).count())),
        (labels("tool_calls"), f"{tools.total()} ({used})" if tools else "0"),
        (labels("sources"), str(run.sources.count())),
        (labels("checks"), str(len(case.checks))),
        (labels("started"), f"{run.started_at:%Y-%m-%d %H:%M:%S} UTC" if run.started_at else "–"),
        (labels("duration"), _duration(case)),
        (labels("cost"), _cost(case)),
        (labels("run"), str(run.pk)),
    ]


def _duration(case: _Case) -> str:
    """Working time, and the time of each kind of waiting."""
    took = spent(case.result.run)
    if took is None:
        return "–"
    waits = (
        case.labels(f"waited_{kind}").format(length=shortly(length)) for kind, length in took.waited.items()
    )
    return ", ".join([shortly(took.worked), *waits])


def _cost(case: _Case) -> str:
    """Booked cost, with the parts of a deep run. Calls without a price are counted, not treated as free."""
    run = case.result.run
    unknown = Step.objects.filter(Q(run=run) | Q(run__parent=run), usage__cost="unknown").count()
    known = f"{run.spent_usd:.4f} USD" if run.spent_usd or not unknown else ""
    return " + ".join(filter(None, [known, case.labels.count("calls_unknown", unknown) if unknown else ""]))


def _as_of(case: _Case) -> str:
    dates = [date[:10] for date in case.result.run.sources.values_list("as_of", flat=True) if date]
    return f", {case.labels('as_of')} {max(dates)}" if dates else ""


def _next_steps(case: _Case) -> list[str]:
    result, labels = case.result, case.labels
    state = {"pending_review": "next_review", "approved": "next_execute"}.get(result.state)
    failed = [point for point in _points(case) if point.verdict == "fail"]
    return [
        *([labels(state)] if state else []),
        *(f"{labels('clear_up')}: {point.message} ({point.places})" for point in failed),
        *(case.legal.next_steps if case.legal else ()),
        *case.findings.told.get("next_steps", []),
        *([f"{labels('next_refresh')} {result.expires_at:%Y-%m-%d}."] if result.expires_at else []),
    ]
