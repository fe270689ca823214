"""How a decision is cited: its references in the canonical form of the extractor, or court, canton and reference."""

from collections.abc import Mapping

from citations.extract import extract
from citations.sources.decisions import CourtDecision

_COURTS: Mapping[str, str] = {
    "OG": "OGer",
    "VG": "VGer",
    "HG": "HGer",
    "KG": "KGer",
    "SVG": "SVGer",
    "BG": "BezGer",
    "VSG": "VersGer",
}
_FEDERAL: Mapping[str, str] = {
    "CH_BGer": "BGer",
    "CH_BGE": "BGE",
    "CH_BVGE": "BVGer",
    "CH_BVGer": "BVGer",
    "CH_BSTG": "BStGer",
    "CH_PATG": "BPatGer",
}


def citation_of(decision: CourtDecision) -> str:
    """``BGE 151 II 245``, ``BGer 5A_56/2024``, ``VGer ZH VB.2021.00456``, or ``ZH DG250028`` where no form is known."""
    reference = decision.references[0] if decision.references else decision.id
    lead = court_name(decision.court)
    if decision.canton in ("CH", ""):
        return _canonical(reference) or _canonical(f"{lead} {reference}") or f"{lead} {reference}".strip()
    written = f"{lead} {decision.canton} {reference}".strip()
    return _canonical(written) or written


def court_name(court: str) -> str:
    """``OGer`` for ``ZH_OG``; empty for a court whose short name is not known."""
    return _FEDERAL.get(court) or _COURTS.get(court.partition("_")[2], "")


def _canonical(written: str) -> str:
    found = [one for one in extract(written) if one.kind not in ("statute", "journal", "doctrine")]
    whole = len(found) == 1 and found[0].normalized and not found[0].candidates
    return str(found[0].normalized) if whole else ""
