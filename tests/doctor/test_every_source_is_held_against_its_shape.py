"""Each source is asked through our own client, and what its answer lacks is named."""

import json
import socket
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from common.outside.shape import lines
from research.doctor import registers, sources
from research.doctor.findings import Finding, examine
from research.doctor.source_questions import Question, examination
from tests.doctor.sources import Sources, set_up
from tests.entities.registers.fake import Reply


def questions() -> list[Question]:
    return [*registers.questions(), *sources.questions()]


def look(asked: list[Question] | None = None, limit: float = 10.0) -> dict[str, Finding]:
    """What is found of each source, all asked at once; by room and name."""
    examinations = [replace(examination(one, []), limit=limit) for one in asked or questions()]
    return {f"{one.group}: {one.name}": finding for one, finding in examine(examinations)}


def test_it_is_content_with_sources_that_speak_as_documented(house):
    found = look()
    assert len(found) == 28
    assert {name: one.seen for name, one in found.items() if one.state != "ok"} == {}


def test_it_names_each_value_that_is_missing_or_of_another_type(house):
    """Every line of every shape: the value renamed in all items, and the value of another type."""
    waiting = {name: cases for name, cases in _cases(house).items() if cases}
    lacking: list[str] = []
    while waiting:
        now = {name: cases.pop() for name, cases in waiting.items()}
        spoils = {one.request: one for one in now.values()}
        house.change = lambda path, body, spoils=spoils: spoils[path](body) if path in spoils else body
        found = look([one.question for one in now.values()])
        for name, one in now.items():
            if found[name].state != "broken" or one.name not in found[name].seen:
                lacking.append(f"{name} {one.path} {one.how.__name__}: {found[name]}")
        waiting = {name: cases for name, cases in waiting.items() if cases}
    assert lacking[:20] == []


def test_it_says_the_place_as_a_person_would_look_for_it(house):
    def renamed(path: str, body: Any) -> object:
        return (
            _renamed(deepcopy(body), "data[].attributes.entity.legalName") if "lei-records" in path else body
        )

    house.change = renamed
    finding = look()["Registers: LEI records"]
    assert finding.seen == "LEI records: data[0].attributes.entity.legalName is missing."
    assert "report it" in finding.todo


def test_trouble_is_told_apart(house):
    html = b"<!DOCTYPE html><title>Log in to the hotel</title>"
    table: list[tuple[Reply, str, str, str]] = [
        (Reply(html), "broken", "html", ""),
        (Reply({"error": "no"}, 401), "broken", "HTTP 401", "Look at"),
        (Reply({"error": "slow"}, 429), "warning", "", "Ask again in a while"),
        (Reply({}, 503), "", "HTTP 503", "network"),
        (Reply([1, 2]), "broken", "", "report it"),
    ]
    wrong: list[str] = []
    for reply, state, seen, todo in table:
        house.change = lambda path, body, reply=reply: reply
        for name, one in look().items():
            fits = (one.state == state if state else one.state in ("warning", "broken")) and todo in one.todo
            exempt = name in EXEMPT.get(reply.status, ())
            if not exempt and not (fits and (seen in one.seen or seen == "html")):
                wrong.append(f"{reply.status} {name}: {one}")
    assert wrong[:20] == []


# Whose clients know no special sentence for that status.
LEI = tuple(f"Registers: LEI {name}" for name in ("records", "relationships", "names", "golden copy"))
EXEMPT = {401: LEI, 429: LEI}


def test_what_is_not_set_up_is_no_fault_and_says_what_would_set_it_up():
    found = look()
    assert {one.state for name, one in found.items() if not name.startswith("Registers: LEI golden")} == {
        "skipped"
    }
    assert found["Search: tavily"].todo == "Set TAVILY_API_KEY."
    assert found["Registers: Zefix"].todo == "Set ZEFIX_USER and ZEFIX_PASSWORD."
    assert found["Registers: FINMA"].todo == "Name finma in DOSSIER_REGISTERS."


def test_sources_that_never_answer_hold_nobody_up():
    silent = socket.create_server(("127.0.0.1", 0), backlog=128)
    with silent, set_up(f"http://127.0.0.1:{silent.getsockname()[1]}"):
        started = time.monotonic()
        found = look(limit=0.3)
    assert time.monotonic() - started < 5
    assert {one.state for one in found.values()} == {"warning", "broken"}
    assert found["Search: tavily"].state == "broken"  # somebody has set it up
    assert found["Law: fedlex"].state == "warning"


def test_a_key_is_never_told(house):
    with set_up(house.url):
        house.change = lambda path, body: Reply({"error": f"wrong key {'x' * 10}"}, 403)
        told = json.dumps([[one.seen, one.todo] for one in look().values()])
    assert "secret" not in told


@dataclass(frozen=True)
class Case:
    """One value that is spoiled, in the answer to one request of a question."""

    question: Question
    request: str
    path: str
    how: Callable[[Any, str, tuple[str, ...]], Any]
    types: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.replace("[]", "").split(".")[-1]

    def __call__(self, body: Any) -> Any:
        return self.how(deepcopy(body), self.path, self.types)


def _cases(house: Sources) -> dict[str, list[Case]]:
    cases: dict[str, list[Case]] = {}
    for question in questions():
        house.questions.clear()
        question.ask()
        requests = [asked.path for asked in house.questions]
        cases[f"{question.group}: {question.name}"] = [
            Case(question, request, path, how, types)
            for request, shape in zip(requests, question.shapes, strict=False)
            for path, types in lines(shape)
            for how in (_renamed, _of_another_type)
        ]
    return cases


def _renamed(body: Any, path: str, types: tuple[str, ...] = ()) -> Any:
    return _spoiled(body, path, lambda holder, key: holder.__setitem__(f"new {key}", holder.pop(key)))


def _of_another_type(body: Any, path: str, types: tuple[str, ...]) -> Any:
    other = [1] if "object" in types else {"other": 1}
    return _spoiled(body, path, lambda holder, key: holder.__setitem__(key, other))


def _spoiled(body: Any, path: str, change: Any) -> Any:
    """Changes the value at the end of the path wherever it is; of a list at the end, its name."""
    steps = path.replace("[]", ".[]").removeprefix(".").split(".")
    while steps[-1] == "[]":
        steps.pop()
    for holder in _holders(body, steps[:-1]):
        if isinstance(holder, dict) and steps[-1] in holder:
            change(holder, steps[-1])
    return body


def _holders(value: Any, steps: list[str]) -> list[Any]:
    if not steps:
        return [value]
    inner = (
        value
        if steps[0] == "[]"
        else [value[steps[0]]]
        if isinstance(value, dict) and steps[0] in value
        else []
    )
    return [
        found for each in (inner if isinstance(inner, list) else []) for found in _holders(each, steps[1:])
    ]
