"""Research on entities for memory: a head that classifies and distributes, and one run for each entity.

The head (``entity``): classification of summaries → looking up in memory → runs, three at a time → one document of how
each ended. A run on one entity (``subject``): looking up → metadata → a conversation with tools where there is a model
for it, else the sources by rules → findings in memory. What is fresh is not researched; one that fails stops nobody.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from entities.memory import RefusedWrite
from entities.memory.findings import ENOUGH_SOURCES
from entities.models import Entity as EntityRow
from research.engine.agent_loop import Brief
from research.engine.answer import NoDocument, no_answer, read_turn
from research.engine.children import Child, Outcome
from research.engine.entity import classifier, findings
from research.engine.entity.account import audit_of, data_of, nothing_found, sources_of, tool_steps
from research.engine.entity.lookup import distinct, keys_of, look_up, once_each, research_of
from research.engine.entity.memory import keep, legal_entity, token_entity
from research.engine.prompt_data import DATA_RULE, fenced
from research.engine.results import Extras
from research.engine.stops import Ended
from research.engine.worker import Worker
from research.jsontext import JsonObject, canonical_json
from research.models import Step

AT_ONCE = 3
MAX_TURNS = 8
MAX_TOOL_CALLS = 20
METADATA = "get_token_metadata"
MARKET_TOOLS = ("get_price_history", "check_rugcheck", "get_holder_distribution")
TALK = "analyze_sentiment"
RECORD = "lei_record"
NO_AUDIT: JsonObject = {"toolsUsed": [], "toolsSucceeded": [], "toolsFailed": []}
SYSTEM = (
    "You research one entity for a memory of entities. Report only what a tool told you; what no source says is "
    "unknown, which never means that there is none. Ask several sources: findings that rest on fewer than two are not "
    "believed. When you are done, answer with one JSON document that fits the schema, and nothing else. "
    + DATA_RULE
)


class Entity:
    """The head of a batch."""

    def perform(self, worker: Worker) -> None:
        params = worker.run.params
        sorted_ = _classified(worker, distinct(params.get("summaries") or []))
        wanted = distinct([*(params.get("identifiers") or []), *keys_of(sorted_.needs_research)])
        worker.enter("look-up")
        max_age = params.get("max_age")
        entries = worker.once("look-up", lambda: _looked_up(wanted, max_age))["entries"]
        outcomes = _researched(worker, entries, max_age)
        document: JsonObject = {
            "entities": [_told(entry, outcomes.get(entry["identifier"])) for entry in entries]
        }
        if params.get("summaries"):
            document["classification"] = sorted_.as_json()
        worker.conclude_data(document, Extras(limitations=list(_limitations(sorted_, document["entities"]))))


class Subject:
    """The research on one entity. The head reports on it; there is no result to review."""

    def perform(self, worker: Worker) -> None:
        params = worker.run.params
        worker.enter("look-up")
        known = worker.once(
            "look-up", lambda: look_up(params["identifier"], params["max_age"], timezone.now())
        )
        if known["status"] in ("fresh", "ambiguous"):
            worker.end({**_from_memory(known), "status": known["status"], "audit": NO_AUDIT})
            return
        worker.enter("research")
        told = _token(worker, known) if known["kind"] == "token" else _other(worker, known)
        steps = tool_steps(worker.journal.live)
        worker.enter("memory")
        worker.end({**_kept(worker, known, told, steps), "audit": audit_of(steps)})


@dataclass(frozen=True)
class Told:
    """The result of the research. Without findings, ``trouble`` holds code, message and candidates."""

    findings: JsonObject | None = None
    trouble: JsonObject = field(default_factory=dict)


def _classified(worker: Worker, summaries: Sequence[str]) -> classifier.Sorted:
    """Classify in batches. What cannot be classified passes through."""
    if not summaries:
        return classifier.Sorted()
    worker.enter("classification")
    parts = []
    for number, batch in enumerate(classifier.batches(summaries), start=1):
        parts.append(_classified_batch(worker, number, batch))
    return classifier.together(parts)


def _classified_batch(worker: Worker, number: int, batch: Sequence[str]) -> classifier.Sorted:
    if not worker.asking.first.abilities.language:
        return classifier.passed_through(batch, "There is no language model that could sort summaries.")
    request = worker.request(classifier.SYSTEM, classifier.prompt_for(batch), classifier.SCHEMA)
    try:
        turn = worker.ask(f"classification.{number}", request)
    except Ended as end:
        return classifier.passed_through(batch, f"The model gave no answer: {end}")
    if turn.stop != "end":
        return classifier.passed_through(batch, f"The model gave no answer ({turn.stop}).")
    return classifier.read_sorted(batch, turn.text)


def _looked_up(wanted: Sequence[str], max_age: int | None) -> JsonObject:
    now = timezone.now()
    return {"entries": once_each([look_up(identifier, max_age, now) for identifier in wanted])}


def _researched(worker: Worker, entries: Sequence[JsonObject], max_age: int | None) -> dict[str, Outcome]:
    """Outcomes by identifier. Runs in waves of three."""
    worker.enter("research")
    wanted = [entry for entry in entries if entry["status"] in ("new", "stale")]
    prompt = worker.prompt
    found: dict[str, Outcome] = {}
    for number, start in enumerate(range(0, len(wanted), AT_ONCE), start=1):
        wave = wanted[start : start + AT_ONCE]
        worker.spawn(
            f"wave.{number}",
            [
                Child(
                    f"{number}.{place}",
                    {
                        **{name: entry[name] for name in ("identifier", "name", "lei", "jurisdiction")},
                        "max_age": max_age,
                        "prompt": prompt,
                    },
                    "subject",
                    MAX_TURNS,
                    MAX_TOOL_CALLS,
                )
                for place, entry in enumerate(wave, start=1)
            ],
        )
        outcomes = worker.wait_for_children(f"wave.{number}")
        found |= {outcome.params["identifier"]: outcome for outcome in outcomes}
    return found


def _told(entry: JsonObject, outcome: Outcome | None) -> JsonObject:
    """The outcome for one identifier."""
    told: JsonObject = {"identifier": entry["identifier"], "status": entry["status"], "audit": NO_AUDIT}
    if outcome is None:
        return {**told, **_from_memory(entry)}
    if not outcome.output:
        error = {"code": "ended", "message": f"The run ended as {outcome.state}.", **outcome.error}
        failed = {name: error[name] for name in ("code", "message")}
        return {**told, "status": "failed", "error": failed, "run": str(outcome.run_id)}
    return {**told, **outcome.output, "run": str(outcome.run_id)}


def _from_memory(entry: JsonObject) -> JsonObject:
    """Outcomes that need no research."""
    known = {name: entry[name] for name in ("entity", "candidates", "of") if entry.get(name)}
    return {**known, **(entry["research"] or {})}


def _limitations(sorted_: classifier.Sorted, told: Sequence[JsonObject]) -> Iterator[str]:
    if sorted_.fallback:
        yield f"The summaries were not sorted: all are interesting, none was researched. {sorted_.fallback}"
    for one in told:
        if "error" in one:
            message, code = one["error"]["message"], one["error"].get("code")
            yield message if code == "not_found" else f"{one['identifier'][:100]}: {message}"
        if one["audit"]["toolsFailed"]:
            yield f"{one['identifier'][:100]}: no answer from {', '.join(one['audit']['toolsFailed'])}"


def _token(worker: Worker, known: JsonObject) -> Told:
    """Metadata first; then the model, or every source by rules if there is none or it gives nothing."""
    mint = known["mint"]
    _gather(worker, "metadata", [(METADATA, {"mint": mint})])
    said = _conversed(worker, known) if _has_language(worker) else Told()
    if said.findings is not None:
        return said
    _gather(worker, "markets", [(tool, {"mint": mint}) for tool in MARKET_TOOLS])
    meta = data_of(tool_steps(worker.journal.live), METADATA) or {}
    symbol, name = meta.get("symbol") or known["symbol"], meta.get("name") or known["name"]
    if symbol:
        asked = {"symbol": symbol[:30], **({"entityName": name[:100]} if name else {})}
        _gather(worker, "talk", [(TALK, asked)])
    steps = tool_steps(worker.journal.live)
    answers = {tool: data_of(steps, tool) for tool in (METADATA, *MARKET_TOOLS, TALK)}
    return Told(findings.token_findings(mint, answers))


def _other(worker: Worker, known: JsonObject) -> Told:
    """A legal entity or anything else. The record of a known LEI is read before the model is asked."""
    if not _has_language(worker) and known["kind"] == "other":
        return Told(trouble=NEEDS_A_MODEL)  # a register could only find a company of the same name
    if known["lei"] and _has_language(worker):
        _gather(worker, "record", [(RECORD, {"lei": known["lei"]})])
    return _conversed(worker, known)


def _conversed(worker: Worker, known: JsonObject) -> Told:
    """The researcher's findings. A model without an answer does not end the run."""
    tools = {
        name: tool for name, tool in worker.tools.items() if name != METADATA or known["kind"] != "token"
    }
    steps = tool_steps(worker.journal.live)
    told = {name: known[name] for name in ("name", "symbol", "mint", "lei", "kind") if known[name]}
    told |= {step.name: step.answer for step in steps if step.answer}
    brief = Brief(
        system=SYSTEM,
        prompt=f"{worker.run.params['prompt']}\n\nThe entity: {fenced('IDENTIFIER', known['identifier'])}\n\n"
        f"What is known before you begin: {fenced('KNOWN', canonical_json(told))}",
        tools=tools,
        schema=findings.SCHEMA,
        max_turns=worker.run.max_turns,
        max_tool_calls=worker.run.max_tool_calls,
    )
    try:
        talk = worker.converse(brief)
        turn = talk.last_turn
        if turn.stop != "end":
            detail = {name: turn.detail[name] for name in ("candidates", "nearest") if turn.detail.get(name)}
            error = no_answer(turn).error
            return Told(trouble={"code": str(error["code"]), "message": error["message"], **detail})
        try:
            return Told(worker.without_unread(read_turn(turn, findings.SCHEMA).data))
        except NoDocument as error:
            return Told(trouble={"code": "invalid_json", "message": str(error)})
    except Ended as end:
        return Told(trouble=end.error)


