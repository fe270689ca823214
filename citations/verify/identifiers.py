"""DOI and arXiv numbers against their registries; other identifiers have nobody here to ask."""

import re
from datetime import date

from citations.sources.works import Work
from citations.verify.judgement import Standing

TABLE = "built-in table"
_ARXIV = re.compile(r"arXiv:(\d\d)(\d\d)\.\d{4,5}(?:v\d+)?", re.IGNORECASE)
NOBODY = {
    "ecli": "ECLI can be read, but nobody here lists them.",
    "echr": "Applications to the European Court of Human Rights are not looked up.",
    "cjeu": "Cases of the Court of Justice of the European Union are not looked up.",
    "us_case": "Decisions of the United States are not looked up.",
    "us_id": "It points back to a decision of the United States, which is not looked up.",
    "doctrine": "Commentaries are in no list that can be asked.",
    "journal": "Journals are in no list that can be asked.",
    "eu_act": "Acts of the European Union are foreign law, which is not looked up.",
    "docket": "No chamber of the Federal Supreme Court that is known here has this number: check where it comes from.",
    "gazette": "Gazettes are in no list that can be asked.",
    "mkge": "Decisions of the military court of cassation are in no list that can be asked.",
    "back_reference": "It points back to something that is not there.",
}


def impossible_arxiv(normalized: str, *, today: date) -> Standing | None:
    """A number whose month never was, or is yet to come; numbers of this form begin in April 2007."""
    found = _ARXIV.fullmatch(normalized)
    if not found:
        return None
    year, month = 2000 + int(found[1]), int(found[2])
    if 1 <= month <= 12 and (2007, 4) <= (year, month) <= (today.year, today.month):
        return None
    message = f"{normalized} does not exist: its first four digits are the year and month of submission."
    return Standing("nonexistent", "month", message, TABLE)


def registered(authority: str, work: Work | None, *, today: date) -> Standing:
    """What a registry answered."""
    if work is None:
        message = f"{authority} does not have it; other registries may."
        return Standing("not_found_here", "not_registered_here", message, authority, as_of=today.isoformat())
    evidence = {"title": work.title[:300], "year": work.year}
    message = f"{authority} has it" + (f": {work.title[:200]}" if work.title else ".")
    return Standing("exists", "registered", message, authority, work.url, today.isoformat(), evidence)


def nobody(kind: str) -> Standing:
    """A kind that nobody here can be asked about."""
    reasons = {"back_reference": "no_antecedent", "docket": "unknown_chamber", "eu_act": "foreign_law"}
    reason = reasons.get(kind, "no_source")
    return Standing("unknown", reason, NOBODY.get(kind, "There is nobody here who could be asked about it."))
