"""Compose the document of a legal run: memo, parameters, strategy and metadata."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.engine.legal.citation_checks import NONEXISTENT, OPEN, VERIFIED, VerificationReport
from research.engine.legal.parameters import ResearchParameters
from research.engine.legal.phrases import LANGUAGE_NAMES, say
from research.engine.legal.search_plan import SearchStrategy
from research.engine.legal.search_results import SearchResults
from research.engine.legal.synthesis import Synthesis
from research.engine.legal.terms import concepts, named
from research.jsontext import JsonObject

MAX_STEPS, MAX_RELATED, MAX_SUGGESTED = 8, 8, 6


@dataclass(frozen=True)
class Circumstances:
    """Facts of the run: autonomy, duration, decisions of people. ``limits`` are sentences on what was missing."""

    autonomy: str
    depth: str
    output: str
    today: str
    milliseconds: int
    trail: Sequence[JsonObject] = ()
    numbers: JsonObject = field(default_factory=dict)  # archive key -> number of the source
    limits: Sequence[str] = ()


@dataclass(frozen=True)
class Material:
    """The input of the memo."""

    found: ResearchParameters
    strategy: SearchStrategy
    results: SearchResults
    report: VerificationReport
    synthesis: Synthesis


def compose(given: Material, run: Circumstances) -> JsonObject:
    """The document, as the macro's schema defines it."""
    return {
        "question": given.found.question,
        "memo": _memo(given, run),
        "suggestedQueries": suggested(given.found),
        "relatedTopics": related(given.found),
        "parameters": given.found.as_json(),
        "strategy": given.strategy.as_json(),
        "metadata": {
            "question": given.found.question,
            "sourcesSearched": len(given.results.by_source),
            "resultsFound": given.results.found,
            "deduplicated": given.results.distinct,
            "citationsVerified": len(given.report.of(VERIFIED)),
            "processingTimeMs": run.milliseconds,
            "autonomyMode": run.autonomy,
            "depth": run.depth,
            "outputFormat": run.output,
            "researcher": given.synthesis.researcher,
        },
    }


def evidence_of(data: JsonObject) -> list[JsonObject]:
    """Each passage as evidence, so that it is checked against the archived text."""
    return [
        {
            "pointer": f"/memo/findings/{finding}/passages/{place}/quote",
            "source": passage["source"],
            "quote": passage["quote"],
        }
        for finding, one in enumerate(data["memo"]["findings"])
        for place, passage in enumerate(one.get("passages", ()))
        if "source" in passage
    ]


def _memo(given: Material, run: Circumstances) -> JsonObject:
    language, synthesis, report = given.found.language, given.synthesis, given.report
    topic = ", ".join([*given.found.terms, *given.found.statutes][:3]) or given.found.question
    return {
        "title": say("title", language, topic=topic[:200]),
        "executiveSummary": summary(given),
        "methodology": _methodology(given),
        "findings": [one.as_json() for one in synthesis.findings],
        "citations": [_citation(one) for one in (one.as_json() for one in report.citations)],
        "precedentChain": [one.as_json() for one in synthesis.precedents],
        "conflicts": [one.as_json() for one in synthesis.conflicts],
        "gaps": list(synthesis.gaps),
        "limitations": limitations(given, run),
        "nextSteps": next_steps(given),
        "appendices": _appendices(given, run),
        "metadata": {
            "researchDate": run.today,
            "totalSources": len(given.results.results),
            "verifiedCitations": len(report.of(VERIFIED)),
            "processingTimeMs": run.milliseconds,
        },
    }


def _citation(one: JsonObject) -> JsonObject:
    names = ("citation", "title", "verdict", "note", "source", "url", "as_of")
    suggested_ = one.get("suggestions")
    note = f"{one['note']} Nearest: {', '.join(suggested_[:3])}." if suggested_ else one["note"]
    return {**{name: one[name] for name in names}, "note": note.strip()}


def summary(given: Material) -> str:
    """The model's text, or counts and first conclusions. States if no model was used."""
    language, synthesis = given.found.language, given.synthesis
    if not given.results.results:
        return say("nothing", language)
    counts = say(
        "summary",
        language,
        terms=", ".join([*given.found.terms, *given.found.statutes]) or given.found.question[:200],
        found=given.results.found,
        kept=len(given.results.results),
        verified=len(given.report.of(VERIFIED)),
        cited=len(given.report.citations),
    )
    if synthesis.researcher == "model":
        return synthesis.summary or counts
    conclusions = " ".join(one.conclusion for one in synthesis.findings[:2])
    return " ".join(filter(None, [counts, conclusions, say("extractive", language)]))


