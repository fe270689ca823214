"""A match API of OpenSanctions (yente 5) as one more source: ``POST /match/{dataset}``.

It knows lists that Dossier has no importer for, and gives no date and no digest of them. Its data are free for
non-commercial use only; business needs a licence. It is asked one subject at a time, and not for all of memory: one
processor of it answers some four questions a second.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.conf import settings

from common.outside.client import TRAFFIC, Client, Patience, Traffic, json_object
from common.outside.exchange import Reply
from common.outside.faults import SourceFault
from entities.screening.coverage import CURRENT, UNREACHABLE, Looked
from entities.screening.found import Hit
from entities.screening.policy import Policy
from entities.screening.records import (
    ALIAS,
    FORMER,
    PRIMARY,
    Entry,
    Identifier,
    ListedName,
    digest_of,
    make_entry,
    make_name,
)
from entities.screening.scoring import FieldLikeness, Likeness
from entities.screening.subject import Subject

LIMIT = 50
BELOW = 0.05  # results that score exactly the threshold that is asked for are left out, so less is asked for
PATIENCE = Patience(seconds=30.0, attempt=10.0, tries=2)
SCHEMAS = {"person": "Person", "entity": "Organization", "": "LegalEntity"}
KINDS = {"Person": "person", "Vessel": "vessel", "Airplane": "aircraft"}
NAMES = (
    ("name", PRIMARY, False),
    ("alias", ALIAS, False),
    ("previousName", FORMER, False),
    ("weakAlias", ALIAS, True),
)
PLACES = ("nationality", "citizenship", "country", "jurisdiction", "flag")
NUMBERS = ("passportNumber", "idNumber", "registrationNumber", "leiCode", "innCode", "imoNumber", "taxNumber")


def is_set_up() -> bool:
    return bool(settings.YENTE_BASE_URL)


def ask_match_api(
    subject: Subject, *, policy: Policy, now: datetime, traffic: Traffic = TRAFFIC
) -> tuple[list[Hit], Looked]:
    """The hits of the API that reach the policy's threshold, and that it was asked. A fault makes it unreachable."""
    dataset = settings.YENTE_DATASET
    source, label = f"yente:{dataset}"[:60], f"match API, data set {dataset}"
    try:
        answer = _client(traffic).ask(
            f"match/{dataset}",
            read=_results,
            params={"limit": LIMIT, "threshold": f"{_least(policy) / 100 - BELOW:.2f}"},
            body={"queries": {"q": {"schema": SCHEMAS[subject.kind], "properties": _properties(subject)}}},
        )
    except SourceFault as fault:
        return [], Looked(source, label, UNREACHABLE, f"The {label} could not be asked: {fault.message}")
    hits = [hit for one in answer if (hit := _hit(one, source, label, subject, policy))]
    return hits, Looked(source, label, CURRENT, confirmed=now.isoformat(), age_days=0, entries=len(answer))


def _client(traffic: Traffic) -> Client:
    key = settings.YENTE_API_KEY
    headers = {"Authorization": f"ApiKey {key}"} if key else {}
    return Client("match API", settings.YENTE_BASE_URL, headers=headers, patience=PATIENCE, traffic=traffic)


def _least(policy: Policy) -> float:
    return min(policy.person_threshold, policy.company_threshold)


def _properties(subject: Subject) -> dict[str, list[str]]:
    place = "nationality" if subject.kind == "person" else "jurisdiction" if subject.kind else "country"
    told = {
        "name": list(subject.names),
        "birthDate": [date for date in subject.births if "/" not in date and "~" not in date],
        place: [code.lower() for code in subject.countries],
        "leiCode": [one.number for one in subject.identifiers if one.type == "lei"],
        "registrationNumber": [one.number for one in subject.identifiers if one.type == "register-number"],
    }
    return {name: values for name, values in told.items() if values}


def _results(reply: Reply) -> list[dict[str, Any]]:
    """The results of the one query. Raises ValueError for an answer of another shape."""
    answered = json_object(reply).get("responses", {}).get("q")
    if not isinstance(answered, dict) or answered.get("status") != 200:
        raise ValueError("no answer to the query")
    results = answered.get("results")
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        raise ValueError("no results")
    return results[:LIMIT]


def _hit(one: dict[str, Any], source: str, label: str, subject: Subject, policy: Policy) -> Hit | None:
    entry, score = _entry(one), one.get("score")
    if entry is None or not isinstance(score, int | float):
        return None
    points = round(100.0 * max(0.0, min(1.0, score)), 1)
    if points < policy.threshold(entry.kind):
        return None
    name = FieldLikeness("name", points, subject.names[0], entry.name, "as the match API scores it")
    fields = (name, *_features(one.get("explanations")))
    return Hit(source, label, entry, digest_of(entry.as_json()), Likeness(points, fields))


def _entry(one: dict[str, Any]) -> Entry | None:
    """A result as an entry; None for one without an id or a name."""
    stated = one.get("properties")
    properties: dict[str, Any] = stated if isinstance(stated, dict) else {}
    names: list[ListedName] = [make_name(str(one.get("caption") or ""), type=PRIMARY)]
    for field, type, weak in NAMES:
        names += (make_name(text, type=type, weak=weak) for text in _texts(properties, field))
    try:
        return make_entry(
            key=str(one.get("id") or ""),
            kind=KINDS.get(str(one.get("schema")), "entity"),
            names=names,
            births=_texts(properties, "birthDate"),
            countries=(
                code.upper() for field in PLACES for code in _texts(properties, field) if len(code) == 2
            ),
            identifiers=(Identifier(field, text) for field in NUMBERS for text in _texts(properties, field)),
            programs=_texts(one, "datasets"),
        )
    except ValueError:
        return None


def _features(explanations: Any) -> Iterable[FieldLikeness]:
    """What the API says of each feature, in its own words; their scores are not points of ours."""
    told = explanations if isinstance(explanations, dict) else {}
    for feature, value in list(told.items())[:30]:
        found = value if isinstance(value, dict) else {"score": value}
        score = found.get("score")
        if not isinstance(score, int | float) or not score:
            continue
        ours, theirs, detail = (str(found.get(key) or "")[:200] for key in ("query", "candidate", "detail"))
        yield FieldLikeness(str(feature)[:60], 0.0, ours, theirs, f"{score:g} {detail}".strip())


def _texts(document: dict[str, Any], field: str) -> list[str]:
    values = document.get(field)
    return [text for text in values if isinstance(text, str)][:200] if isinstance(values, list) else []
