"""Registrations, measures and warnings from supervisors and commercial registers."""

from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.register_researcher.national import National, ask_each, said
from research.register_researcher.playbook import Ask, Notes, Steps, ask_all, quoted

SEVERITY = {"authorised": "low", "formerly": "high", "warned": "critical"}
STANDING = {"live": "low", "ended": "high"}
WARNS_BY_NAME = "finma"  # its warning list has names but no numbers


@dataclass
class Supervision:
    """The contribution of supervisors to the document: its rows, and points for and against."""

    registrations: list[JsonObject] = field(default_factory=list)
    measures: list[JsonObject] = field(default_factory=list)
    concerns: list[str] = field(default_factory=list)
    risks: list[str] = field(default_factory=list)
    mitigating: list[str] = field(default_factory=list)
    supervisors: list[str] = field(default_factory=list)


def read_supervision(notes: Notes, national: National, name: str) -> Steps[Supervision]:
    """Records and authorisations of all matches. FINMA's warnings are read for every name."""
    told = Supervision()
    records = yield from ask_each(notes, "register_record", national.that_can("record"))
    for match, data in records:
        _take_record(told, match, data["record"])
    asks = [(match, _authorisation(match, name)) for match in national.that_can("authorisation")]
    asks += [
        (
            {**answer, "number": ""},
            Ask("register_authorisation", {"register": answer["register"], "name": name}),
        )
        for answer in national.answers
        if answer["register"] == WARNS_BY_NAME and answer["verdict"] == "reject"
    ]
    answers = yield from ask_all(notes, [asked for _, asked in asks])
    for (match, _), answer in zip(asks, answers, strict=True):
        if answer is not None:
            _take_authorisation(notes, told, match, answer["authorisation"])
    return told


def _authorisation(match: JsonObject, name: str) -> Ask:
    return Ask(
        "register_authorisation", {"register": match["register"], "number": match["number"], "name": name}
    )


def _take_record(told: Supervision, match: JsonObject, record: JsonObject) -> None:
    standing, status = record.get("standing", "unknown"), record.get("status") or "not stated"
    details = "; ".join(
        f"{key.replace('_', ' ')} {quoted(value)}" for key, value in (record.get("details") or {}).items()
    )
    told.registrations.append(
        _row(
            match,
            "entry in the register",
            status,
            STANDING.get(standing, "medium"),
            f"{quoted(record['names'][0]['name'])}: {quoted(status)}{'; ' + details if details else ''}",
            record,
        )
    )
    if standing == "ended":
        when = f" on {record['ended']}" if record.get("ended") else ""
        told.concerns.append(f"According to {said(match)} it has ended{when} ({quoted(status)}).")
    elif standing == "live":
        told.mitigating.append(f"{said(match)} has it as {quoted(status)}.")


def _take_authorisation(notes: Notes, told: Supervision, match: JsonObject, answer: JsonObject) -> None:
    licence, status = answer["licence"], answer.get("status") or "not stated"
    told.supervisors.append(match["label"])
    kinds = ", ".join(map(quoted, answer.get("types") or []))
    since = f" since {answer['since']}" if answer.get("since") else ""
    row = _row(
        match,
        f"authorisation{': ' + kinds if kinds else ''}",
        status,
        SEVERITY.get(licence, "medium"),
        f"{quoted(answer.get('name') or match.get('name') or '')}: {quoted(status)}{since}",
        answer,
    )
    told.registrations.append(row)
    label = match["label"]
    if licence == "authorised":
        told.mitigating.append(f"{label} has it as {quoted(status)}.")
    elif licence == "formerly":
        told.concerns.append(f"{label} no longer authorises it ({quoted(status)}).")
    elif licence == "warned":
        told.concerns.append(f"{label} warns of this name.")
    elif licence == "not_listed":
        notes.gaps.append(f"It is not on the list of {label}; whether it needs to be is not known.")
    else:
        told.risks.append(f"{label} gives a status that is not understood here: {quoted(status)}.")
    told.measures += [_measure(match, one, answer) for one in answer.get("measures") or []]
    for notice in answer.get("notices") or []:
        told.risks.append(f"{match['label']} notes: {quoted(notice)}")


def _measure(match: JsonObject, one: JsonObject, answer: JsonObject) -> JsonObject:
    row = {
        "description": quoted(one.get("text") or one["kind"]),
        "authority": match["label"],
        "action_type": quoted(one["kind"]),
        "date": one.get("on"),
        "severity": "high",
        "source_url": one.get("url") or answer["provenance"]["url"],
        "confidence": "high",
    }
    return {key: value for key, value in row.items() if value}


def _row(
    match: JsonObject, kind: str, status: str, severity: str, description: str, said_by: JsonObject
) -> JsonObject:
    row = {
        "regulator": match["label"],
        "registration_type": kind,
        "registration_number": match["number"],
        "status": quoted(status),
        "severity": severity,
        "description": description,
        "confidence": "high",
        "source_url": said_by["provenance"]["url"],
    }
    return {key: value for key, value in row.items() if value}