def limitations(given: Material, run: Circumstances) -> list[str]:
    """Sentences on what was unavailable, and on what the memo does not cover."""
    language, found = given.found.language, given.found
    said = [
        say("down", language, source=source, reason=reason)
        for source, reason in given.results.failures.items()
    ]
    if given.results.unanswered:
        said.append(say("all_down", language))
    if given.synthesis.researcher == "rules":
        said.append(say("extractive", language))
    if not any(one.kind == "commentary" for one in given.results.results):
        said.append(say("no_doctrine", language))
    if found.since or found.until:
        period = f"{found.since or '…'} – {found.until or run.today}"
        said.append(say("period", language, period=period))
    said.append(say("published", language))
    return list(dict.fromkeys([*run.limits, *said]))


def next_steps(given: Material) -> list[str]:
    """A model's recommendations, then steps for open points."""
    language, report = given.found.language, given.report
    steps = list(given.synthesis.recommendations)
    top = [one.citation for one in given.results.decisions[:2]]
    steps += [say("step_read", language, citation=name) for name in top]
    steps += [say("step_article", language, citation=name) for name in _provisions(given.found)[:2]]
    unsure = [one.citation for one in (*report.of(NONEXISTENT), *report.of(OPEN))]
    if unsure:
        steps.append(say("step_open", language, citations=", ".join(unsure[:6])))
    for one in given.synthesis.conflicts[:1]:
        steps.append(say("step_conflict", language, citations=", ".join(one.citations[:4])))
    if given.results.failures:
        steps.append(say("step_again", language, sources=", ".join(given.results.failures)))
    return list(dict.fromkeys(steps))[:MAX_STEPS]


def _methodology(given: Material) -> str:
    language, report = given.found.language, given.report
    spoken = dict.fromkeys(query.language for query in given.strategy.queries if query.language)
    return say(
        "method",
        language,
        sources=", ".join(given.strategy.sources) or "–",
        queries=len(given.strategy.queries),
        languages=", ".join(LANGUAGE_NAMES[language][one] for one in spoken) or "–",
        found=given.results.found,
        distinct=given.results.distinct,
        kept=len(given.results.results),
        verified=len(report.of(VERIFIED)),
        cited=len(report.citations),
        open=len(report.of(OPEN)),
        missing=len(report.of(NONEXISTENT)),
    )


def _appendices(given: Material, run: Circumstances) -> JsonObject:
    return {
        "sources": [
            {
                **({"number": run.numbers[one.key]} if one.key in run.numbers else {}),
                "name": ", ".join(one.found),
                "title": f"{one.citation} · {one.title}" if one.title else one.citation,
                "url": one.url,
                "as_of": run.today,
            }
            for one in given.results.results
        ],
        "decisionTrail": list(run.trail),
        "terminology": terminology(given.found),
    }


def terminology(found: ResearchParameters) -> list[JsonObject]:
    """The concepts of the question in four languages, as far as the table has them."""
    known = [concept for name in found.concepts if (concept := named(name))]
    return [{language: concept.term(language) for language in ("de", "fr", "it", "en")} for concept in known]


def suggested(found: ResearchParameters) -> list[str]:
    """Further queries: each article with the first term, and the terms in other languages."""
    term = found.terms[0] if found.terms else ""
    queries = [f"{term} {statute}".strip() for statute in _provisions(found)]
    known = [concept for name in found.concepts[:3] if (concept := named(name))]
    others = [language for language in ("de", "fr", "it") if language != found.language and known]
    queries += [" ".join(concept.term(language) for concept in known) for language in others]
    return list(dict.fromkeys(queries))[:MAX_SUGGESTED]


def related(found: ResearchParameters) -> list[str]:
    """Other concepts of the same domains, in the language of the question."""
    others = [one for one in concepts() if one.domain in found.domains and one.name not in found.concepts]
    return [one.term(found.language) for one in others][:MAX_RELATED]


def _provisions(found: ResearchParameters) -> list[str]:
    known = [concept.provision for name in found.concepts if (concept := named(name))]
    return list(dict.fromkeys(filter(None, [*found.statutes, *known])))
