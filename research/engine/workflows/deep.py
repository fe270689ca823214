"""Deep research: is the question clear → brief → rounds of researchers → report → verification of its claims.

Every step stands in the journal, so the code below runs from its first line each time and comes to where it was. The
researchers of a round are runs of their own; while they work nobody works on this one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import TypeVar

from django.utils import timezone

from research.checks.grounds import sources_of
from research.engine import children
from research.engine.claims.quote_finder import QuoteFinder
from research.engine.claims.steps import Verified, verify
from research.engine.conversation import last_words, live_steps, wants_finish
from research.engine.deep import checkpoints, ledger, supervision, synthesis
from research.engine.deep.brief import Brief, Clarification, briefing, clarification
from research.engine.deep.confidence import capped
from research.engine.deep.depths import EXTENTS
from research.engine.deep.document import compose, evidence_of, limitations_of, read_only
from research.engine.deep.supervision import Directive, Reply, Topic
from research.engine.deep.synthesis import Draft
from research.engine.questions.answers import answered, put
from research.engine.questions.question import BadAnswer, Question
from research.engine.results import Extras
from research.engine.sources import Ledger
from research.engine.stops import Ended
from research.engine.worker import Child, Outcome, Worker
from research.engine.workflows.topic import SEARCH, left_notes
from research.jsontext import JsonObject
from research.models import Run, Step
from research.models.states import Autonomy

T = TypeVar("T")
EARLY = {
    "deadline": "The time of the run was over before the research was.",
    "budget": "The budget was spent.",
}
UNWILLING = {  # followed by the model's own words
    "refusal": "The model refused to go on",
    "content_filter": "The provider's filter withheld the model's answer",
    "error": "The model stopped without an answer",
}
# What somebody has to put right before anything goes on; all of the work is there when the run is resumed.
TO_RESUME = ("no_price", "unknown_model", "stuck", "model_unavailable")
MAX_WORDS = 300
NOTHING_FOUND = "No source was found, so there is no report."
NOTHING_NEW = (
    "In round {} the model named nothing new to look for; the report rests on what was found until then."
)
UNUSABLE = "invalid_answer"
FINISHED_BY_HAND = "A person had the research finished with what there was."
BEFORE_DONE = "The research ended before it was done. {}"


class Deep:
    """See the module."""

    def perform(self, worker: Worker) -> None:
        if said := wants_finish(worker.journal.live):
            why = BEFORE_DONE.format(said["ended"]) if said.get("ended") else ""
            finish_early(worker, f"{FINISHED_BY_HAND} {why}".strip())
            return
        _Deep(worker).perform()

    def salvage(self, worker: Worker, end: Ended) -> None:
        """Whatever ends the run, the findings so far make a partial result."""
        reason = _early(end, last_words(worker.journal.live))
        if not reason or not any(topic.findings for topic in finished_topics(worker.run)):
            raise end
        finish_early(worker, reason)


@dataclass
class _Deep:
    worker: Worker
    topics: list[Topic] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # limits of the research
    trouble: str = ""  # why a run that does not wait for anybody waits all the same

    def __post_init__(self) -> None:
        run = self.worker.run
        self.extent = EXTENTS[run.depth]
        self.today = date.fromisoformat(self.worker.once("opening", _opening)["today"])
        self.autonomy = run.autonomy

    def perform(self) -> None:
        brief = self.brief(self.clarify())
        self.supervise(brief)
        if not ledger.entries(self.worker.root_id):
            conclude_without(self.worker, self.topics, self.notes)
            return
        question, draft = self.write(brief)
        self.worker.enter("verification")
        verified = verify(self.worker, question, draft, limit=self.extent.claims)
        conclude(self.worker, replace(verified, notes=(*self.notes, *verified.notes)), self.topics)

    def clarify(self) -> tuple[Clarification, str]:
        """How the question is understood, and the person's answer to that."""
        self.worker.enter("clarification")
        asked = put(self.worker, clarification(self.worker.prompt, self.today))
        shown = checkpoints.show_clarification(asked)
        said = self.confirmed("clarification", shown, needed=asked.needed)
        return asked, _usable(partial(checkpoints.answer_text, said, "answer"))

    def brief(self, clarified: tuple[Clarification, str]) -> Brief:
        self.worker.enter("brief")
        brief = put(self.worker, briefing(self.worker.prompt, *clarified, self.today))
        said = self.confirmed("brief", checkpoints.show_brief(brief))
        return _usable(partial(checkpoints.edited_brief, brief, said))

    def supervise(self, brief: Brief) -> None:
        """Rounds until the brief is covered, no questions are left, or the rounds are used up."""
        for number in range(1, self.extent.rounds + 1):
            if number > 1 and not self.time_for_round(number):
                return
            self.worker.enter(f"round {number}/{self.extent.rounds}")
            reply = self.first_round(brief) if number == 1 else self.next_round(number, brief)
            if reply.research_complete:
                return
            shown = checkpoints.show_directives(number, reply.directives, reply.rationale, self.trouble)
            said = self.confirmed(f"directives.{number}", shown)
            directives = _usable(partial(checkpoints.edited_directives, number, reply.directives, said))
            if not directives:
                return  # the person asked to finish
            self.research(number, brief, directives)

    def time_for_round(self, number: int) -> bool:
        """No round starts in the time reserved for the report."""
        said = self.worker.once(f"clock.{number}", lambda: {"left": self.worker.time_for_research()})
        if not said["left"]:
            self.notes.append(
                f"The time for research was over after round {number - 1} of {self.extent.rounds}."
            )
        return bool(said["left"])

    def first_round(self, brief: Brief) -> Reply:
        limit = self.extent.directives
        draft = put(self.worker, supervision.decomposition(brief, limit))
        faults = self.or_else(supervision.critique(brief, draft), [])
        return self.or_else(supervision.revision(brief, draft, faults, limit), draft) if faults else draft

    def next_round(self, number: int, brief: Brief) -> Reply:
        """If the supervisor declares an uncovered brief complete, ask once more, and then accept the answer.

        One that gives nothing new has nothing more to ask.
        """
        limit, rounds = self.extent.directives, self.extent.rounds
        enough = Reply(True, (), NOTHING_NEW.format(number))
        reply = self.or_else(supervision.next_round(number, brief, self.topics, limit, rounds=rounds), enough)
        if reply is enough:
            self.notes.append(reply.rationale)
        elif reply.research_complete and supervision.coverage(self.topics) < supervision.THRESHOLD:
            again = supervision.next_round(number, brief, self.topics, limit, rounds=rounds, insist=True)
            reply = self.or_else(again, reply)
        return reply

    def or_else(self, question: Question[T], otherwise: T) -> T:
        """The model's answer, or ``otherwise`` if it is invalid: completed work continues."""
        try:
            return put(self.worker, question)
        except Ended as end:
            if end.error["code"] != UNUSABLE:
                raise
            return otherwise

    def research(self, number: int, brief: Brief, directives: Sequence[Directive]) -> None:
        """One child run per directive. This run is not worked on meanwhile."""
        name = f"round.{number}"
        self.worker.spawn(name, [self.child(brief, directive) for directive in directives])
        outcomes = self.worker.wait_for_children(name)
        found = [topic_of(outcome) for outcome in outcomes]
        self.topics += found
        self.trouble = "" if any(topic.sources for topic in found) else source_trouble(number, outcomes)
        if self.trouble and number < self.extent.rounds:
            self.stop_for(number)

    def stop_for(self, number: int) -> None:
        """A round without any source needs a person, whatever the autonomy; so do all later rounds."""
        if self.autonomy != Autonomy.CAUTIOUS:
            self.autonomy = Autonomy.CAUTIOUS
            self.worker.ask_person(f"sources.{number}", checkpoints.show_sources(self.trouble))

    def child(self, brief: Brief, directive: Directive) -> Child:
        calls = self.extent.tool_calls
        params = {
            "topic": directive.research_topic,
            "briefing": brief.text(),
            "directive": directive.as_json(),
        }
        return Child(directive.id, params, "topic", max_turns=3 * calls, max_tool_calls=calls)

    def write(self, brief: Brief) -> tuple[Question[Draft], Draft]:
        self.worker.enter("synthesis")
        known = ledger.entries(self.worker.root_id)
        shown = checkpoints.show_synthesis(
            len(self.topics), len(known), limitations_of(self.topics), self.trouble
        )
        said = self.confirmed("synthesis", shown)
        remarks = _usable(partial(checkpoints.answer_text, said, "remarks"))
        feedback = "\n\n".join(filter(None, [self.worker.run.feedback, remarks]))
        question = synthesis.synthesis(brief, self.topics, known, wishes(self.worker.run), feedback)
        return question, put(self.worker, question)

    def confirmed(self, phase: str, shown: JsonObject, *, needed: bool = False) -> JsonObject:
        """A person's answer, if one is asked in this phase."""
        if not checkpoints.waits(self.autonomy, phase.partition(".")[0], needed=needed):
            return {}
        said = self.worker.ask_person(phase, shown).get("answer")
        return dict(said) if isinstance(said, dict) else {}


