"""What is done to a run while it is performed, drawn from a seed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.work import MODEL, TURNS

PROTOCOLS: Mapping[str, str] = {"chat": f"openai-chat:{MODEL}", "background": f"openai:{MODEL}"}
KINDS: Mapping[str, str] = {
    "commit": "the worker dies right before or right after a commit",
    "tool": "the worker dies inside a tool call",
    "call": "the worker dies while the model is asked",
    "group": "both workers die while the model is asked",
    "flush": "Redis is emptied and the worker dies",
    "lost": "Redis is emptied before anybody took the message",
    "race": "two workers get a message each for the same run",
    "stale": "a worker is frozen past its lease, another goes on, the first one wakes up",
    "database": "PostgreSQL crashes and comes back",
}
WEIGHTS: Mapping[str, int] = {"commit": 6, "tool": 1, "call": 2, "lost": 1}


@dataclass(frozen=True)
class Trial:
    """``number`` is that of the commit, the tool call or the model call at which it strikes."""

    kind: str
    protocol: str
    moment: str = ""
    number: int = 0

    def __str__(self) -> str:
        where = f"{self.moment} {self.number}".strip() if self.number else ""
        return f"{self.protocol:<11}{self.kind:<9}{where:<10}"


def draw(count: int, seed: int, commits: Mapping[str, int]) -> Iterator[Trial]:
    """``count`` trials: commit points of each protocol without repetition as long as there are any, kinds by weight.

    ``commits``: how many transactions a whole run commits.
    """
    dice = random.Random(seed)  # noqa: S311 - a seed makes trials repeatable; nothing is secret
    points = {protocol: _shuffled(dice, commits[protocol]) for protocol in PROTOCOLS}
    weights = [WEIGHTS.get(kind, 1) for kind in KINDS]
    first = list(KINDS)  # each at least once
    for index in range(count):
        kind = first[index] if index < len(first) else dice.choices(list(KINDS), weights)[0]
        protocol = dice.choice(list(PROTOCOLS))
        if kind == "commit":
            points[protocol] = points[protocol] or _shuffled(dice, commits[protocol])
            moment, number = points[protocol].pop()
            yield Trial(kind, protocol, moment, number)
        elif kind == "tool":
            yield Trial(kind, protocol, "tool", dice.randint(1, TURNS - 1))
        elif kind in {"lost", "race"}:
            yield Trial(kind, protocol)
        else:
            yield Trial(kind, protocol, "call", dice.randint(1, TURNS))


def every(commits: Mapping[str, int]) -> Iterator[Trial]:
    """The commit points of a whole run in each protocol, one after the other."""
    for protocol in PROTOCOLS:
        for number in range(1, commits[protocol] + 1):
            yield Trial("commit", protocol, "before", number)
            yield Trial("commit", protocol, "after", number)


def _shuffled(dice: random.Random, commits: int) -> list[tuple[str, int]]:
    points = [(moment, number) for number in range(1, commits + 1) for moment in ("before", "after")]
    dice.shuffle(points)
    return points


def in_flight(trial: Trial, asking: Sequence[int]) -> bool:
    """Whether a call may have been under way without the journal knowing its answer, or where to fetch it.

    ``asking``: the commits that note what a request to the model gave, its answer or the ticket for it.
    """
    if trial.kind == "commit":
        before = trial.moment == "before" and trial.number in asking
        return before or (trial.moment == "after" and trial.number + 1 in asking)
    if trial.kind in {"call", "group", "flush", "stale", "database"}:
        return trial.protocol == "chat"  # in the background the answer waits at the provider
    return False