def _kept(worker: Worker, known: JsonObject, told: Told, steps: Sequence[Step]) -> JsonObject:
    """Status and current memory. Stores nothing without an entity that sources confirm."""
    entity = _entity(worker, known, told, steps)
    if entity is None:
        return _nothing_kept(worker, known, told, steps)
    sources = sources_of(steps)
    answered = sum(source["success"] for source in sources)
    if told.findings is None and (answered >= ENOUGH_SOURCES or not sources):
        raise _ended(told)  # no findings were made from the sources, or none were asked
    found = told.findings or {"summary": told.trouble["message"], "confidence": 0}
    account = audit_of(steps)
    try:
        kept = worker.once(
            "kept",
            lambda: research_of(
                keep(worker.run, str(entity.pk), known["identifier"], found, sources, account)
            ),
        )
    except RefusedWrite as error:
        raise Ended("refused", f"Memory refuses the findings: {error}") from error
    poor = kept["findings"].get("metadata", {}).get("insufficient_sources")
    return {"status": "insufficient" if poor else "researched", "entity": entity.slug, **kept}


def _nothing_kept(worker: Worker, known: JsonObject, told: Told, steps: Sequence[Step]) -> JsonObject:
    code = told.trouble.get("code")
    if code == "ambiguous":
        return {"status": code, "error": told.trouble}
    # similar names stay in the journal: here each would be checked as a claim
    if code == "not_found":
        message = nothing_found(known["identifier"], steps, worker.run.register)
        return {"status": code, "error": {"code": code, "message": message}}
    if told.findings is None:
        raise _ended(told)
    return {"status": "not_found", "findings": told.findings, "error": NO_ENTITY}


