"""Check what a document says of sanctions against the official lists that are imported here.

A macro whose schema has ``sanctions_findings`` asks about sanctions. The entity of its result and every owner that it
states are screened: an entry like one of them that the document does not name fails, since its silence reads as a
clearance. A finding that the document does state is looked for on its list. What a person has decided about a hit holds
as long as neither side has changed. Lists that are missing or old make the answer unknown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from entities import memory
from entities.models import ScreeningHit
from entities.models.screening import HitState
from entities.screening.coverage import CURRENT, Looked, coverage, gaps
from entities.screening.found import Hit
from entities.screening.looking import Screened, current_policy, index_of, screen_with
from entities.screening.subject import Subject, make_subject
from research.checks.ownership import stated_parties
from research.checks.verdict import Verdict, bounded, clipped
from research.jsontext import Json, JsonObject

FINDINGS = "sanctions_findings"
LISTS = {
    "ofac_sdn": "ofac-sdn",
    "ofac_sectoral": "ofac-consolidated",
    "eu_sanctions": "eu",
    "un_sanctions": "un",
    "uk_sanctions": "uk",
}
MAX_PARTIES, MAX_SHOWN = 200, 10


@dataclass(frozen=True)
class Party:
    """Whom the document is about: where it names them, and what can be compared."""

    pointer: str
    name: str
    lei: str = ""
    country: str = ""
    person: bool = False


def asks_about_sanctions(schema: Json) -> bool:
    """Whether the schema has a place for what lists of sanctions say."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return isinstance(properties, dict) and FINDINGS in properties


def check_listed(data: Json, *, now: datetime) -> list[Verdict]:
    """Verdicts on the named parties and on the stated findings; nothing is asked outside and nothing is written."""
    if not isinstance(data, dict):
        return []
    policy = current_policy()
    looked = coverage(policy, now)
    if not any(one.version for one in looked):
        text = "No official list is imported, so nothing is known of sanctions."
        return [_verdict("no-list", "", "", "unknown", text)]
    index = index_of(looked)
    stated = [row for row in data.get(FINDINGS) or [] if isinstance(row, dict)]
    verdicts: list[Verdict] = []
    for party in islice(_parties(data), MAX_PARTIES):
        subject = _subject(party)
        if subject:
            screened = screen_with(subject, policy=policy, looked=looked, index=index)
            verdicts += _of_party(party, screened, stated)
    for place, row in enumerate(stated):
        name = str(row.get("matched_name") or "").strip("“”\"' ")
        if name and row.get("match_type") != "false_positive":
            pointer = f"/{FINDINGS}/{place}/matched_name"
            subject = _subject(Party(pointer, name))
            if subject:
                found = screen_with(subject, policy=policy, looked=looked, index=index)
                verdicts += _of_finding(pointer, name, row, found)
    return verdicts


def _parties(data: JsonObject) -> Iterator[Party]:
    """The entity, then everybody in the ownership that the document states."""
    entity = data.get("entity")
    if isinstance(entity, dict) and isinstance(entity.get("name"), str):
        lei, place = (str(entity.get(name) or "") for name in ("lei", "jurisdiction"))
        yield Party("/entity/name", entity["name"], lei, place[:2])
    for pointer, name, person in stated_parties(data):
        yield Party(pointer, name, person=person)


def _subject(party: Party) -> Subject | None:
    """None for a name of signs alone: there is nothing to compare."""
    if not any(each.isalnum() for each in party.name):
        return None
    kind, places = ("person" if party.person else ""), ([party.country] if party.country else [])
    return make_subject(names=[party.name], kind=kind, countries=places)


def _of_party(party: Party, screened: Screened, stated: Sequence[JsonObject]) -> Iterator[Verdict]:
    known = memory.resolve(party.lei or party.name).entity if screened.hits else None
    rows = ScreeningHit.objects.filter(entity=known, standing=True) if known else ()
    decided = {(row.source, row.key, row.entry_digest): row for row in rows}
    for hit in screened.hits[:MAX_SHOWN]:
        row = decided.get((hit.source, hit.entry.key, hit.entry_digest))
        word, told = _judged(hit, row, stated)
        text = (
            f"{party.name} is like {hit.entry.name} of the {hit.label}, {hit.likeness.score:g} of 100. {told}"
        )
        yield _verdict("listed", party.pointer, party.name, word, text, hit.as_json())
    if not screened.hits:
        yield _nobody(party, screened.looked)


def _judged(hit: Hit, row: ScreeningHit | None, stated: Sequence[JsonObject]) -> tuple[str, str]:
    if row and row.state == HitState.TRUE_MATCH:
        return "fail", "A person has decided that they are the same."
    if row and row.state == HitState.FALSE_POSITIVE:
        return "pass", "A person has decided that they are not the same."
    names = {name.text.casefold() for name in hit.entry.names}
    if any(str(item.get("matched_name") or "").strip("“”\"' ").casefold() in names for item in stated):
        return "warn", "The result says so; a person must decide."
    return "fail", "The result does not say so."


def _nobody(party: Party, looked: Sequence[Looked]) -> Verdict:
    reasons = gaps(looked)
    if reasons:
        text = f"Whether {party.name} is on a list is not known. {' '.join(reasons)}"
        return _verdict("unknown-lists", party.pointer, party.name, "unknown", text)
    labels = ", ".join(one.label for one in looked)
    return _verdict(
        "not-listed", party.pointer, party.name, "pass", f"No entry like {party.name} is on: {labels}."
    )


def _of_finding(pointer: str, name: str, row: JsonObject, found: Screened) -> Iterator[Verdict]:
    """Whether the list that a finding names has such an entry."""
    source = LISTS.get(str(row.get("list_type")))
    on = next((one for one in found.looked if one.source == source), None)
    if any(source in (None, hit.source) for hit in found.hits):
        return
    if source is None or on is None or on.state != CURRENT:
        text = f"Whether “{name}” is on the list was not checked: that list is not imported, or not current."
        yield _verdict("finding-unknown", pointer, name, "unknown", text)
    else:
        yield _verdict("finding-missing", pointer, name, "fail", f"The {on.told} has no entry like “{name}”.")


def _verdict(
    code: str, pointer: str, subject: str, word: str, message: str, evidence: JsonObject | None = None
) -> Verdict:
    return Verdict("listed", code, pointer, clipped(subject), word, bounded(message), evidence or {})