def _early(end: Ended, said: str) -> str:
    """Why a run ended that has something to keep. Empty if it should be resumed."""
    code = str(end.error["code"])
    if code in TO_RESUME:
        return ""
    if code in UNWILLING:
        return f"{UNWILLING[code]}: {' '.join(said.split())[:MAX_WORDS]}" if said else f"{UNWILLING[code]}."
    return EARLY.get(code) or BEFORE_DONE.format(" ".join(str(end).split())[:MAX_WORDS])


def finish_early(worker: Worker, reason: str) -> None:
    """A partial result: the report if it was written, else the notes of the topics."""
    children.cancel_children(worker.run.pk)
    topics = finished_topics(worker.run)
    if not ledger.entries(worker.root_id):
        conclude_without(worker, topics, [reason])
        return
    draft = _report_so_far(worker) or synthesis.from_topics(topics)
    conclude(worker, Verified(draft, (), None), topics, ended=reason)


def conclude_without(worker: Worker, topics: Sequence[Topic], notes: Sequence[str]) -> None:
    """No source was found: write no report, and state so with the reason."""
    draft = synthesis.of_nothing(str(worker.run.params.get("language") or "en"))
    conclude(worker, Verified(draft, notes=tuple(notes)), topics, ended=NOTHING_FOUND)


