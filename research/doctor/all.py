"""Every examination there is, and what a person is told of what they found."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from research.doctor import database, doors, machine, models, processes, registers, sources
from research.doctor.findings import GROUPS, Examination, Finding, Found, State, examine, worst
from research.doctor.source_questions import examination
from research.jsontext import JsonObject


def here() -> list[Examination]:
    """Those that ask nobody outside."""
    return [
        *database.examinations(),
        *processes.examinations(),
        *(one for one in (*machine.examinations(), *doors.examinations()) if not one.outside),
    ]


def everything(*, offline: bool = False) -> tuple[list[Examination], Iterator[Found]]:
    """All examinations in their order, and what each finds, as it comes. ``offline`` asks nobody outside."""
    dates: list[float] = []
    asked = [
        *(one for one in (*machine.examinations(), *doors.examinations()) if one.outside),
        *models.examinations(),
        *(examination(question, dates) for question in (*registers.questions(), *sources.questions())),
    ]
    if offline:
        not_asked = Finding("skipped", "Not asked.")
        asked = [Examination(one.group, one.name, lambda: not_asked) if one.outside else one for one in asked]
    time_outside = Examination("Machine", "Clock outside", lambda: machine.skewed(dates))
    first = [*here(), *asked]

    def found() -> Iterator[Found]:
        yield from examine(first)
        yield from examine([time_outside])

    return [*first, time_outside], found()


@dataclass(frozen=True, slots=True)
class Todo:
    """What is to be done, and the names of what it would help."""

    state: State
    names: tuple[str, ...]
    todo: str


def to_do(found: Sequence[Found]) -> list[Todo]:
    """What to do, each thing once: what is broken first, then in the order of the groups."""
    order = sorted(found, key=lambda pair: (pair[1].state != "broken", GROUPS.index(pair[0].group)))
    names: dict[tuple[State, str], list[str]] = {}
    for one, finding in order:
        if finding.state in ("broken", "warning") and finding.todo:
            names.setdefault((finding.state, finding.todo), []).append(one.name)
    return [Todo(state, tuple(whose), todo) for (state, todo), whose in names.items()]


def as_json(found: Sequence[Found]) -> JsonObject:
    """``{state, findings: [{group, name, state, seen, todo, seconds}]}``."""
    return {
        "state": worst([finding for _, finding in found]),
        "findings": [
            {"group": one.group, "name": one.name, **asdict(finding), "seconds": round(finding.seconds, 2)}
            for one, finding in found
        ],
    }
