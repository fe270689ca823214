"""Findings from results: extracted by rules, or written by a model that may only cite results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from citations.extract import extract
from citations.format import format_mention
from citations.mention import LANGUAGES, Language
from research.engine.legal.citation_checks import NONEXISTENT, VerificationReport
from research.engine.legal.graph import Conflict, Graph, Precedent, chain, conflicts
from research.engine.legal.parameters import ResearchParameters, texts
from research.engine.legal.passages import Passage, Text, names_of, passages_of
from research.engine.legal.phrases import say
from research.engine.legal.search_results import RawResult, SearchResults
from research.engine.parts import unanswered
from research.engine.prompt_data import DATA_RULE, fenced
from research.engine.questions.question import BadAnswer, Question, list_schema, object_schema, text_of
from research.jsontext import Json, JsonObject, canonical_json

MAX_FINDINGS, PASSAGES_A_FINDING, MAX_CONCLUSION = 8, 4, 3_000
EXTRACTIVE_CONFIDENCE = 0.6  # rules match words; they cannot tell whether these answer the question
SHOWN_TO_MODEL = 40
SYSTEM = (
    "You write the findings of a legal research memo on Swiss law for lawyers. You have the question and numbered "
    "passages from decisions, acts and commentaries. Every conclusion rests on these passages alone; cite only by the "
    "citations given with them, exactly as they are written. Where the passages do not answer the question, say so as "
    "a gap. Write in the language that is asked for. " + DATA_RULE
)


@dataclass(frozen=True)
class Finding:
    """``confidence`` is from 0 to 1. Every supporting citation was found."""

    issue: str
    conclusion: str
    confidence: float
    citations: tuple[str, ...]
    passages: tuple[Passage, ...] = ()

    def as_json(self) -> JsonObject:
        return {
            "issue": self.issue,
            "conclusion": self.conclusion,
            "confidence": self.confidence,
            "supportingCitations": list(self.citations),
            **({"passages": [one.as_json() for one in self.passages]} if self.passages else {}),
        }


@dataclass(frozen=True)
class Synthesis:
    """``researcher`` is rules or model. An empty ``summary`` is written by code."""

    findings: tuple[Finding, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    gaps: tuple[str, ...] = ()
    recommendations: tuple[str, ...] = ()
    summary: str = ""
    researcher: str = "rules"

    def as_json(self) -> JsonObject:
        """In the terms of the specification."""
        return {
            "keyFindings": [one.as_json() for one in self.findings],
            "precedentChain": [one.as_json() for one in self.precedents],
            "conflicts": [one.as_json() for one in self.conflicts],
            "gaps": list(self.gaps),
            "recommendations": list(self.recommendations),
            "executiveSummary": self.summary,
        }


def extract_findings(
    found: ResearchParameters,
    results: SearchResults,
    report: VerificationReport,
    texts_by_key: Mapping[str, Text],
    graph: Graph,
) -> Synthesis:
    """The best passages by issue, chains of precedents, and changes of practice, all verbatim."""
    missing = {one.citation for one in report.of(NONEXISTENT)} | set(report.dropped)
    kept = [one for one in results.results if one.citation not in missing]
    passages = all_passages(found, kept, texts_by_key)
    findings = _findings(found, passages, graph)
    decisions = [one for one in kept if one.kind == "decision"]
    changed, left_open = conflicts(
        decisions, texts_by_key, lambda language: names_of(found.terms, language or found.language)
    )
    named = {term for one in passages for term in one.terms}
    gaps = [say("gap", found.language, term=term) for term in found.terms if term not in named]
    return Synthesis(
        findings=tuple(findings),
        precedents=tuple(chain(graph, decisions)),
        conflicts=tuple(changed),
        gaps=(*gaps, *left_open),
    )


def with_gaps(found: ResearchParameters, draft: Synthesis, rules: Synthesis) -> Synthesis:
    """The draft with the gaps found by ``rules``, and with unanswered parts of the question."""
    without = {say("gap", found.language, term=term) for term in found.terms}
    known = [gap for gap in rules.gaps if gap in without]
    told = [text for one in draft.findings for text in (one.issue, one.conclusion, *one.citations)]
    told += [text for one in draft.findings for each in one.passages for text in (each.quote, *each.terms)]
    silent = unanswered(found.question, " ".join([*told, *draft.gaps]))
    gaps = [say("part", found.language, part=part) for part in silent]
    return replace(draft, gaps=tuple(dict.fromkeys([*draft.gaps, *known, *gaps])))


def all_passages(
    found: ResearchParameters, results: Sequence[RawResult], texts_by_key: Mapping[str, Text]
) -> list[Passage]:
    """Passages of all results with a text, best first."""
    passages: list[Passage] = []
    for one in results:
        text = texts_by_key.get(one.key)
        if text is None:
            continue
        language = one.language or found.language
        terms: dict[str, Sequence[str]] = dict(names_of(found.terms, language))
        terms |= {statute: _statute_names(statute, language) for statute in found.statutes}
        passages += passages_of(
            text, terms, citation=one.citation, url=one.url, language=language, weight=one.score
        )
    return sorted(passages, key=lambda one: (-one.score, one.citation))


def _statute_names(statute: str, language: str) -> tuple[str, ...]:
    """The article and its act in the spelling of the language, including its other paragraphs."""
    mentions = [one for one in extract(statute) if one.kind == "statute"]
    if not mentions:
        return (statute,)
    spoken: Language = next((one for one in LANGUAGES if one == language), "de")
    return (format_mention(mentions[0], spoken), statute)


def _findings(found: ResearchParameters, passages: Sequence[Passage], graph: Graph) -> list[Finding]:
    """One finding for each key term and article in a passage. Each passage is used once, where it fits best."""
    used: set[str] = set()
    findings = []
    for issue in [*found.terms, *found.statutes]:
        best = [one for one in passages if issue in one.terms and one.quote not in used][:PASSAGES_A_FINDING]
        if best:
            used.update(one.quote for one in best)
            findings.append(_finding(issue, best, found.language, graph))
    return findings[:MAX_FINDINGS]


def _finding(issue: str, best: Sequence[Passage], language: str, graph: Graph) -> Finding:
    citations = tuple(dict.fromkeys(f"{one.citation} {one.pin}".strip() for one in best))
    first = min(
        best, key=lambda one: one.voice not in ("court", "")
    )  # the first passage, but preferably the court's own words
    told = "says" if first.voice == "court" else f"says_{first.voice or 'nobody'}"
    named = f"{first.citation} {first.pin}".strip()
    conclusion = say(told, language, citation=named, quote=first.quote)
    if others := [one for one in citations if one != named]:
        conclusion += say("supported", language, others=", ".join(others))
    distinct = {one.citation for one in best if one.voice in ("court", "headnote", "")}
    followed = any(graph.times.get(name, 0) for name in distinct)
    confidence = min(EXTRACTIVE_CONFIDENCE, 0.2 + 0.1 * len(distinct) + 0.1 * followed)
    return Finding(issue, conclusion, round(confidence, 2), citations, tuple(best))


_FINDING_SCHEMA = object_schema(
    issue={"type": "string"},
    conclusion={"type": "string"},
    confidence={"type": "number", "minimum": 0, "maximum": 1},
    supportingCitations=list_schema({"type": "string"}),
    passages=list_schema({"type": "integer"}),
)
SCHEMA = object_schema(
    executiveSummary={"type": "string"},
    findings=list_schema(_FINDING_SCHEMA),
    conflicts=list_schema(
        object_schema(
            issue={"type": "string"},
            description={"type": "string"},
            citations=list_schema({"type": "string"}),
        )
    ),
    gaps=list_schema({"type": "string"}),
    recommendations=list_schema({"type": "string"}),
)


def writing(
    found: ResearchParameters,
    context: str,
    base: Synthesis,
    passages: Sequence[Passage],
    report: VerificationReport,
    remarks: str = "",
) -> Question[Synthesis]:
    """Ask the model for findings on the passages, which may cite only found decisions."""
    numbered = [
        {"number": number, **one.as_json(), "language": one.language}
        for number, one in enumerate(passages[:SHOWN_TO_MODEL], start=1)
    ]
    chain_ = [one.as_json() for one in base.precedents]
    parts = [
        f"The question:\n\n{fenced('question', found.question)}",
        f"The case:\n\n{fenced('case', context)}" if context else "",
        f"Passages:\n\n{fenced('passages', canonical_json(numbered))}",
        f"Which decision cites which:\n\n{fenced('precedents', canonical_json(chain_))}" if chain_ else "",
        f"A reviewer remarks:\n\n{fenced('remarks', remarks)}" if remarks else "",
        f"Write in this language: {found.language}. At most {MAX_FINDINGS} findings, each on one legal issue; "
        "passages holds the numbers of the passages that a finding rests on. confidence is below 0.5 where only one "
        "passage or a lower court supports it.",
    ]
    prompt = "\n\n".join(filter(None, parts))
    allowed = allowed_citations(passages, report, base)

    def read(data: JsonObject) -> Synthesis:
        return read_synthesis(data, base, passages[:SHOWN_TO_MODEL], allowed)

    return Question("synthesis.written", SYSTEM, prompt, SCHEMA, read)


def allowed_citations(
    passages: Sequence[Passage], report: VerificationReport, base: Synthesis
) -> frozenset[str]:
    """Citations a model may use, without pinpoints: found ones, and known ones that are not missing."""
    missing = {one.citation for one in report.of(NONEXISTENT)} | set(report.dropped)
    names = {one.citation for one in passages} | {one.citation for one in report.citations}
    return frozenset((names | {one.citation for one in base.precedents}) - missing)


def read_synthesis(
    data: JsonObject, base: Synthesis, passages: Sequence[Passage], allowed: frozenset[str]
) -> Synthesis:
    """The model's synthesis. Raises BadAnswer if it cites anything that was not found."""
    for name in ("gaps", "recommendations"):
        _cited_in_text("\n".join(map(str, data[name])), allowed)
    _cited_in_text(data["executiveSummary"], allowed)
    findings = tuple(_read_finding(one, passages, allowed) for one in data["findings"][:MAX_FINDINGS])
    if not findings and passages:
        raise BadAnswer("findings is empty although there are passages: say what they show.")
    for one in data["conflicts"]:
        _cited_in_text(one["description"], allowed)
    changed = tuple(
        Conflict(
            text_of(one, "issue", 300),
            text_of(one, "description", MAX_CONCLUSION),
            tuple(_allowed(one["citations"], allowed)),
        )
        for one in data["conflicts"][:MAX_FINDINGS]
    )
    return replace(
        base,
        findings=findings,
        conflicts=changed or base.conflicts,
        gaps=tuple(dict.fromkeys(texts(data, "gaps", 30, 1_000))),
        recommendations=texts(data, "recommendations", 30, 1_000),
        summary=text_of(data, "executiveSummary", 4_000),
        researcher="model",
    )


