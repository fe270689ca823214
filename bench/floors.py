"""What the rooms cost over a bare floor: the least code that does the same work without a promise, in the same run.

Rounds are interleaved, so that a busy machine hits both alike; the best of each counts.
Run: ``python -m bench.floors``.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from bench.whole_path import empty_database

ROUNDS = 7
LEIS, LEAVES, CALLS = 200, 1_000, 500
TODAY = date(2026, 1, 2)


@dataclass(frozen=True)
class Row:
    """One measurement: milliseconds of ours and of the floor for ``count`` things."""

    name: str
    count: int
    unit: str
    ours: float
    floor: float
    floor_name: str

    def __str__(self) -> str:
        each = self.ours / self.count
        ratio = self.ours / self.floor
        return (
            f"  {self.name:<26}{self.ours:>9.1f} ms{each:>9.3f} ms/{self.unit:<6}{ratio:>7.1f} x  "
            f"{self.floor_name} ({self.floor:.2f} ms)"
        )


def race(ours: Callable[[], Any], floor: Callable[[], Any]) -> tuple[float, float]:
    """The best milliseconds of each, after one round that only warms up."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS + 1):
        for work, took in zip((ours, floor), times, strict=True):
            begin = time.perf_counter()
            work()
            took.append((time.perf_counter() - begin) * 1000)
    return min(times[0][1:]), min(times[1][1:])


def verifying() -> Row:
    """Every check of 200 LEIs, against only reading their records; nothing is remembered between rounds."""
    from entities.gleif.demo.answers import DemoRegister
    from entities.gleif.demo.facts import load
    from entities.gleif.register import demo_register
    from entities.gleif.verification import Claim, verify
    from entities.lei import complete

    table = DemoRegister()
    known = [entity.lei for entity in load()][:LEIS]
    leis = [*known, *(complete(f"SYNTHETIC{number:09d}") for number in range(LEIS - len(known)))]
    claims = [Claim(lei, "Allianz SE", "DE") for lei in leis]
    ours, floor = race(
        lambda: verify(claims, demo_register(table), today=TODAY), lambda: demo_register(table).records(leis)
    )
    return Row("verify LEIs", len(leis), "LEI", ours, floor, "reading the records only")


def rows_of_a_page() -> Row:
    """The fields of the review page, against a walk that only meets every value."""
    from research.review.rows import leaf_rows

    item = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(10)}}
    schema = {"type": "object", "properties": {"items": {"type": "array", "items": item}}}
    data = {"items": [{f"field_{n}": f"value {n}" for n in range(10)} for _ in range(LEAVES // 10)]}
    ours, floor = race(lambda: leaf_rows(data, schema), lambda: list(_leaves(data, "")))
    return Row("fields of the page", LEAVES, "field", ours, floor, "walking the values")


def _leaves(value: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from _leaves(child, f"{pointer}/{key}")
    if not items:
        yield pointer, value


def verbs() -> Row:
    """Rendering and parsing 500 calls, against pasting strings and cutting them into words."""
    from research.verbs.parser import parse
    from research.verbs.render import render_verbs

    template = '{{#each funds}}(fund.ensure :name "{{name}}" :jurisdiction "{{place}}" :as @fund_{{@index}})\n{{/each}}'
    data = {"funds": [{"name": f'Fund "{number}" \\ Co', "place": "LU"} for number in range(CALLS)]}
    word = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()]+')

    def paste() -> list[str]:
        lines = [
            f'(fund.ensure :name "{fund["name"]}" :jurisdiction "{fund["place"]}" :as @fund_{number})'
            for number, fund in enumerate(data["funds"])
        ]
        return word.findall("\n".join(lines))

    ours, floor = race(lambda: parse(render_verbs(template, params={}, data=data)), paste)
    return Row("render and parse verbs", CALLS, "call", ours, floor, "pasting strings")


def one_run() -> Row:
    """A whole run with its journal and its checks, against the same tool calls in a bare loop."""
    from entities.gleif.register import open_register
    from research.engine.runner import perform_run
    from research.models import ResearchResult, Run
    from research.services.runs import start_run
    from research.tools.tool import REGISTRY, ToolContext, run_tool

    def run() -> Run:
        params = {"client_name": "Allianz SE"}
        started = start_run(macro="client-discovery", params=params, trigger="cli", enqueue=False)
        perform_run(started.pk)
        return started

    first = run()
    if not ResearchResult.objects.filter(run=first).exists():
        raise AssertionError("the run has no result")
    calls = list(first.steps.filter(kind="tool").values_list("name", "intent"))
    context = ToolContext(open_register("demo"))
    bare = [(name, intent["arguments"]) for name, intent in calls]
    ours, floor = race(run, lambda: [run_tool(REGISTRY[name], asked, context) for name, asked in bare])
    return Row("one run", first.steps.count(), "step", ours, floor, f"its {len(calls)} tool calls in a loop")


def memo() -> Row:
    """The memo of that run in HTML, against dumping its data as JSON."""
    import json

    from research.models import ResearchResult
    from research.services.memos import compose_memo

    result = ResearchResult.objects.order_by("-created_at")[0]
    ours, floor = race(
        lambda: compose_memo(result=result, format="html"), lambda: json.dumps(result.data, indent=2)
    )
    return Row("memo in HTML", 1, "memo", ours, floor, "dumping the data")


def main() -> None:
    with empty_database() as vendor:
        from research.services.macros import sync_macros

        sync_macros()
        print(f"Over the floor, on {vendor}, best of {ROUNDS} rounds")
        for measure in (verifying, rows_of_a_page, verbs, one_run, memo):
            print(measure())


if __name__ == "__main__":
    main()
