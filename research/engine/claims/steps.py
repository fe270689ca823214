"""Claim verification as steps of a run: one step per batch. Errors become verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from research.checks.grounds import sources_of
from research.checks.verdict import Verdict
from research.engine.claims.claim import (
    Judged,
    checks,
    correct,
    fidelity,
    is_better,
    select_claims,
    uncited,
    wants_another,
)
from research.engine.claims.judgement import ask
from research.engine.claims.passages import Shelf
from research.engine.claims.questions import extraction
from research.engine.claims.quote_finder import QuoteFinder
from research.engine.deep import ledger
from research.engine.deep.citations import cleaned, dangling
from research.engine.deep.document import dangling_note
from research.engine.deep.sentences import sentences
from research.engine.deep.synthesis import Draft, rewriting
from research.engine.questions.answers import put
from research.engine.questions.question import Question
from research.engine.stops import Ended
from research.engine.worker import Worker
from research.jsontext import JsonObject


@dataclass(frozen=True)
class Verified:
    """A draft with the verdicts on its claims. ``summary`` is None if nothing was verified."""

    draft: Draft
    judged: tuple[Judged, ...] = ()
    summary: JsonObject | None = None
    notes: tuple[str, ...] = ()

    def verdicts(self, numbering: Mapping[int, int]) -> list[Verdict]:
        return checks(self.judged, numbering)

    @property
    def score(self) -> JsonObject:
        return self.summary or {"score": None}


def verify(worker: Worker, question: Question[Draft], draft: Draft, *, limit: int) -> Verified:
    """Verify the draft. Below the threshold it is rewritten once, and the better version is kept."""
    first = _verified(worker, draft, limit, "")
    if not wants_another(first.score):
        return first
    try:
        again = put(worker, rewriting(question, first.draft, first.judged))
    except Ended as error:
        return replace(first, notes=(*first.notes, f"The report was not written again: {error}"))
    second = _verified(worker, again, limit, "again.")
    better = is_better(second.score, first.score)
    scores = {
        "before": first.score["score"],
        "after": second.score["score"],
        "kept": "after" if better else "before",
    }
    kept = second if better else first
    return replace(kept, summary={**kept.score, "rewritten": scores})


def _verified(worker: Worker, draft: Draft, limit: int, prefix: str) -> Verified:
    """Never raises for errors of the model. Claims that were not verified are unknown."""
    entries = {entry.number: entry for entry in ledger.entries(worker.root_id)}
    notes = dangling_note(dangling(draft.report, entries))
    report = cleaned(draft.report, entries)
    found = sentences(report)
    draft = replace(draft, report=report)
    if not found or not entries:
        return Verified(draft, notes=notes)
    cited = {number for sentence in found for number in sentence.sources}
    worker.read_quoted(f"{prefix}quoted", cited.union(one["source"] for one in draft.evidence))
    try:
        claims = put(worker, extraction(found).named(f"{prefix}claims"))
    except Ended as error:
        return Verified(draft, notes=(*notes, f"The claims of the report were not verified: {error}"))
    chosen = select_claims(claims, limit=limit)
    shelf = Shelf(ledger.texts(worker.root_id))
    finder = QuoteFinder(sources_of(worker.root_id))
    judged = [*uncited(chosen), *ask(worker, chosen, shelf, finder.look, f"{prefix}check")]
    judged.sort(key=lambda one: one.claim.number)
    fixed, corrections = correct(report, found, judged)
    summary = {**fidelity(judged), "claims": len(claims), "corrections": corrections}
    return Verified(replace(draft, report=fixed), tuple(judged), summary, notes)