def _read_finding(one: JsonObject, passages: Sequence[Passage], allowed: frozenset[str]) -> Finding:
    issue, conclusion = text_of(one, "issue", 300), text_of(one, "conclusion", MAX_CONCLUSION)
    if not issue or not conclusion:
        raise BadAnswer("every finding needs an issue and a conclusion.")
    _cited_in_text(conclusion, allowed)
    numbers = [number for number in one["passages"] if 1 <= number <= len(passages)]
    resting = tuple(passages[number - 1] for number in dict.fromkeys(numbers))
    citations = tuple(_allowed(one["supportingCitations"], allowed))
    if not citations:
        citations = tuple(dict.fromkeys(f"{each.citation} {each.pin}".strip() for each in resting))
    if not citations:
        raise BadAnswer(f"the finding on {issue[:80]!r} cites nothing: name a citation of the passages.")
    return Finding(
        issue, conclusion, round(float(one["confidence"]), 2), citations, resting[:PASSAGES_A_FINDING]
    )


def _allowed(values: Json, allowed: frozenset[str]) -> list[str]:
    """Citations as written, each checked against the found ones."""
    given = [" ".join(str(value).split())[:200] for value in values]
    for value in given:
        if _name(value) not in allowed and not any(f"{value} ".startswith(f"{name} ") for name in allowed):
            raise BadAnswer(
                f"{value!r} is not among the citations of the passages: cite only what was found."
            )
    return list(dict.fromkeys(given))


