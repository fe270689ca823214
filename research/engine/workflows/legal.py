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

from research.engine.conversation import CONFIRMED, person_said
from research.engine.ending import Ended
from research.engine.finish import Extras
from research.engine.legal import (
    bearing,
    checkpoints,
    graph,
    memo,
    parameters,
    passages,
    planning,
    searching,
    synthesis,
    verifying,
)
from research.engine.legal.graph import Graph
from research.engine.legal.memo import Circumstances, Material
from research.engine.legal.parameters import ResearchParameters
from research.engine.legal.passages import Text
from research.engine.legal.phrases import say
from research.engine.legal.planning import AT_ONCE, SearchQuery, SearchStrategy
from research.engine.legal.refining import refinement
from research.engine.legal.searching import SearchResults
from research.engine.legal.synthesis import Synthesis
from research.engine.legal.understanding import understand
from research.engine.legal.verifying import VerificationReport
from research.engine.questions.answers import answered, put
from research.engine.questions.question import BadAnswer, Question
from research.engine.worker import Worker
from research.jsontext import JsonObject
from research.models.states import Autonomy, StepKind

T = TypeVar("T")
Answered: TypeAlias = tuple[SearchQuery, JsonObject]
VALIDATE = "validate_citation"
NOT_SET_UP = "It is not set up here."
DEADLINE, UNUSABLE = "deadline", "invalid_answer"
EARLY = {name: f"over_{name}" for name in (DEADLINE, "refusal", "content_filter")}


class Legal:
    """See the module."""

    def perform(self, worker: Worker) -> None:
        _Legal(worker).perform()

    def salvage(self, worker: Worker, end: Ended) -> None:
        """When the time is over, what the sources have given until then makes a partial result."""
        given = (step.answer or {} for step in worker.journal.live if step.kind == StepKind.TOOL)
        if end.error["code"] != DEADLINE or not any(answer.get("success") for answer in given):
            raise end
        _Legal(worker, over=True).perform()


