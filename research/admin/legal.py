"""The page of a legal run: how far it is, what it waits for, and a form for what can be changed there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest

from research.jsontext import Json, JsonObject
from research.models import Run
from research.services.checkpoints import Checkpoint, progress, waiting_for

TITLES = {
    "clarification": "The question in other words",
    "understand": "How the question is understood",
    "plan": "The search plan",
    "search": "The first source has answered",
    "sources": "A source is down",
    "verify": "The citations",
    "synthesize": "The draft of the findings",
    "deliver": "The draft of the memo",
}
LABELS = {
    "answer": "The question",
    "again": "Ask them again",
    "legalDomain": "Domains of law",
    "keyTerms": "Key terms and articles, the most telling first",
    "concepts": "Concepts (in English, for translations)",
    "federal": "Decisions of the Federal Supreme Court count",
    "cantons": "Cantons",
    "from": "Decisions from (day or year)",
    "to": "Decisions to (day or year)",
    "languages": "Languages, that of the memo first",
    "relevanceThreshold": "Leave out results that score below (0 to 1)",
    "maxResults": "Results kept at most",
    "sources": "Sources still to be asked",
    "title": "Title",
    "executiveSummary": "Executive summary",
    "nextSteps": "Recommended next steps",
}
MAX_ROWS = 60
SOURCES = ("bge-search", "cantonal-courts", "entscheidsuche", "doctrine", "fedlex")
LANGUAGES = ("de", "fr", "it", "en", "")


@dataclass(frozen=True)
class Field:
    """One input: ``kind`` is text, line, lines, flag or number, ``value`` what it holds now."""

    name: str
    label: str
    kind: str
    value: Any

    @property
    def rows(self) -> int:
        """Of a field for several lines."""
        length = len(self.value) if self.kind == "text" else 80 * (self.value.count("\n") + 1)
        return max(2, min(10, length // 80 + 1))


@dataclass(frozen=True)
class Row:
    """One query or finding that can be changed or left out; ``filters`` are carried along."""

    number: int
    values: JsonObject
    filters: str = ""
    blank: bool = False


@dataclass(frozen=True)
class LegalForm:
    """What the page shows where a legal run waits."""

    checkpoint: Checkpoint
    fields: list[Field] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)  # sources still to be asked
    queries: list[Row] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)
    citations: list[JsonObject] = field(default_factory=list)

    @property
    def title(self) -> str:
        return TITLES.get(self.checkpoint.phase.partition(".")[0], "The run waits")

    @property
    def has_lists(self) -> bool:
        return any(field.kind == "lines" for field in self.fields)

    @property
    def takes_citations_out(self) -> bool:
        return "drop" in (self.checkpoint.edit or {})


def legal_context(run: Run) -> dict[str, Any]:
    """What the template needs; nothing for runs of other workflows."""
    if run.workflow != "legal":
        return {}
    checkpoint = waiting_for(run)
    form = form_of(checkpoint) if checkpoint else None
    return {"legal": progress(run), "checkpoint": form, "sources": SOURCES, "languages": LANGUAGES}


def form_of(checkpoint: Checkpoint) -> LegalForm:
    edit = checkpoint.edit or {}
    cited = checkpoint.shown.get("citations")
    return LegalForm(
        checkpoint,
        fields=[found for name, value in edit.items() if (found := _field(name, value))],
        choices=list(edit.get("sources") or ()),
        queries=_queries(edit.get("queries")),
        findings=_findings(edit.get("findings")),
        citations=list(cited) if isinstance(cited, list) else [],
    )


def _field(name: str, value: Json) -> Field | None:
    label = LABELS.get(name, name)
    if name in ("queries", "findings", "drop", "sources"):
        return None
    if isinstance(value, bool):
        return Field(name, label, "flag", value)
    if isinstance(value, int | float):
        return Field(name, label, "number", value)
    if isinstance(value, list):
        return Field(name, label, "lines", "\n".join(map(str, value)))
    short = name in ("from", "to", "title")
    return Field(name, label, "line" if short else "text", str(value))


def _queries(listed: Json) -> list[Row]:
    if not isinstance(listed, list):
        return []
    rows = [Row(number, one, _told(one.get("filters") or {})) for number, one in enumerate(listed)]
    return [*rows, Row(len(rows), {"source": "bge-search", "language": "de"}, blank=True)]


def _findings(listed: Json) -> list[Row]:
    if not isinstance(listed, list):
        return []
    return [
        Row(number, {**one, "citations": "\n".join(one["supportingCitations"])})
        for number, one in enumerate(listed)
    ]


def _told(filters: Mapping[str, Json]) -> str:
    """``cantons=ZH,BE from=2015-01-01``: filters as one text that is read again."""
    return " ".join(
        f"{name}={','.join(value) if isinstance(value, list) else value}" for name, value in filters.items()
    )


def posted_answer(request: HttpRequest) -> JsonObject | None:
    """What the form sends back; None when it held nothing to change."""
    answer: JsonObject = {}
    for name, value in request.POST.items():
        kind, _, field_name = name.partition("-")
        if kind == "edit":
            answer[field_name] = str(value).replace("\r\n", "\n")
        elif kind == "lines":
            answer[field_name] = _lines(str(value))
        elif kind == "flag":
            answer[field_name] = f"on-{field_name}" in request.POST
        elif kind == "number":
            answer[field_name] = _number(str(value))
    if "choices" in request.POST:
        answer["sources"] = request.POST.getlist("source")
    if "citations" in request.POST:
        answer["drop"] = request.POST.getlist("drop")
    if "queries" in request.POST:
        answer["queries"] = [row for number in range(MAX_ROWS) if (row := _query(request, number))]
    if "findings" in request.POST:
        answer["findings"] = [row for number in range(MAX_ROWS) if (row := _finding(request, number))]
    return answer or None


def _query(request: HttpRequest, number: int) -> JsonObject | None:
    """A query that has words and was not left out."""
    words = request.POST.get(f"row-{number}-query", "").strip()
    if not words or f"row-{number}-leave" in request.POST:
        return None
    return {
        "source": request.POST.get(f"row-{number}-source", ""),
        "query": words,
        "language": request.POST.get(f"row-{number}-language", ""),
        "filters": _filters(request.POST.get(f"row-{number}-filters", "")),
    }


def _filters(text: str) -> JsonObject:
    found: JsonObject = {}
    for part in text.split():
        name, _, value = part.partition("=")
        found[name] = value.split(",") if name in ("cantons", "courts") else value
    return found


def _finding(request: HttpRequest, number: int) -> JsonObject | None:
    issue = request.POST.get(f"row-{number}-issue", "").strip()
    if not issue or f"row-{number}-leave" in request.POST:
        return None
    return {
        "issue": issue,
        "conclusion": request.POST.get(f"row-{number}-conclusion", "").replace("\r\n", "\n").strip(),
        "confidence": _number(request.POST.get(f"row-{number}-confidence", "")),
        "supportingCitations": _lines(request.POST.get(f"row-{number}-citations", "")),
    }


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _number(text: str) -> Json:
    """A number, or the text as it is, which the service refuses in a sentence."""
    try:
        return int(text) if text.strip().lstrip("-").isdigit() else float(text)
    except ValueError:
        return text