def _cited_in_text(text: str, allowed: frozenset[str]) -> None:
    """Check decisions named in the text against the found ones."""
    for mention in extract(text):
        if mention.kind in ("bge", "bger", "bvger", "bvge") and mention.normalized not in allowed:
            raise BadAnswer(
                f"{mention.raw!r} is not among the citations of the passages: cite only what was found."
            )


def _name(value: str) -> str:
    mentions = extract(value)
    return str(mentions[0].normalized) if mentions else value


def edited(shown: Synthesis, said: JsonObject | None, allowed: frozenset[str]) -> Synthesis:
    """The synthesis with a person's changes: findings reworded or removed. Raises BadAnswer."""
    if not said or "findings" not in said:
        return shown
    listed = said["findings"]
    if not isinstance(listed, list) or len(listed) > 30:
        raise BadAnswer("findings must be a list of at most 30 findings")
    kept = {one.issue: one for one in shown.findings}
    return replace(shown, findings=tuple(_edited_finding(one, kept, allowed) for one in listed))


def _edited_finding(one: Json, kept: Mapping[str, Finding], allowed: frozenset[str]) -> Finding:
    if not isinstance(one, dict):
        raise BadAnswer("a finding must be an object with issue and conclusion")
    issue, conclusion = text_of(one, "issue", 300), text_of(one, "conclusion", MAX_CONCLUSION)
    confidence = one.get("confidence", 0.5)
    if not issue or not conclusion:
        raise BadAnswer("every finding needs an issue and a conclusion")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise BadAnswer("confidence must be a number from 0 to 1")
    before = kept.get(issue)
    citations = texts(one, "supportingCitations", 30, 200) if "supportingCitations" in one else ()
    if allowed:
        citations = tuple(_allowed(list(citations), allowed))
    if not citations and before:
        citations = before.citations
    return Finding(issue, conclusion, float(confidence), citations, before.passages if before else ())