@dataclass
class _Legal:
    worker: Worker
    over: bool = False  # nobody is asked any more: no source, no model, no person
    limits: list[str] = field(default_factory=list)  # sentences on what the research could not do
    ended: bool = False  # before its time, by the clock or by the model
    borne: list[bearing.Borne] = field(default_factory=list)  # what the sources say to what a model wrote
    empty: bool = False  # nothing was found: there is nothing more to ask a person about

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
        """By rules; a model may refine it. A question with nothing to search for goes back to the person."""
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
            self.end_early(DEADLINE, found.language)
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
        """What the model answers, or, when it gives nothing usable, what the rules found."""
        if self.over:
            return answered(self.worker.journal.live, question) or rules
        try:
            return put(self.worker, question)
        except (
            Ended
        ) as end:  # its words stay in the journal: a refused answer may name decisions that are none
            if end.error["code"] == UNUSABLE:
                self.limits.append(say(phrase, language))
            else:
                self.end_early(str(end.error["code"]), language)
            return rules

    def end_early(self, code: str, language: str) -> None:
        """Say why the research is over before its time."""
        self.ended = True
        self.limits.append(say(EARLY.get(code, "over_model"), language))

    def plan(self, found: ResearchParameters) -> SearchStrategy:
        self.worker.enter("plan")
        most = int(self.worker.run.params.get("maxSources") or planning.USUAL)
        strategy = planning.plan(found, self.depth, max(1, min(most, planning.MOST)))
        self.note("plan", strategy.as_json())
        said = self.confirmed("plan", checkpoints.show_strategy(strategy, found, self.autonomy))
        return _usable(partial(planning.edited, strategy, said)) if said else strategy

    def search(self, found: ResearchParameters, strategy: SearchStrategy) -> SearchResults:
        """Five questions at once; where a person wants a word, the first source is asked before the others."""
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
        able = [one for one in queries if searching.TOOLS[one.source] in self.worker.tools]
        answers = [(one, _unavailable()) for one in queries if one not in able]
        for number, start in enumerate(range(0, len(able), AT_ONCE), start=1):
            wave = able[start : start + AT_ONCE]
            calls = [searching.call_of(one, strategy.limit) for one in wave]
            answers += zip(wave, self.gather(f"{name}.{number}", calls), strict=True)
        return answers

    def settled(
        self, answers: list[Answered], found: ResearchParameters, strategy: SearchStrategy
    ) -> SearchResults:
        """What was found. Trouble is for a person to look at when an autonomous run has any, and whoever is asked when
        nothing at all was found because of it; what gave no answer may then be asked again."""
        read = partial(searching.collect, found=found, threshold=strategy.threshold, most=strategy.most)
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
            failed = [query for query, answer in answers if searching.is_trouble(answer)]
            answers = [one for one in answers if not searching.is_trouble(one[1])]
            answers += self.asked(f"search.again{number}", failed, strategy)
            results = read(answers)
        return results

    def verify(self, results: SearchResults, texts: Mapping[str, Text], cited: Graph) -> VerificationReport:
        """Every citation of the results, and those that they cite most."""
        self.worker.enter("verify")
        names = verifying.wanted(results, cited, self.depth) if VALIDATE in self.worker.tools else []
        answers: dict[str, JsonObject] = {}
        for number, start in enumerate(range(0, len(names), AT_ONCE), start=1):
            wave = names[start : start + AT_ONCE]
            given = self.gather(f"verify.{number}", [(VALIDATE, {"citation": one}) for one in wave])
            answers |= dict(zip(wave, given, strict=True))
        practice = verifying.changed_practice(results, texts)
        report = verifying.report(
            results, answers, practice, as_of=self.today.isoformat(), opened=texts.keys()
        )
        self.note("verify", report.as_json())
        shown = checkpoints.show_verification(report, results, self.autonomy)
        said = self.confirmed("verify", shown)
        return verifying.without(report, _usable(partial(checkpoints.dropped, said)))

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
            self.borne = bearing.verified(self.worker, draft, texts, ask=not self.over)
            draft = bearing.capped(draft, self.borne)
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
        """By the model, or, when it gives nothing usable, the passages as they stand."""
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
            verdicts=list(bearing.verdicts(data["memo"], self.borne)),
            partial=self.ended or (not material.results.results and bool(material.results.failures)),
            ungrounded=not texts,
            limitations=list(data["memo"]["limitations"]),
        )
        self.worker.conclude_data(data, extras)

    def confirmed(self, phase: str, shown: JsonObject) -> JsonObject:
        """What a person sent back, if one is asked after this phase."""
        if self.empty or self.silent(phase) or not checkpoints.waits(self.autonomy, phase):
            return {}
        said = self.worker.ask_person(phase, shown).get("answer")
        return dict(said) if isinstance(said, dict) else {}

    def silent(self, phase: str) -> bool:
        """Whether there is nobody to wait for any more and nothing was said."""
        return self.over and person_said(self.worker.journal.live, phase) is None

    def gather(self, name: str, calls: Sequence[tuple[str, JsonObject]]) -> list[JsonObject]:
        return (self.worker.gathered if self.over else self.worker.gather)(name, calls)

    def note(self, phase: str, given: JsonObject) -> None:
        """What a phase gave, as a step of its own."""
        self.worker.once(f"{phase}.given", lambda: given)

    def trail(self) -> list[JsonObject]:
        """What persons decided on the way, in order."""
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
    """How many results one source gave, and what was wrong with it."""
    good = [searching.results_of(query, answer) for query, answer in answers if answer.get("success")]
    troubles = [str(answer["error"]["message"]) for _, answer in answers if not answer.get("success")]
    return {"found": sum(map(len, good)), "trouble": troubles[0] if troubles else ""}


def _unavailable() -> JsonObject:
    error = {"code": "not_set_up", "message": NOT_SET_UP, "retryable": False}
    return {"success": False, "error": error}


def _usable(read: Callable[[], T]) -> T:
    """What a person sent back; the services refuse what cannot be used before it is stored."""
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
