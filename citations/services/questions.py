"""Which source is asked about which kind of citation, and its answer as a standing. Writes nothing."""

from datetime import date

from django.conf import settings

from citations.sources.setup import open_arxiv, open_crossref, open_entscheidsuche
from citations.verify import courts, identifiers, support
from citations.verify.judgement import Standing

SETTINGS = {
    "entscheidsuche": "ENTSCHEIDSUCHE_BASE_URL",
    "crossref": "CROSSREF_BASE_URL",
    "arxiv": "ARXIV_BASE_URL",
}


def source_of(kind: str) -> str:
    """The source that is set up for a kind; empty when there is none."""
    if kind in ("doi", "arxiv"):
        name = "crossref" if kind == "doi" else "arxiv"
    else:
        name = "entscheidsuche" if kind == "bge" or kind in courts.KINDS else ""
    return name if name and getattr(settings, SETTINGS[name]) else ""


def ask(kind: str, key: str, *, today: date) -> Standing:
    """One question. Raises SourceFault: nothing is known then."""
    if kind == "doi":
        return identifiers.registered("crossref", open_crossref().work(key.removeprefix("doi:")), today=today)
    if kind == "arxiv":
        return identifiers.registered("arxiv", open_arxiv().work(key.partition(":")[2]), today=today)
    return courts.found(key, open_entscheidsuche().by_reference(key).decisions, today=today)


def text_of(identifier: str) -> tuple[str, bool]:
    """The text of a decision, and whether the source cut it. Raises SourceFault."""
    decision = open_entscheidsuche().get(identifier)
    text = decision.text if decision else ""
    return text, len(text) >= support.CUT_NEAR
