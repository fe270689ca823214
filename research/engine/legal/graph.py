"""Citations among the found decisions: chains of precedents, and changes of practice."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from citations.authority.bge import FIRST_YEAR
from citations.extract import extract
from citations.structure import Decision, sentences
from research.engine.legal.passages import Text, holds
from research.engine.legal.search_results import RawResult
from research.jsontext import JsonObject

COURT_KINDS = frozenset(("bge", "bger", "evg", "bvge", "bvger", "bstger"))
NamesIn: TypeAlias = Callable[[str], Mapping[str, Sequence[str]]]
MAX_CHAIN, MAX_CITED, MAX_CONFLICTS, MAX_QUOTE = 12, 20, 8, 500
_CHANGED = re.compile(
    r"(?:Praxisänderung|Änderung der (?:bisherigen )?(?:Praxis|Rechtsprechung)|Rechtsprechungsänderung"
    r"|(?:ist|kann) (?:daran )?nicht (?:mehr )?festzuhalten|nicht (?:länger|mehr) festgehalten"
    r"|Präzisierung der Rechtsprechung"
    r"|entgegen (?:BGE|der in)|abweichend von BGE"
    r"|changement de (?:la )?(?:jurisprudence|pratique)|revirement de jurisprudence|précision de (?:la )?jurisprudence"
    r"|contrairement à (?:l')?ATF|ne saurait être maintenue"
    r"|cambiamento (?:di|della) (?:giurisprudenza|prassi)|modifica della giurisprudenza|contrariamente a(?:lla)? DTF"
    r"|precisazione della giurisprudenza)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?:offen ?gelassen|offen ?bleiben|laissée? (?:ouverte|indécise)"
    r"|peut (?:demeurer|rester) (?:ouverte|indécise)"
    r"|lasciat[ao] (?:aperta|indecisa)|può (?:restare|rimanere) (?:aperta|indecisa))",
    re.IGNORECASE,
)
OTHERS_SPEAK = ("party", "lower", "facts")
_YEAR = re.compile(r"[/.](\d{4})\b")
_SHORT_YEAR = re.compile(r"/(\d{2})$")


@dataclass(frozen=True)
class Precedent:
    """A decision that others cite, found itself or not. ``cites`` and ``cited_by`` name decisions."""

    citation: str
    title: str
    court: str
    year: int | None
    cites: tuple[str, ...]
    cited_by: tuple[str, ...]

    def as_json(self) -> JsonObject:
        return {
            "citation": self.citation,
            "title": self.title,
            "court": self.court,
            "year": self.year,
            "cites": list(self.cites),
            "citedBy": list(self.cited_by),
        }


@dataclass(frozen=True)
class Conflict:
    """A decision that changes practice, or does not follow another."""

    issue: str
    description: str
    citations: tuple[str, ...]

    def as_json(self) -> JsonObject:
        return {"issue": self.issue, "description": self.description, "citations": list(self.citations)}


@dataclass(frozen=True)
class Graph:
    """``edges`` are the decisions that each found one cites, most cited first."""

    edges: Mapping[str, tuple[str, ...]]
    times: Mapping[str, int]  # number of found decisions that cite a decision


def build(decisions: Sequence[RawResult], texts: Mapping[str, Text]) -> Graph:
    """The graph of the found decisions."""
    edges: dict[str, tuple[str, ...]] = {}
    times: Counter[str] = Counter()
    for one in decisions:
        text = texts.get(one.key)
        if text is None:
            continue
        counted = Counter(
            mention.normalized
            for mention in extract(text.text)
            if mention.kind in COURT_KINDS and mention.normalized and mention.normalized != one.citation
        )
        edges[one.citation] = tuple(name for name, _ in counted.most_common(MAX_CITED))
        times.update(counted.keys())
    return Graph(edges, times)


def chain(graph: Graph, decisions: Sequence[RawResult]) -> list[Precedent]:
    """Decisions cited by two or more found ones, and found ones that are cited, oldest first."""
    known = {one.citation: one for one in decisions}
    named = [name for name, count in graph.times.items() if count >= 2 or name in known]
    named.sort(key=lambda name: (-graph.times[name], name))
    precedents = [_precedent(name, known.get(name), graph) for name in named[:MAX_CHAIN]]
    return sorted(precedents, key=lambda one: (one.year or 9999, one.citation))


def conflicts(
    decisions: Sequence[RawResult], texts: Mapping[str, Text], names: NamesIn
) -> tuple[list[Conflict], list[str]]:
    """Sentences on a change of practice, as conflicts; and those that leave a question open.

    What a party submits or a lower court said is no conflict with what the court holds.

    ``names`` gives the words for each key term in the language of a decision.
    """
    changed: list[Conflict] = []
    left_open: list[str] = []
    for one in decisions:
        text = texts[one.key].text if one.key in texts else ""
        decision = Decision(text)
        for start, end in sentences(text):
            sentence = text[start:end]
            speaks = _CHANGED.search(sentence) or _OPEN.search(sentence)
            if speaks and decision.voice(start) in OTHERS_SPEAK:
                continue
            if len(changed) < MAX_CONFLICTS and _CHANGED.search(sentence):
                changed.append(_conflict(sentence, text, one, names(one.language)))
            elif len(left_open) < MAX_CONFLICTS and _OPEN.search(sentence):
                left_open.append(f"{one.citation}: «{sentence[:MAX_QUOTE]}»")
    return changed, left_open


def year_of(citation: str) -> int | None:
    """The year of a decision by its citation: a BGE by volume, a docket by its end."""
    if citation.startswith("BGE "):
        volume = citation.split()[1]
        return int(volume) + FIRST_YEAR if volume.isdigit() else None
    if found := _YEAR.search(citation):
        return int(found[1])
    if found := _SHORT_YEAR.search(citation):
        return 1900 + int(found[1]) if int(found[1]) > 50 else 2000 + int(found[1])
    return None


def _precedent(name: str, found: RawResult | None, graph: Graph) -> Precedent:
    citing = sorted(citation for citation, cited in graph.edges.items() if name in cited)
    return Precedent(
        name,
        found.title if found else "",
        found.court if found else name.split(maxsplit=1)[0],
        found.year if found and found.year else year_of(name),
        graph.edges.get(name, ())[:MAX_CITED],
        tuple(citing[:MAX_CITED]),
    )


def _conflict(sentence: str, text: str, one: RawResult, terms: Mapping[str, Sequence[str]]) -> Conflict:
    cited = [
        mention.normalized
        for mention in extract(sentence)
        if mention.kind in COURT_KINDS and mention.normalized
    ]
    names = tuple(dict.fromkeys([one.citation, *cited]))
    return Conflict(_issue_of(sentence, text, terms), f"{one.citation}: «{sentence[:MAX_QUOTE]}»", names)


def _issue_of(sentence: str, text: str, terms: Mapping[str, Sequence[str]]) -> str:
    """The key term of the sentence, else the main term of its decision."""

    def held(told: str) -> dict[str, bool]:
        return {term: any(holds(told, name) for name in names) for term, names in terms.items()}

    if here := [term for term, there in held(sentence).items() if there]:
        return here[0]
    counted = Counter(
        term for start, end in sentences(text) for term, there in held(text[start:end]).items() if there
    )
    return max(terms, key=lambda term: counted[term], default="")