def conclude(worker: Worker, verified: Verified, topics: Sequence[Topic], *, ended: str = "") -> None:
    """The document with numbers and sources, and its verification, as a result to review."""
    known = ledger.entries(worker.root_id)
    params = worker.run.params
    notes = [*limitations_of(topics, ended=ended), *verified.notes]
    question, language = str(params.get("question") or worker.run.title), str(params.get("language") or "en")
    checked = capped(verified.draft, verified.judged, QuoteFinder(sources_of(worker.root_id)).look)
    draft = read_only(checked, partial(worker.without_unread, language=language))
    data, done = compose(question, draft, known, notes, topics=topics, language=language)
    extras = Extras(
        evidence=evidence_of(draft, data),
        verdicts=verified.verdicts(done.numbering),
        fidelity=verified.summary,
        partial=bool(ended),
        ungrounded=not done.sources,
    )
    worker.conclude_data(data, extras)


def topic_of(outcome: Outcome) -> Topic:
    """The output of a child."""
    given, directive = outcome.output, Directive(**outcome.params["directive"])
    if not given:
        return Topic(directive, error=str(outcome.error.get("message") or f"its run was {outcome.state}"))
    return Topic(
        directive,
        summary=given["summary"],
        findings=given["findings"],
        sources=tuple(given["sources"]),
        rejected=tuple(given["compression"]["rejected"]),
        trouble=given["trouble"],
        failures=tuple(given.get("failures", ())),
        complete=given["complete"],
    )


def finished_topics(run: Run) -> list[Topic]:
    """The researchers' findings so far, in order. For unfinished researchers, their notes."""
    listed = Run.objects.filter(parent=run, workflow="topic").order_by("created_at", "directive")
    found = children.outcomes([str(pk) for pk in listed.values_list("pk", flat=True)], "output")
    return [topic_of(outcome) if outcome.output else _left(run, outcome) for outcome in found]


def _left(run: Run, outcome: Outcome) -> Topic:
    steps = live_steps(list(Step.objects.filter(run_id=outcome.run_id).order_by("seq")))
    given = left_notes(steps, Ledger(run.pk))
    if not given:
        return topic_of(outcome)
    return topic_of(replace(outcome, output={**given, "trouble": "its researcher was not done"}))


def source_trouble(number: int, outcomes: Sequence[Outcome]) -> str:
    """A sentence on why a round gave no source."""
    said = [reason for outcome in outcomes for reason in outcome.output.get("failures", ())]
    said += [str(outcome.error["message"]) for outcome in outcomes if outcome.error.get("message")]
    searches = sum(outcome.output.get("searches", 0) for outcome in outcomes)
    why = (
        " ".join(dict.fromkeys(said))
        or f"{SEARCH} was used {searches} times and found nothing that was kept."
    )
    return f"Round {number} brought no source at all. {why}"


def wishes(run: Run) -> dict[str, str]:
    """Audience and language of the report."""
    return {name: str(run.params[name]) for name in ("language", "audience") if run.params.get(name)}


def _usable(read: Callable[[], T]) -> T:
    """A person's answer. Services refuse invalid answers before they are stored."""
    try:
        return read()
    except BadAnswer as error:
        raise Ended("invalid_answer", f"What was sent back cannot be used: {error}") from error


def _opening() -> JsonObject:
    return {"today": timezone.localdate().isoformat()}


def _report_so_far(worker: Worker) -> Draft | None:
    """The report, if one was written before the end."""
    draft = answered(worker.journal.live, synthesis.reading(ledger.entries(worker.root_id)))
    if draft is None:
        return None
    return replace(draft, limitations=(*draft.limitations, "The claims of the report were not verified."))
