"""Which citations of the results are verified, and the outcome in the words of the memo."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from citations.extract import extract
from citations.verify import support
from research.engine.legal.graph import Graph
from research.engine.legal.passages import Text
from research.engine.legal.search_results import RawResult, SearchResults
from research.jsontext import JsonObject

LOOKED_UP = {"quick": 5, "standard": 15, "deep": 40}  # citations that are not results themselves
FOUND = ("start", "exists")
VERIFIED, OPEN, NONEXISTENT = "verified", "open", "nonexistent"


@dataclass(frozen=True)
class Verified:
    """A citation in the memo: verified, open or nonexistent, with source and reason."""

    citation: str
    verdict: str
    title: str = ""
    note: str = ""
    source: str = ""
    url: str = ""
    as_of: str = ""
    suggestions: tuple[str, ...] = ()
    outdated: bool = False  # changed practice, or law no longer in force, by its sources

    def as_json(self) -> JsonObject:
        return {**{name: getattr(self, name) for name in _FIELDS}, "suggestions": list(self.suggestions)}


_FIELDS = ("citation", "verdict", "title", "note", "source", "url", "as_of", "outdated")
OUTDATING = ("practice", "law")


@dataclass(frozen=True)
class VerificationReport:
    """In the order of the results, then of the decisions they cite most."""

    citations: tuple[Verified, ...] = ()
    dropped: tuple[str, ...] = field(default=())

    def of(self, verdict: str) -> tuple[Verified, ...]:
        return tuple(one for one in self.citations if one.verdict == verdict)

    @property
    def by_name(self) -> Mapping[str, Verified]:
        return {one.citation: one for one in self.citations}

    @property
    def accuracy(self) -> float:
        """The share of verified citations among those with an answer."""
        decided = len(self.of(VERIFIED)) + len(self.of(NONEXISTENT))
        return round(len(self.of(VERIFIED)) / decided, 3) if decided else 0.0

    def as_json(self) -> JsonObject:
        """In the terms of the specification."""
        return {
            "verified": [one.as_json() for one in self.of(VERIFIED)],
            "outdated": [one.as_json() for one in self.citations if one.outdated],
            "errors": [one.as_json() for one in self.of(NONEXISTENT)],
            "open": [one.as_json() for one in self.of(OPEN)],
            "overallAccuracy": self.accuracy,
        }


def wanted(results: SearchResults, graph: Graph, depth: str) -> list[str]:
    """The citations to verify: those cited most. Results exist by the word of their source."""
    own = {one.citation for one in results.results}
    cited = sorted(graph.times, key=lambda name: (-graph.times[name], name))
    return [name for name in cited if name not in own and extract(name)][: LOOKED_UP[depth]]


def changed_practice(results: SearchResults, texts: Mapping[str, Text]) -> dict[str, str]:
    """Remarks by citation on results whose texts mention a change of practice."""
    found: dict[str, str] = {}
    for one in results.decisions:
        text = texts.get(one.key)
        finding = support.practice([support.contents(text.text, one.summary)]) if text else None
        if finding:
            found[one.citation] = finding.message
    return found


def report(
    results: SearchResults,
    answers: Mapping[str, JsonObject],
    practice: Mapping[str, str],
    *,
    as_of: str,
    opened: Collection[str] = (),
) -> VerificationReport:
    """The results, verified by their sources on the day ``as_of``; then the answers of ``validate_citation``.

    A commentary is what an author says: it is verified when its text is among those that were ``opened``.
    """
    given = [
        _given(
            one, practice.get(one.citation, ""), as_of, is_read=one.kind != "commentary" or one.key in opened
        )
        for one in results.results
    ]
    return VerificationReport((*given, *(_asked(name, answer) for name, answer in answers.items())))


def _given(one: RawResult, practice: str, as_of: str, *, is_read: bool) -> Verified:
    giver = {"decision": "entscheidsuche", "article": "fedlex", "commentary": "onlinekommentar"}[one.kind]
    note = f"{giver} has it. {practice}".strip() if is_read else f"{giver} lists it; its text was not opened."
    verdict = VERIFIED if is_read else OPEN
    return Verified(
        one.citation,
        verdict,
        one.title,
        note,
        giver,
        one.url,
        as_of,
        outdated=bool(practice),
    )


def _asked(name: str, answer: JsonObject) -> Verified:
    if not answer.get("success"):
        return Verified(name, OPEN, note=str(answer["error"]["message"]))
    data = answer["data"]
    if data["verdict"] == "nonexistent":
        return _answered(name, data, NONEXISTENT)
    return _answered(name, data, VERIFIED if data["verdict"] in FOUND else OPEN)


def _answered(name: str, data: JsonObject, verdict: str) -> Verified:
    # Changed practice, and law that is no longer in force.
    findings = data.get("findings") or ()
    warned = [str(one["message"]) for one in findings if one["code"] in OUTDATING and one["check"] == "warn"]
    return Verified(
        name,
        verdict,
        "",
        " ".join([str(data.get("message") or data.get("reason") or ""), *warned]).strip(),
        str(data.get("source") or ""),
        str(data.get("url") or ""),
        str(data.get("as_of") or ""),
        tuple(str(one) for one in data.get("suggestions") or ()),
        bool(warned),
    )


def without(report: VerificationReport, dropped: Sequence[str]) -> VerificationReport:
    """The report without citations that a person removed."""
    kept = tuple(one for one in report.citations if one.citation not in dropped)
    return VerificationReport(kept, tuple(dropped))
