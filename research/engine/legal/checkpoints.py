"""Where a legal run waits for a person, what it shows there, and what the person may change.

Cautious: after each of the six phases. Balanced: after planning and after verification. Autonomous: never, until a
source is down; from then on the run is cautious. A question without anything to search for is always asked back.
"""

from collections.abc import Mapping, Sequence

from research.engine.legal import parameters, search_plan, synthesis
from research.engine.legal.citation_checks import VERIFIED, VerificationReport
from research.engine.legal.parameters import ResearchParameters, texts
from research.engine.legal.search_plan import SOURCES, SearchStrategy
from research.engine.legal.search_results import SearchResults
from research.engine.legal.synthesis import Synthesis
from research.engine.questions.question import BadAnswer, text_of
from research.jsontext import JsonObject
from research.models.states import Autonomy

PHASES = ("understand", "plan", "search", "verify", "synthesize", "deliver")
BALANCED = frozenset(("plan", "verify"))
CLARIFICATION = "clarification"
SOURCES_DOWN = "sources"
TRIES = 3  # how often a person is asked about unavailable sources
MAX_ANSWER = 5_000


def waits(autonomy: str, phase: str) -> bool:
    """Whether a person is asked after a phase."""
    if autonomy == Autonomy.CAUTIOUS:
        return True
    return autonomy == Autonomy.BALANCED and phase in BALANCED


def show_clarification(question: str) -> JsonObject:
    message = (
        "Nothing in this question can be searched for: it names no legal term, no article and no word that says "
        "what it is about. Put it in other words."
    )
    return {"message": message, "edit": {"answer": question}}


def show_parameters(found: ResearchParameters) -> JsonObject:
    return {"message": "Is this interpretation correct?", "edit": found.edit()}


def show_strategy(strategy: SearchStrategy, found: ResearchParameters, autonomy: str) -> JsonObject:
    sources, issues = len(strategy.sources), max(len(found.terms) + len(found.statutes), 1)
    counted = (
        f"Searching {sources} source{'s' * (sources != 1)} for {issues} legal issue{'s' * (issues != 1)}, with "
        f"{len(strategy.queries)} queries."
    )
    ask = "Proceed with this search plan?" if autonomy == Autonomy.CAUTIOUS else "Proceed?"
    return {"message": f"{counted} {ask}", "edit": strategy.edit()}


def show_progress(counts: Mapping[str, JsonObject], remaining: Sequence[str]) -> JsonObject:
    """``counts`` are ``{found, trouble}`` by source. The person may skip remaining sources."""
    left = ", ".join(remaining) if remaining else "none, all were asked"
    return {
        "message": f"Continue searching remaining sources? Remaining: {left}.",
        "progress": [{"source": name, **told} for name, told in counts.items()],
        "edit": {"sources": list(remaining)},
    }


def show_verification(report: VerificationReport, results: SearchResults, autonomy: str) -> JsonObject:
    """Each citation with its verdict; only problematic ones if the run is not cautious."""
    problems = [one for one in report.citations if one.verdict != VERIFIED or one.outdated]
    cautious = autonomy == Autonomy.CAUTIOUS
    counted = f"Found {results.found} results, {len(report.of(VERIFIED))} citations verified."
    ask = "Accept verified citations?" if cautious else "Continue to synthesis?"
    shown = report.citations if cautious else problems
    return {
        "message": f"{counted} {ask}",
        "citations": [one.as_json() for one in shown[:100]],
        "problems": len(problems),
        "limitations": [f"{source} could not be asked: {why}" for source, why in results.failures.items()],
        "edit": {"drop": []},
    }


def show_synthesis(draft: Synthesis) -> JsonObject:
    findings = [
        {
            "issue": one.issue,
            "conclusion": one.conclusion,
            "confidence": one.confidence,
            "supportingCitations": list(one.citations),
        }
        for one in draft.findings
    ]
    return {
        "message": "Is this synthesis accurate?",
        "limitations": list(draft.gaps),
        "edit": {"findings": findings},
    }


def show_memo(memo: JsonObject) -> JsonObject:
    return {
        "message": "Finalize and deliver?",
        "limitations": memo["limitations"],
        "edit": {
            "title": memo["title"],
            "executiveSummary": memo["executiveSummary"],
            "nextSteps": memo["nextSteps"],
        },
    }


