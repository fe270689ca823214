"""A legal result as a researcher hands it in, and the checks that stand beside it."""

import copy

from django.utils import timezone

from research.models import Check
from tests.factories import ResultFactory

MACRO = """\
macro:
  name: legal-look-up
  version: "1.0"
  description: What does the law say?
  parameters:
    - name: question
      type: string
      required: true
  tools: [lei_search]
  prompt: "Answer {{question}}."
  output:
    schema_name: legal-look-up-result
    schema: {type: object}
"""
QUESTION = "Was sind die Voraussetzungen der Mängelhaftung nach Art. 368 OR?"
START, INTERIOR, OPEN, GONE = "BGE 142 III 239 E. 3.2", "BGE 138 III 123", "BGer 4A_315/2021", "BGE 147 VII 1"
DATA = {
    "question": QUESTION,
    "memo": {
        "title": "Mängelhaftung im Werkvertrag",
        "executiveSummary": f"Die Haftung setzt einen Mangel voraus ({START}).\n\nZweiter Absatz.",
        "methodology": "Gesucht wurde in der amtlichen Sammlung.",
        "findings": [
            {
                "issue": "Mangelbegriff (Art. 368 Abs. 1 OR)",
                "conclusion": f"Ein Mangel ist jede Abweichung vom Vertrag, vgl. {START}; «Erw. 3» bleibt.",
                "confidence": 0.92,
                "supportingCitations": [START, INTERIOR],
                "passages": [
                    {"quote": f"Mangel ist, was abweicht (vgl. {INTERIOR} S. 125).", "citation": START}
                ],
            },
            {
                "issue": "Rügefrist",
                "conclusion": "Sofort.",
                "confidence": "medium",
                "supportingCitations": [GONE, OPEN, START],
            },
        ],
        "citations": [
            {"citation": START, "title": "Werkvertrag; Mangelbegriff", "verdict": "verified"},
            {"citation": OPEN, "verdict": "verified", "source": "somewhere", "as_of": "2026-01-01"},
        ],
        "precedentChain": [
            "BGE 107 II 172",
            {
                "citation": START,
                "court": "BGer",
                "year": 2016,
                "cites": ["BGE 107 II 172"],
                "citedBy": [OPEN],
            },
        ],
        "conflicts": [{"issue": "Frist", "description": "Zehn Tage genügen.", "citations": [OPEN]}],
        "gaps": ["Die Lehre fehlt."],
        "limitations": ["Nur amtliche Sammlung."],
        "nextSteps": ["Art. 369 OR prüfen."],
        "appendices": {
            "sources": [
                {"number": 4, "name": "bge-search", "title": "Entscheid", "url": "https://example.org/1"}
            ],
            "decisionTrail": [{"phase": "plan", "what": "Three sources were chosen.", "by": "rules"}],
            "terminology": [
                {"de": "Werkvertrag", "fr": "contrat d'entreprise", "it": "appalto", "en": "contract"}
            ],
        },
        "metadata": {"totalSources": 3, "verifiedCitations": 99},
    },
    "suggestedQueries": ["Rügefrist Kaufleute"],
    "relatedTopics": ["Verjährung"],
}
EVIDENCE = {"verdict": "start", "source": "BGE series index", "url": "https://example.org/bge"}
GONE_EVIDENCE = {**EVIDENCE, "verdict": "nonexistent"}
CHECKS = [
    ("BGE 142 III 239", "pass", "existence", "A decision starts there.", EVIDENCE, "2026-08-15"),
    ("BGE 138 III 123", "pass", "existence", "Some decision has that page.", {}, ""),
    ("BGE 147 VII 1", "fail", "existence", "Volume 147 has no division VII.", GONE_EVIDENCE, "2026-08-15"),
    ("BGer 4A_315/2021", "unknown", "existence", "The search did not answer.", {}, ""),
]


def legal_result(data=None, checks=CHECKS, **fields):
    """A pending legal result with its checks."""
    found = copy.deepcopy(DATA if data is None else data)
    result = ResultFactory(run__macro__text=MACRO, data=found, **fields)
    Check.objects.bulk_create(
        Check(
            result=result,
            ordinal=ordinal,
            kind="citation",
            pointer="/memo/citations/0",
            subject=subject,
            verdict=verdict,
            code=code,
            message=message,
            evidence=evidence,
            as_of=as_of,
            checked_at=timezone.now(),
        )
        for ordinal, (subject, verdict, code, message, evidence, as_of) in enumerate(checks)
    )
    return result
