"""What national registers and supervisors add to the LEI register, if any are configured.

They are told apart by what they say of a company: none is asked further unless its verdict on who is meant is "auto".
A register that was not set up, was not reached or could not tell which company is meant is a gap with its reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.register_researcher.playbook import Ask, Notes, Steps, ask, ask_all, quoted

SEARCH = "register_search"
NOT_SET_UP = (
    "No national register or supervisor's list is set up here (DOSSIER_REGISTERS), so officers, persons with "
    "significant control and authorisations were not looked up."
)


@dataclass
class National:
    """The companies that registers identify with certainty: register, label, number, capabilities and answer."""

    matches: list[JsonObject] = field(default_factory=list)
    answers: list[JsonObject] = field(default_factory=list)

    def that_can(self, capability: str) -> list[JsonObject]:
        return [match for match in self.matches if capability in match["can"]]


def look_up(notes: Notes, record: JsonObject, offered: frozenset[str]) -> Steps[National]:
    """The entries in national registers for the entity of an LEI record."""
    if SEARCH not in offered:
        notes.gaps.append(NOT_SET_UP)
        return National()
    name = str(record.get("name") or record["lei"])
    arguments = {
        "name": name[:500],
        "jurisdiction": record.get("jurisdiction"),
        "number": str(record.get("registered_as") or "")[:40],
        "authority": record.get("registered_at"),
    }
    data = yield from ask(notes, SEARCH, **{key: value for key, value in arguments.items() if value})
    if data is None:
        return National()
    told = National(answers=data["registers"])
    for answer in told.answers:
        _read(notes, told, answer, name)
    missing = ", ".join(data["not_set_up"])
    place = record.get("jurisdiction") or "its place"
    if missing:
        notes.gaps.append(f"Not set up here, and so not asked for {place}: {missing}.")
    if not data["registers"]:
        notes.gaps.append(f"None of the registers that are set up here speaks for {place}.")
    return told


def ask_each(
    notes: Notes, tool: str, matches: Sequence[JsonObject], **arguments: object
) -> Steps[list[tuple[JsonObject, JsonObject]]]:
    """One call for each match, in one turn. Returns pairs of match and answer, only for answered calls."""
    asks = [Ask(tool, {"register": one["register"], "number": one["number"], **arguments}) for one in matches]
    answers = yield from ask_all(notes, asks)
    return [(one, data) for one, data in zip(matches, answers, strict=True) if data is not None]


def said(match: JsonObject) -> str:
    """ "Companies House 00012345"."""
    return f"{match['label']} {match['number']}"


def _read(notes: Notes, told: National, answer: JsonObject, name: str) -> None:
    label, verdict = answer["label"], answer["verdict"]
    if verdict == "unknown":
        notes.calls, notes.failed = notes.calls + 1, notes.failed + 1
        notes.gaps.append(f"{label} could not be asked: {quoted(answer['error']['message'])}")
        return
    notes.consulted.append(f"{label}, as of {answer['as_of']}")
    if verdict == "auto":
        chosen = answer["chosen"]
        told.matches.append({**answer, "number": chosen["number"], "name": chosen["name"]})
        notes.findings.append(f"{label} has it as {quoted(chosen['name'])} ({chosen['number']}).")
    elif verdict == "ambiguous":
        notes.gaps.append(f"{label} may have it, and a person must tell: {quoted(answer['reason'])}")
        notes.verifications.append(f"Tell which line of {label} is “{quoted(name)}”.")
    else:
        notes.gaps.append(
            f"{label} has no line that fits ({quoted(answer['reason'])}); that is no proof that there is none."
        )