def _ended(told: Told) -> Ended:
    return Ended(
        **{"retryable": True, "code": "no_answer", "message": "Nobody gave an answer.", **told.trouble}
    )


NEEDS_A_MODEL: JsonObject = {
    "code": "unsupported",
    "message": "Neither a token nor a legal entity: that takes a language model (DOSSIER_MODEL).",
    "retryable": False,
}
NO_ENTITY: JsonObject = {
    "code": "no_entity",
    "message": "No register or market confirms it, so memory keeps nothing; the findings are only reported.",
}


def _entity(worker: Worker, known: JsonObject, told: Told, steps: Sequence[Step]) -> EntityRow | None:
    """The known entity; a token by its mint; a legal entity by its register record."""
    if known["entity_id"]:
        return EntityRow.objects.filter(pk=known["entity_id"]).first()
    if known["kind"] == "token":
        return token_entity(known["mint"], data_of(steps, METADATA))
    metadata = (told.findings or {}).get("metadata")
    lei = known["lei"] or str((metadata if isinstance(metadata, dict) else {}).get("lei") or "")
    records = [
        step.answer["data"] for step in steps if step.name == RECORD and step.answer and "data" in step.answer
    ]
    record = next((one for one in records if one.get("lei") == lei), None)
    return legal_entity(record) if record else None


def _gather(worker: Worker, name: str, wanted: Sequence[tuple[str, JsonObject]]) -> None:
    """Call those of the tools that the macro lists."""
    worker.gather(name, [(tool, arguments) for tool, arguments in wanted if tool in worker.tools])


def _has_language(worker: Worker) -> bool:
    return worker.asking.first.abilities.language
