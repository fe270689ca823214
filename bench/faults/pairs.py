"""Two people execute results of one group at the same moment, in two processes: both must succeed, every time."""

import itertools
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

from bench.faults.places import DATABASES, Told, use

Program: TypeAlias = list[tuple[str, dict[str, Any]]]

GROUP = "529900K9B0N5BT694847"  # Allianz SE
MANAGER = "OJ2TIQSVQND4IZYYK658"
MEMBERS = (
    *(GROUP, MANAGER, "529900X5FHSYN4P5R285", "529900Z5H1N62JMB3K96", "529900ASFI2IZU3QYD26"),
    *("F240A7PWJB2BLKELB442", "21380039ET3UD11RBS65", "4KT8DCRLAREP7C35MW05", "5299002YFR7XDEA6EC13"),
)


def programs(number: int, luck: random.Random) -> Iterator[Program]:
    """Two that meet: members of one group, its tree, the funds of its manager, owners of each other."""
    one, two = f"Meridian {number} Holding AG", f"Aurora {number} Trading GmbH"
    tree = {"root-lei": GROUP, "direction": "BOTH", "max-depth": 3, "create-entities": True}
    funds = {"manager-lei": MANAGER, "limit": 20, "dry-run": False, "create-cbus": True}
    kinds: list[tuple[Program, Program]] = [
        ([_enrich(luck)], [_enrich(luck)]),
        ([("gleif.import-tree", tree)], [_enrich(luck)]),
        (
            [("gleif.import-tree", {**tree, "direction": "UP", "root-lei": luck.choice(MEMBERS)})],
            [_enrich(luck)],
        ),
        ([("gleif.import-managed-funds", funds)], [_enrich(luck), _enrich(luck)]),
        ([_refresh(luck), _enrich(luck)], [_enrich(luck), _enrich(luck)]),
        ([_owns(one, two)], [_owns(two, one)]),
        ([_owns(one, two), _enrich(luck)], [_owns(two, one), _enrich(luck)]),
    ]
    yield from kinds[number % len(kinds)]


def _enrich(luck: random.Random) -> tuple[str, dict[str, Any]]:
    return "gleif.enrich", {"lei": luck.choice(MEMBERS)}


def _refresh(luck: random.Random) -> tuple[str, dict[str, Any]]:
    return "gleif.refresh", {"stale-days": 0, "limit": 40}


def _owns(owner: str, owned: str) -> tuple[str, dict[str, Any]]:
    kinds = {"owner-type": "legal-entity", "ownership-type": "direct_ownership"}
    return "ownership.record", {"owner-name": owner, "owned-name": owned, "percentage": "30", **kinds}


class Pair:
    """Two processes that execute at the same moment."""

    def __init__(self, stack: ExitStack) -> None:
        command = [sys.executable, "-m", "bench.faults.executor"]
        self.both = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        for child in self.both:
            stack.callback(child.kill)
        for child in self.both:
            assert child.stdout  # noqa: S101 - a pipe was asked for
            if child.stdout.readline().strip() != "ready":
                raise RuntimeError("a process did not start")

    def execute(self, decisions: Iterable[int]) -> list[dict[str, Any]]:
        """What became of each of the two."""
        at = time.time() + 0.05
        for child, decision in zip(self.both, decisions, strict=True):
            assert child.stdin  # noqa: S101
            child.stdin.write(json.dumps({"decision": decision, "at": at}) + "\n")
            child.stdin.flush()
        return [json.loads(child.stdout.readline()) for child in self.both if child.stdout]


def approve(program: Program) -> int:
    """The number of an approval of this program, which waits for execution."""
    from django.contrib.auth import get_user_model

    from research.models import Decision, Macro, ResearchResult, VerbCall
    from research.services.runs import start_run

    person, macro = get_user_model().objects.get(), Macro.objects.get(name="client-discovery")
    run = start_run(macro=macro.name, params={"client_name": GROUP}, trigger="cli", enqueue=False)
    result = ResearchResult(run=run, data={}, digest="bench", state="approved", schema_valid=True)
    given = {"result_digest": "bench", "digest": "bench", "macro": macro, "data": {}}
    decision = Decision(result=result, verdict="approved", reviewer=person, **given)
    calls = [
        VerbCall(decision=decision, ordinal=ordinal, verb=verb, text="", arguments=arguments)
        for ordinal, (verb, arguments) in enumerate(program, 1)
    ]
    for row in (result, decision, *calls):
        row.save(force_insert=True)
    return int(decision.pk)


def run(trials: int, database: str) -> Told:
    """Pairs of executions; the deadlocks are those that PostgreSQL counted, each of which was begun again."""
    told = Told(trials)
    with ExitStack() as stack:
        use(stack.enter_context(DATABASES[database]()))
        pair, luck = Pair(stack), random.Random(1)  # noqa: S311 - the same pairs each time
        for number in range(trials):
            done = pair.execute(list(map(approve, programs(number, luck))))
            told.seconds += [one["seconds"] for one in done]
            told.wrong += [f"{number}: {faults}"] if (faults := list(_faults(done))) else []
        told.note = f"{_deadlocks()} deadlocks"
    return told


def _deadlocks() -> int:
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def _faults(told: list[dict[str, Any]]) -> Iterator[str]:
    for call in itertools.chain.from_iterable(one["calls"] for one in told):
        if call["state"] != "succeeded":
            yield f"{call['state']} {call['error']}"