def show_trouble(results: SearchResults) -> JsonObject:
    """``edit`` lets a person repeat failed queries."""
    sources = ", ".join(results.failures)
    many = "s" * (len(results.failures) != 1)
    if results.results:
        ask = "Continue with remaining sources?"
    else:
        ask = "Nothing was found. Ask them again, or continue: the result then states that nothing was found, and why."
    return {
        "message": f"Source{many} {sources} unavailable. {ask}",
        "limitations": [f"{source} could not be asked: {why}" for source, why in results.failures.items()],
        "edit": {"again": False},
    }


def sources_down(number: int) -> str:
    """The phase for the nth question about unavailable sources."""
    return SOURCES_DOWN if number == 1 else f"{SOURCES_DOWN}.{number}"


def wants_again(said: JsonObject | None) -> bool:
    """Whether a person wants to repeat failed queries. Raises BadAnswer."""
    again = (said or {}).get("again", False)
    if not isinstance(again, bool):
        raise BadAnswer("again must be true or false")
    return again


def edited_sources(remaining: Sequence[str], said: JsonObject | None) -> tuple[str, ...]:
    """The sources still to be asked. Raises BadAnswer."""
    if not said or "sources" not in said:
        return tuple(remaining)
    wanted = texts(said, "sources", len(SOURCES), 40)
    strange = [name for name in wanted if name not in SOURCES]
    if strange:
        raise BadAnswer(f"sources: {strange[0]!r} is not one of {', '.join(SOURCES)}")
    return tuple(name for name in remaining if name in wanted)


def dropped(said: JsonObject | None) -> tuple[str, ...]:
    """The citations that a person removed. Raises BadAnswer."""
    return texts(said, "drop", 200, 300) if said and "drop" in said else ()


def edited_memo(memo: JsonObject, said: JsonObject | None) -> JsonObject:
    """The memo with a person's changes. Raises BadAnswer."""
    if not said:
        return memo
    changed = dict(memo)
    for name, limit in (("title", 300), ("executiveSummary", 6_000)):
        if name in said:
            changed[name] = text_of(said, name, limit)
            if not changed[name]:
                raise BadAnswer(f"{name} must be text and not empty")
    if "nextSteps" in said:
        changed["nextSteps"] = list(texts(said, "nextSteps", 30, 1_000))
    return changed


def answer_text(said: JsonObject | None) -> str:
    """The rephrased question. Raises BadAnswer."""
    answer = text_of(said or {}, "answer", MAX_ANSWER)
    if said and "answer" in said and not answer:
        raise BadAnswer("answer must be text and not empty")
    return answer


def check_answer(phase: str, answer: JsonObject) -> None:
    """Raises BadAnswer with a sentence if ``answer`` cannot be used in that phase; called before it is stored."""
    phase = phase.partition(".")[0]
    allowed = _ALLOWED.get(phase, ())
    unknown = sorted(set(answer) - set(allowed))
    if unknown:
        told = ", ".join(allowed) or "nothing"
        raise BadAnswer(f"unknown: {', '.join(unknown)[:200]}; what can be changed here: {told}")
    if phase == CLARIFICATION:
        answer_text(answer)
    elif phase == "understand":
        parameters.edited(ResearchParameters("x", terms=("x",)), answer)
    elif phase == "plan":
        shown = SearchStrategy((search_plan.SearchQuery("bge-search", "x", "de", {}),), 10, 0.3, 50)
        search_plan.edited(shown, answer)
    elif phase == "search":
        edited_sources((), answer)
    elif phase == SOURCES_DOWN:
        wants_again(answer)
    elif phase == "verify":
        dropped(answer)
    elif phase == "synthesize":
        synthesis.edited(Synthesis(), answer, frozenset())
    elif phase == "deliver":
        edited_memo({}, answer)


_ALLOWED: Mapping[str, tuple[str, ...]] = {
    CLARIFICATION: ("answer",),
    "understand": ("legalDomain", "keyTerms", "concepts", "federal", "cantons", "from", "to", "languages"),
    "plan": ("queries", "relevanceThreshold", "maxResults"),
    "search": ("sources",),
    SOURCES_DOWN: ("again",),
    "verify": ("drop",),
    "synthesize": ("findings",),
    "deliver": ("title", "executiveSummary", "nextSteps"),
}
