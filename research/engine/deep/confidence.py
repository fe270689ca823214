"""Limit the confidence of a finding by its quotes and by the verdicts on the report's claims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from common.entailment import compare
from research.engine.claims.claim import Claim, Finding, Judged, Look, judge
from research.engine.deep.synthesis import Draft
from research.jsontext import JsonObject

LEVELS = ("low", "medium", "high")
CEILINGS: Mapping[Finding, str] = {
    "SUPPORTED": "high",
    "PARTIALLY_SUPPORTED": "medium",
    "UNKNOWN": "medium",
    "UNSUPPORTED": "low",
    "CONTRADICTED": "low",
}
UNCHECKED = "medium"


def capped(draft: Draft, judged: Sequence[Judged], look: Look) -> Draft:
    """The draft with confidence lowered to what the checks allow, never raised."""
    findings = tuple(
        {**finding, "confidence": min(finding["confidence"], ceiling, key=LEVELS.index)}
        for place, finding in enumerate(draft.findings)
        for ceiling in [_ceiling(finding, _quotes(draft, place), judged, look)]
    )
    return replace(draft, findings=findings)


def _quotes(draft: Draft, place: int) -> Iterator[tuple[str, int]]:
    """The quotes of a finding, each with its source."""
    for one in draft.evidence:
        if one["pointer"] == f"/findings/{place}/claim":
            yield one["quote"], one["source"]


def _ceiling(
    finding: JsonObject, quotes: Iterator[tuple[str, int]], judged: Sequence[Judged], look: Look
) -> str:
    """Evidence against a finding outweighs support. A quote may support a part of it."""
    claim = Claim(1, 1, finding["claim"], "positive", tuple(finding["sources"]))
    found = [judge(claim, "SUPPORTED", quote, source, look) for quote, source in quotes]
    found += [
        one
        for one in judged
        if claim.text == one.claim.text or compare(claim.text, one.claim.text)[0] == "said"
    ]
    told = {_counts(one) for one in found}
    if told & {"CONTRADICTED", "UNSUPPORTED"}:
        return CEILINGS["CONTRADICTED"]
    return CEILINGS["SUPPORTED"] if "SUPPORTED" in told else UNCHECKED


def _counts(one: Judged) -> Finding:
    """The verdict. A found quote that covers only a part does not count against the rest."""
    return "UNKNOWN" if one.finding == "UNSUPPORTED" and one.quote else one.finding
