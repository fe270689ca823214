"""How sure a finding may be: no surer than what its quotes, and the verdicts on the report's claims, allow."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from common.saying import compare
from research.engine.deep.claims import Claim, Finding, Judged, Look, judge
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
    """The draft with what a model says of its own certainty held to the checks; it is lowered, never raised."""
    findings = tuple(
        {**finding, "confidence": min(finding["confidence"], ceiling, key=LEVELS.index)}
        for place, finding in enumerate(draft.findings)
        for ceiling in [_ceiling(finding, _quotes(draft, place), judged, look)]
    )
    return replace(draft, findings=findings)


def _quotes(draft: Draft, place: int) -> Iterator[tuple[str, int]]:
    """The quotes that are given for a finding, each with its source."""
    for one in draft.evidence:
        if one["pointer"] == f"/findings/{place}/claim":
            yield one["quote"], one["source"]


def _ceiling(
    finding: JsonObject, quotes: Iterator[tuple[str, int]], judged: Sequence[Judged], look: Look
) -> str:
    """What speaks against a finding outweighs what bears it out; a quote may bear out a part of it."""
    claim = Claim(1, 1, finding["claim"], "positive", tuple(finding["sources"]))
    found = [judge(claim, "SUPPORTED", quote, source, look) for quote, source in quotes]
    found += [one for one in judged if _is_the_same(claim.text, one.claim.text)]
    told = {_counts(one) for one in found}
    if told & {"CONTRADICTED", "UNSUPPORTED"}:
        return CEILINGS["CONTRADICTED"]
    return CEILINGS["SUPPORTED"] if "SUPPORTED" in told else UNCHECKED


def _counts(one: Judged) -> Finding:
    """The verdict; a quote that is there, and does not say all of it, says nothing against the rest."""
    return "UNKNOWN" if one.finding == "UNSUPPORTED" and one.quote else one.finding


def _is_the_same(finding: str, claim: str) -> bool:
    """Whether a claim of the report says what the finding says."""
    return finding == claim or compare(finding, claim)[0] == "said"
