"""Which citations of the results are verified, and what came of it, in the words of the memo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from citations.extract import extract
from research.engine.legal.graph import Graph
from research.engine.legal.searching import RawResult, SearchResults
from research.jsontext import JsonObject

LOOKED_UP = {"quick": 5, "standard": 15, "deep": 40}  # citations that are not themselves results
FOUND = ("start", "exists")
VERIFIED, OPEN, NONEXISTENT = "verified", "open", "nonexistent"


@dataclass(frozen=True)
class Verified:
    """One citation as it goes into the memo: verified, open or nonexistent, who said so, and why."""

    citation: str
    verdict: str
    title: str = ""
    note: str = ""
    source: str = ""
    url: str = ""
    as_of: str = ""
    suggestions: tuple[str, ...] = ()
    outdated: bool = (
        False  # practice has changed, or the law is no longer in force, as far as its sources say
    )

    def as_json(self) -> JsonObject:
        return {**{name: getattr(self, name) for name in _FIELDS}, "suggestions": list(self.suggestions)}


_FIELDS = ("citation", "verdict", "title", "note", "source", "url", "as_of", "outdated")
OUTDATING = ("practice", "law")


@dataclass(frozen=True)
class VerificationReport:
    """In the order of the results, then of the decisions that these cite most."""

    citations: tuple[Verified, ...] = ()
    dropped: tuple[str, ...] = field(default=())

    def of(self, verdict: str) -> tuple[Verified, ...]:
        return tuple(one for one in self.citations if one.verdict == verdict)

    @property
    def by_name(self) -> Mapping[str, Verified]:
        return {one.citation: one for one in self.citations}

    @property
    def accuracy(self) -> float:
        """The share of the citations about which anybody could say anything that exist."""
        decided = len(self.of(VERIFIED)) + len(self.of(NONEXISTENT))
        return round(len(self.of(VERIFIED)) / decided, 3) if decided else 0.0

    def as_json(self) -> JsonObject:
        """In the words of the specification."""
        return {
            "verified": [one.as_json() for one in self.of(VERIFIED)],
            "outdated": [one.as_json() for one in self.citations if one.outdated],
            "errors": [one.as_json() for one in self.of(NONEXISTENT)],
            "open": [one.as_json() for one in self.of(OPEN)],
            "overallAccuracy": self.accuracy,
        }


def wanted(results: SearchResults, graph: Graph, depth: str) -> list[str]:
    """The citations to ask about: of the results, then those that they cite most."""
    own = [one.citation for one in results.decisions]
    cited = sorted(graph.times, key=lambda name: (-graph.times[name], name))
    others = [name for name in cited if name not in own][: LOOKED_UP[depth]]
    return [name for name in [*own, *others] if extract(name)]


def report(results: SearchResults, answers: Mapping[str, JsonObject], *, as_of: str) -> VerificationReport:
    """What the answers of ``validate_citation`` say; a result that its source gave exists by the source's own word."""
    titles = {one.citation: one for one in results.results}
    names = list(dict.fromkeys([*(one.citation for one in results.results), *answers]))
    return VerificationReport(
        tuple(_verified(name, titles.get(name), answers.get(name), as_of) for name in names)
    )


def _verified(name: str, result: RawResult | None, answer: JsonObject | None, as_of: str) -> Verified:
    data = answer.get("data") if answer and answer.get("success") else None
    title, url = (result.title, result.url) if result else ("", "")
    if data and data["verdict"] == "nonexistent":
        return _answered(name, data, NONEXISTENT, title, url)
    if result is not None:
        note = str(data["message"]) if data and data["verdict"] == "start" else f"{_giver(result)} has it."
        warned = _warnings(data)
        note = " ".join([note, *warned])
        return Verified(name, VERIFIED, title, note, _giver(result), url, as_of, outdated=bool(warned))
    if data:
        return _answered(name, data, VERIFIED if data["verdict"] in FOUND else OPEN, title, url)
    trouble = str(answer["error"]["message"]) if answer else "Nobody was asked."
    return Verified(name, OPEN, title, trouble, "", url, "")


def _answered(name: str, data: JsonObject, verdict: str, title: str, url: str) -> Verified:
    warned = _warnings(data)
    return Verified(
        name,
        verdict,
        title,
        " ".join([str(data.get("message") or data.get("reason") or ""), *warned]).strip(),
        str(data.get("source") or ""),
        str(data.get("url") or url),
        str(data.get("as_of") or ""),
        tuple(str(one) for one in data.get("suggestions") or ()),
        bool(warned),
    )


def _warnings(data: JsonObject | None) -> list[str]:
    """What the sources say of changed practice and of law that is no longer in force."""
    findings = (data or {}).get("findings") or ()
    return [str(one["message"]) for one in findings if one["code"] in OUTDATING and one["check"] == "warn"]


def _giver(result: RawResult) -> str:
    return {"decision": "entscheidsuche", "article": "fedlex", "commentary": "onlinekommentar"}[result.kind]


def without(report: VerificationReport, dropped: Sequence[str]) -> VerificationReport:
    """The report without citations that a person took out."""
    kept = tuple(one for one in report.citations if one.citation not in dropped)
    return VerificationReport(kept, tuple(dropped))


def read_report(data: JsonObject) -> VerificationReport:
    """Of ``{"citations": [...]}``."""
    return VerificationReport(
        tuple(Verified(**{**one, "suggestions": tuple(one["suggestions"])}) for one in data["citations"])
    )
