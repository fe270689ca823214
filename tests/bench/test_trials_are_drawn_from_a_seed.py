"""What the crash trials do to a run is drawn once and can be drawn again; what they may demand follows from it."""

from collections import Counter

import pytest

from bench.crash.trials import KINDS, Trial, draw, in_flight

COMMITS = {"chat": 30, "background": 44}


def test_it_draws_the_same_trials_from_the_same_seed():
    assert list(draw(50, 1, COMMITS)) == list(draw(50, 1, COMMITS))
    assert list(draw(50, 1, COMMITS)) != list(draw(50, 2, COMMITS))


def test_it_does_everything_at_least_once():
    assert {trial.kind for trial in draw(len(KINDS), 3, COMMITS)} == set(KINDS)


def test_it_visits_every_commit_point_once_before_it_visits_one_twice():
    points = Counter(trial for trial in draw(2_000, 1, COMMITS) if trial.kind == "commit")
    for protocol, commits in COMMITS.items():
        visits = [
            points[Trial("commit", protocol, moment, n + 1)]
            for moment in ("before", "after")
            for n in range(commits)
        ]
        assert max(visits) - min(visits) <= 1
        assert min(visits) > 0


@pytest.mark.parametrize(
    ("trial", "expected"),
    [
        (Trial("commit", "chat", "after", 6), True),  # the intent is stored, the answer is not
        (Trial("commit", "chat", "before", 7), True),  # the answer is here, and lost
        (Trial("commit", "chat", "before", 6), False),
        (Trial("commit", "chat", "after", 7), False),
        (Trial("call", "chat", "call", 2), True),
        (Trial("call", "background", "call", 2), False),  # the provider keeps the answer
        (Trial("tool", "chat", "tool", 2), False),
        (Trial("race", "chat"), False),
    ],
)
def test_it_knows_when_a_call_may_be_paid_twice(trial, expected):
    assert in_flight(trial, asking=[7, 11]) is expected
