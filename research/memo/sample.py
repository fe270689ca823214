"""A sample memo in four languages, to preview templates: every section has content."""

from datetime import date

from research.memo.content import Content, OpenPoint, VerbLine
from research.memo.findings import Group, Value
from research.memo.labels import Labels
from research.memo.legal import Cited, Issue, Legal, Precedent
from research.memo.owners import charts_of
from research.memo.quotes import Footnote

_DAY = "2026-01-02"
_WORDS = {
    "en": ("A sample, not a finding", "This sentence stands for an answer.", "A question", "A limit."),
    "de": ("Ein Muster, kein Befund", "Dieser Satz steht für eine Antwort.", "Eine Frage", "Eine Grenze."),
    "fr": (
        "Un exemple, pas un constat",
        "Cette phrase tient lieu de réponse.",
        "Une question",
        "Une limite.",
    ),
    "it": ("Un esempio, non un risultato", "Questa frase sta per una risposta.", "Una domanda", "Un limite."),
}


def sample_content(labels: Labels) -> Content:
    """The content of the sample, always the same."""
    title, sentence, question, limit = _WORDS[labels.language]
    values = (Value("/a", labels("name"), "Example AG", passed=2, notes=(1,)), Value("/b", "LEI", "–"))
    return Content(
        kind=f"{labels('title')} · sample 1.0",
        title=title,
        state="approved",
        status=labels("state_approved"),
        facts=[(labels("question"), question), (labels("found_on"), f"{_DAY} 12:00 UTC")],
        tally=[("pass", 2), ("unknown", 1)],
        answer=[(labels("answer_entity"), "Example AG")],
        backing="",
        summary=[sentence],
        points=[OpenPoint("unknown", sentence, "Example AG")],
        report=[],
        verification="",
        findings=[Group("", labels("answer_entity"), values)],
        owners=charts_of(
            {"chain": [{"owner": "Example Holding AG", "owned": "Example AG", "percentage": 60}]},
            date.fromisoformat(_DAY),
            "CH",
        ),
        sources=[
            {"number": 1, "title": "Example", "url": "https://example.org/", "as_of": _DAY, "snippet": ""}
        ],
        quotes=[Footnote(1, "Example AG", 1, "Example", "pass", "", labels("name"))],
        decision=[(labels("verdict"), labels("verdict_approved")), (labels("decided_by"), "reviewer")],
        edits=[],
        verbs=[VerbLine('(entity.ensure :name "Example AG")', "pending")],
        limitations=[limit],
        methodology=[(labels("researcher"), "register"), (labels("checks"), "3")],
        next_steps=[labels("next_execute")],
        trail=[(labels("kind_lei"), "2 ✓  1 ?")],
        proof=None,
        legal=_legal(labels),
        date=_DAY,
    )


def _legal(labels: Labels) -> Legal:
    _, sentence, question, limit = _WORDS[labels.language]
    series = {"de": "BGE", "fr": "ATF", "it": "DTF", "en": "BGE"}[labels.language]
    return Legal(
        summary=(sentence,),
        issues=(Issue(question, sentence, "80 %", (0, 1)),),
        citations=(
            Cited(f"{series} 142 III 239", "pass", "cited_verified", source="BGE", as_of=_DAY),
            Cited(f"{series} 147 VII 1", "fail", "cited_nonexistent", source="BGE", as_of=_DAY),
        ),
        conflicts=(sentence,),
        precedents=(Precedent(f"{series} 142 III 239"),),
        terminology=(("Werkvertrag", "contrat d'entreprise", "appalto", "contract for work"),),
        limitations=(limit,),
    )
