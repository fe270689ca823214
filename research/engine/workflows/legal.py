"""Legal research: understand → plan → search → verify → synthesize → deliver.

Each phase is journalled with what it was given and what it gave. A person is asked between them as the autonomy of the
run says; a source that is down is named, and makes an autonomous run cautious. Without a language model the terms are
found by rules and the findings are passages, word for word.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import TypeAlias, TypeVar

from django.utils import timezone

from research.engine.conversation import CONFIRMED, person_said, wants_finish
from research.engine.legal import (
    checkpoints,
    citation_checks,
    claim_checks,
    graph,
    memo,
    parameters,
    passages,
    search_plan,
    search_results,
    synthesis,
)
from research.engine.legal.citation_checks import VerificationReport
from research.engine.legal.graph import Graph
from research.engine.legal.interpretation import understand
from research.engine.legal.memo import Circumstances, Material
from research.engine.legal.parameters import ResearchParameters
from research.engine.legal.passages import Text
from research.engine.legal.phrases import say
from research.engine.legal.refinement import refinement
from research.engine.legal.search_plan import AT_ONCE, SearchQuery, SearchStrategy
from research.engine.legal.search_results import SearchResults
from research.engine.legal.synthesis import Synthesis
from research.engine.questions.answers import answered, put
from research.engine.questions.question import BadAnswer, Question
from research.engine.results import Extras
from research.engine.stops import Ended
from research.engine.worker import Worker
from research.jsontext import JsonObject
from research.models.states import Autonomy, StepKind

T = TypeVar("T")
Answered: TypeAlias = tuple[SearchQuery, JsonObject]
VALIDATE = "validate_citation"
NOT_SET_UP = "It is not set up here."
DEADLINE, UNUSABLE = "deadline", "invalid_answer"
BY_HAND = "by_hand"
EARLY = {name: f"over_{name}" for name in (DEADLINE, BY_HAND, "refusal", "content_filter")}


class Legal:
    """See the module."""

    def perform(self, worker: Worker) -> None:
        _Legal(worker, over=BY_HAND if wants_finish(worker.journal.live) else "").perform()

    def salvage(self, worker: Worker, end: Ended) -> None:
        """After the deadline, the answers of the sources so far make a partial result."""
        given = (step.answer or {} for step in worker.journal.live if step.kind == StepKind.TOOL)
        if end.error["code"] != DEADLINE or not any(answer.get("success") for answer in given):
            raise end
        _Legal(worker, over=DEADLINE).perform()


@dataclass
class _Legal:
    worker: Worker
    over: str = ""  # why nobody is asked any more: no source, no model, no person
    limits: list[str] = field(default_factory=list)  # limits of the research
    ended: bool = False  # ended early, by the clock or by the model
    borne: list[claim_checks.Borne] = field(
        default_factory=list
    )  # what the sources say about the model's text
    empty: bool = False  # nothing was found, so there is nothing to ask a person about

    def __post_init__(self) -> None:
        run = self.worker.run
        opening = self.worker.once("opening", _opening)
        self.today = date.fromisoformat(opening["today"])
        self.began = float(opening["at"])
        self.autonomy = run.autonomy
        self.depth = str(run.params.get("depth") or run.depth)
        self.context = str(run.params.get("caseContext") or "")
        self.has_model = self.worker.asking.first.abilities.language

    def perform(self) -> None:
        found = self.understand()
        strategy = self.plan(found)
        results = self.search(found, strategy)
        texts = passages.texts_of(self.worker.root_id, [one.key for one in results.results])
        cited = graph.build(results.decisions, texts)
        report = self.verify(results, texts, cited)
        draft = self.synthesize(found, results, report, texts, cited)
        self.deliver(Material(found, strategy, results, report, draft), texts)

    def understand(self) -> ResearchParameters:
        """Interpret the question by rules, refined by a model. Without search terms it returns to the person."""
        self.worker.enter("understand")
        params = self.worker.run.params
        found = understand(str(params["question"]), self.context, self.today)
        if not found.is_searchable:
            shown = checkpoints.show_clarification(found.question)
            said = self.worker.ask_person(checkpoints.CLARIFICATION, shown).get("answer")
            found = understand(checkpoints.answer_text(said) or found.question, self.context, self.today)
            if not found.is_searchable:
                raise Ended(
                    "invalid_question", "Nothing in the question can be searched for.", retryable=True
                )
        found = self.refined(_usable(partial(parameters.given, found, params)))
        if self.over:
            self.end_early(self.over, found.language)
        self.note("understand", found.as_json())
        said = self.confirmed("understand", checkpoints.show_parameters(found))
        return _usable(partial(parameters.edited, found, said)) if said else found

    def refined(self, found: ResearchParameters) -> ResearchParameters:
        if not self.has_model:
            return found
        return self.by_model(
            refinement(found, self.context, self.today), found, "terms_by_rules", found.language
        )

    def by_model(self, question: Question[T], rules: T, phrase: str, language: str) -> T:
        """The model's answer, or the rules' findings if it is invalid."""
        if self.over:
            return answered(self.worker.journal.live, question) or rules
        try:
            return put(self.worker, question)
        except Ended as end:  # its text may name decisions that do not exist, so it stays in the journal
            if end.error["code"] == UNUSABLE:
                self.limits.append(say(phrase, language))
            else:
                self.end_early(str(end.error["code"]), language)
            return rules

    def end_early(self, code: str, language: str) -> None:
        """Record why the research ended early."""
        self.ended = True
        self.limits.append(say(EARLY.get(code, "over_model"), language))

    def plan(self, found: ResearchParameters) -> SearchStrategy:
        self.worker.enter("plan")
        most = int(self.worker.run.params.get("maxSources") or search_plan.USUAL)
        strategy = search_plan.plan(found, self.depth, max(1, min(most, search_plan.MOST)))
        self.note("plan", strategy.as_json())
        said = self.confirmed("plan", checkpoints.show_strategy(strategy, found, self.autonomy))
        return _usable(partial(search_plan.edited, strategy, said)) if said else strategy

    def search(self, found: ResearchParameters, strategy: SearchStrategy) -> SearchResults:
        """Five queries in parallel. If a person is to confirm, ask the first source before the others."""
        self.worker.enter("search")
        sources, answers = list(strategy.sources), []
        if checkpoints.waits(self.autonomy, "search") and not self.silent("search"):
            first, *remaining = sources
            answers = self.asked("search.first", strategy.asking([first]), strategy)
            said = self.confirmed("search", checkpoints.show_progress({first: _progress(answers)}, remaining))
            sources = list(_usable(partial(checkpoints.edited_sources, remaining, said)))
        answers += self.asked("search", strategy.asking(sources), strategy)
        results = self.settled(answers, found, strategy)
        self.empty = not results.results
        self.note("search", {name: value for name, value in results.as_json().items() if name != "results"})
        return results

    def asked(self, name: str, queries: Sequence[SearchQuery], strategy: SearchStrategy) -> list[Answered]:
        """The queries with their answers."""
        able = [one for one in queries if search_results.TOOLS[one.source] in self.worker.tools]
        answers = [(one, _unavailable()) for one in queries if one not in able]
        for number, start in enumerate(range(0, len(able), AT_ONCE), start=1):
            wave = able[start : start + AT_ONCE]
            calls = [search_results.call_of(one, strategy.limit) for one in wave]
            answers += zip(wave, self.gather(f"{name}.{number}", calls), strict=True)
        return answers

    def settled(
        self, answers: list[Answered], found: ResearchParameters, strategy: SearchStrategy
    ) -> SearchResults:
        """What was found. In an autonomous run any failed source goes to a person; in every run if nothing was
        found because of failures. The failed queries may then be repeated.
        """
        read = partial(search_results.collect, found=found, threshold=strategy.threshold, most=strategy.most)
        results = read(answers)
        for number in range(1, checkpoints.TRIES + 1):
            if not results.failures or (results.results and self.autonomy != Autonomy.AUTONOMOUS):
                break
            phase = checkpoints.sources_down(number)
            if self.silent(phase):
                break
            said = self.worker.ask_person(phase, checkpoints.show_trouble(results)).get("answer")
            self.autonomy = Autonomy.CAUTIOUS.value if results.results else self.autonomy
            if not _usable(partial(checkpoints.wants_again, said)):
                break
            failed = [query for query, answer in answers if search_results.is_trouble(answer)]
            answers = [one for one in answers if not search_results.is_trouble(one[1])]
            answers += self.asked(f"search.again{number}", failed, strategy)
            results = read(answers)
        return results

    def verify(self, results: SearchResults, texts: Mapping[str, Text], cited: Graph) -> VerificationReport:
        """Verify every citation of the results, and those they cite most."""
        self.worker.enter("verify")
        names = citation_checks.wanted(results, cited, self.depth) if VALIDATE in self.worker.tools else []
        answers: dict[str, JsonObject] = {}
        for number, start in enumerate(range(0, len(names), AT_ONCE), start=1):
            wave = names[start : start + AT_ONCE]
            given = self.gather(f"verify.{number}", [(VALIDATE, {"citation": one}) for one in wave])
            answers |= dict(zip(wave, given, strict=True))
        practice = citation_checks.changed_practice(results, texts)
        report = citation_checks.report(
            results, answers, practice, as_of=self.today.isoformat(), opened=texts.keys()
        )
        self.note("verify", report.as_json())
        shown = checkpoints.show_verification(report, results, self.autonomy)
        said = self.confirmed("verify", shown)
        return citation_checks.without(report, _usable(partial(checkpoints.dropped, said)))

    def synthesize(
        self,
        found: ResearchParameters,
        results: SearchResults,
        report: VerificationReport,
        texts: Mapping[str, Text],
        cited: Graph,
    ) -> Synthesis:
        self.worker.enter("synthesize")
        draft = rules = synthesis.extract_findings(found, results, report, texts, cited)
        resting = synthesis.all_passages(found, results.results, texts)
        if self.has_model and resting:
            draft = self.written(found, draft, resting, report)
        draft = synthesis.with_gaps(found, draft, rules)
        if draft.researcher == "model":
            self.borne = claim_checks.verified(self.worker, draft, texts, ask=not self.over)
            draft = claim_checks.capped(draft, self.borne)
        self.note("synthesize", draft.as_json())
        allowed = synthesis.allowed_citations(resting, report, draft)
        said = self.confirmed("synthesize", checkpoints.show_synthesis(draft))
        return _usable(partial(synthesis.edited, draft, said, allowed))

    def written(
        self,
        found: ResearchParameters,
        draft: Synthesis,
        resting: Sequence[passages.Passage],
        report: VerificationReport,
    ) -> Synthesis:
        """Findings by the model, or verbatim passages if its answer is invalid."""
        question = synthesis.writing(
            found, self.context, draft, resting, report, remarks=self.worker.run.feedback
        )
        clean = partial(self.worker.without_unread, language=found.language)
        asked = replace(question, read=lambda data: question.read(clean(data)))
        return self.by_model(asked, draft, "findings_by_rules", found.language)

    def deliver(self, material: Material, texts: Mapping[str, Text]) -> None:
        self.worker.enter("deliver")
        ended = self.worker.once("clock", _clock)
        run = self.worker.run
        circumstances = Circumstances(
            autonomy=run.autonomy,
            depth=self.depth,
            output=str(run.params.get("outputFormat") or "memo"),
            today=self.today.isoformat(),
            milliseconds=max(0, round(1_000 * (float(ended["at"]) - self.began))),
            trail=self.trail(),
            numbers={key: text.number for key, text in texts.items()},
            limits=self.limits,
        )
        data = memo.compose(material, circumstances)
        said = self.confirmed("deliver", checkpoints.show_memo(data["memo"]))
        data["memo"] = _usable(partial(checkpoints.edited_memo, data["memo"], said))
        extras = Extras(
            evidence=memo.evidence_of(data),
            verdicts=list(claim_checks.verdicts(data["memo"], self.borne)),
            partial=self.ended or (not material.results.results and bool(material.results.failures)),
            ungrounded=not texts,
            limitations=list(data["memo"]["limitations"]),
        )
        self.worker.conclude_data(data, extras)

    def confirmed(self, phase: str, shown: JsonObject) -> JsonObject:
        """A person's answer, if one is asked after this phase."""
        if self.empty or self.silent(phase) or not checkpoints.waits(self.autonomy, phase):
            return {}
        said = self.worker.ask_person(phase, shown).get("answer")
        return dict(said) if isinstance(said, dict) else {}

    def silent(self, phase: str) -> bool:
        """Whether nobody is waited for and nothing was said."""
        return bool(self.over) and person_said(self.worker.journal.live, phase) is None

    def gather(self, name: str, calls: Sequence[tuple[str, JsonObject]]) -> list[JsonObject]:
        return (self.worker.gathered if self.over else self.worker.gather)(name, calls)

    def note(self, phase: str, given: JsonObject) -> None:
        """The output of a phase, as a step."""
        self.worker.once(f"{phase}.given", lambda: given)

    def trail(self) -> list[JsonObject]:
        """The decisions of people so far, in order."""
        notes = [
            step for step in self.worker.journal.live if step.kind == StepKind.NOTE and step.name == CONFIRMED
        ]
        return [_decided(step.answer or {}) for step in notes]


