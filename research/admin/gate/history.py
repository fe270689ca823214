"""What came before and after: earlier results of the same question, decisions, executed verbs."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import NoReverseMatch, reverse

from research.models import Decision, ResearchResult, Rollback, Run, VerbCall
from research.models.states import DecisionVerdict, VerbState

MAX_GENERATIONS = 20
VERDICTS = {
    DecisionVerdict.APPROVED: "approved",
    DecisionVerdict.REJECTED: "rejected",
    DecisionVerdict.NEEDS_CHANGES: "asked for changes",
}


@dataclass(frozen=True)
class Entry:
    """One thing that happened, in words; ``link`` leads to where it can be seen."""

    at: datetime
    who: str
    text: str
    note: str = ""
    link: str = ""
    mark: str = ""


def history(result: ResearchResult) -> list[Entry]:
    """Everything about this question, the earliest first."""
    entries = [entry for one in _generations(result) for entry in _entries(one, here=one.pk == result.pk)]
    later = Run.objects.filter(rerun_of=result).select_related("requested_by", "result")
    entries += [_rerun(run) for run in later]
    return sorted(entries, key=lambda entry: entry.at)


def review_url(result: ResearchResult) -> str:
    """The page of a result."""
    return reverse("admin:research_researchresult_review", args=[result.pk])


def admin_url(name: str, pk: object) -> str:
    """The admin page of an object, or nothing where there is no such page."""
    try:
        return reverse(f"admin:{name}_change", args=[pk])
    except NoReverseMatch:
        return ""


def _generations(result: ResearchResult) -> Iterator[ResearchResult]:
    """This result and those that it replaces."""
    current: ResearchResult | None = result
    for _ in range(MAX_GENERATIONS):
        if current is None:
            return
        yield current
        current = current.run.rerun_of


def _entries(result: ResearchResult, *, here: bool) -> Iterator[Entry]:
    run = result.run
    link = "" if here else review_url(result)
    who = run.requested_by.get_username() if run.requested_by else "Dossier"
    again = "asked again" if run.rerun_of_id else "asked"
    yield Entry(run.created_at, who, again, run.feedback, mark="asked")
    yield Entry(result.created_at, run.model, "answered", link=link, mark="found")
    decision = Decision.objects.filter(result=result).select_related("reviewer").first()
    if decision is None:
        return
    verdict = VERDICTS[DecisionVerdict(decision.verdict)]
    edits = len(decision.edits)
    with_edits = f" with {edits} edit{'s' * (edits != 1)}" if edits else ""
    yield Entry(
        decision.created_at,
        decision.reviewer.get_username(),
        verdict + with_edits,
        decision.reason,
        link,
        decision.verdict,
    )
    yield from _executed(decision)
    yield from _taken_back(decision)


def _taken_back(decision: Decision) -> Iterator[Entry]:
    for rollback in Rollback.objects.filter(decision=decision).select_related("actor"):
        kept = rollback.counts.get("keep", 0)
        count = sum(rollback.counts.values()) - kept
        text = f"took back {count} fact{'s' * (count != 1)}" + (f", {kept} kept" if kept else "")
        yield Entry(rollback.at, rollback.actor.get_username(), text, rollback.reason, mark="rolled_back")


def _executed(decision: Decision) -> Iterator[Entry]:
    calls = list(VerbCall.objects.filter(decision=decision).select_related("executed_by"))
    ended = [call for call in calls if call.finished_at]
    if not ended:
        return
    last = max(ended, key=lambda call: call.finished_at or call.pk)
    done = sum(call.state in (VerbState.SUCCEEDED, VerbState.ROLLED_BACK) for call in calls)
    failed = sum(call.state == VerbState.FAILED for call in calls)
    text = f"executed {done} of {len(calls)} verbs" + (f", {failed} failed" if failed else "")
    who = last.executed_by.get_username() if last.executed_by else "Dossier"
    yield Entry(last.finished_at or decision.created_at, who, text, mark="executed")


def _rerun(run: Run) -> Entry:
    who = run.requested_by.get_username() if run.requested_by else "Dossier"
    found = ResearchResult.objects.filter(run=run).first()
    link = review_url(found) if found else admin_url("research_run", run.pk)
    return Entry(
        run.created_at, who, f"started a new run, which is {run.get_state_display().lower()}", link=link
    )
