"""Official lists of sanctions: who on them is like the entity, and which lists were looked at.

A likeness is a possible match that a person decides. Without any list, or with one that is old or partial, nothing is
known, and the reason is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.register_researcher.playbook import Ask, Notes, Steps, ask_all, quoted
from research.register_researcher.selection import described, name_of

SCREEN = "screen_entity"
LIST_TYPES = {"ofac-sdn": "ofac_sdn", "un": "un_sanctions", "eu": "eu_sanctions", "uk": "uk_sanctions"}


@dataclass
class Sanctions:
    """The contribution of the lists to the document. ``checked`` is true when every list that must be was looked at."""

    checked: bool = False
    findings: list[JsonObject] = field(default_factory=list)
    concerns: list[str] = field(default_factory=list)
    mitigating: list[str] = field(default_factory=list)


def look_at_lists(notes: Notes, records: Sequence[JsonObject], offered: frozenset[str]) -> Steps[Sanctions]:
    """Screen the entities of LEI records: the entity itself, and related parties where they were asked for."""
    told = Sanctions()
    if SCREEN not in offered:
        return told
    unique = list({record["lei"]: record for record in records}.values())
    answers = yield from ask_all(notes, [_asked(record) for record in unique])
    reasons: dict[str, None] = {}
    for record, answer in zip(unique, answers, strict=True):
        if answer is None:
            reasons["The lists could not be looked at."] = None
            continue
        reasons |= dict.fromkeys(answer["reasons"])
        _take(told, record, answer)
    looked: list[JsonObject] = next((answer["lists"] for answer in answers if answer is not None), [])
    notes.consulted += [one["told"] for one in looked if one["version"]]
    notes.gaps += [f"Sanctions lists: unknown. {reason}" for reason in reasons]
    told.checked = not reasons
    if told.checked and not told.findings:
        names = ", ".join(one["label"] for one in looked)
        told.mitigating.append(f"No entry like the name was found on: {names}. That is no clearance.")
    return told


def _asked(record: JsonObject) -> Ask:
    arguments = {
        "name": name_of(record)[:500],
        "kind": "entity",
        "country": str(record.get("jurisdiction") or "")[:2],
    }
    return Ask(SCREEN, {key: value for key, value in arguments.items() if value})


def _take(told: Sanctions, record: JsonObject, answer: JsonObject) -> None:
    for hit in answer["hits"]:
        told.findings.append(
            {
                "list_type": LIST_TYPES.get(hit["list"], "other"),
                "match_type": "possible_match",
                "matched_name": quoted(hit["name"]),
                "description": f"{described(record)} is like {quoted(hit['key'])} of the {hit['label']}, "
                f"{hit['score']:g} of 100: {quoted(hit['explanation'])}",
                "severity": "high",
                "status": "to be decided by a person",
                "confidence": "medium",
            }
        )
    if answer["hits"]:
        count = len(answer["hits"]) + answer["more_hits"]
        told.concerns.append(
            f"{described(record)} is like {count} entries of sanctions lists; a person must decide."
        )