def _decided(said: JsonObject) -> JsonObject:
    answer = said.get("answer")
    changed = ", ".join(answer) if isinstance(answer, dict) and answer else ""
    what = f"Confirmed with changes to {changed}." if changed else "Confirmed."
    return {"phase": str(said.get("phase") or ""), "what": what, "by": str(said.get("by") or "")}


def _progress(answers: Sequence[Answered]) -> JsonObject:
    """The number of results of one source, and its failure."""
    good = [search_results.results_of(query, answer) for query, answer in answers if answer.get("success")]
    troubles = [str(answer["error"]["message"]) for _, answer in answers if not answer.get("success")]
    return {"found": sum(map(len, good)), "trouble": troubles[0] if troubles else ""}


def _unavailable() -> JsonObject:
    error = {"code": "not_set_up", "message": NOT_SET_UP, "retryable": False}
    return {"success": False, "error": error}


def _usable(read: Callable[[], T]) -> T:
    """A person's answer. Services refuse invalid answers before they are stored."""
    try:
        return read()
    except BadAnswer as error:
        raise Ended(
            "invalid_answer", f"What was sent back cannot be used: {error}", retryable=True
        ) from error


def _opening() -> JsonObject:
    return {"today": timezone.localdate().isoformat(), "at": timezone.now().timestamp()}


def _clock() -> JsonObject:
    return {"at": timezone.now().timestamp()}
