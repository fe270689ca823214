"""That a register is not the live one matters to those who read what it said, and to nobody else."""

import pytest

from research.engine.runner import perform_run
from research.models import Run
from tests.engine.conftest import ALLIANZ, answers, asks
from tests.factories import RunFactory, SourceFactory

pytestmark = pytest.mark.django_db
NOTHING = {"name": "A company", "jurisdiction": "DE", "confidence": "low"}


def told(run):
    perform_run(run.pk)
    result = Run.objects.get(pk=run.pk).result
    return any(sentence.startswith("Not the live register") for sentence in result.limitations)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([answers(NOTHING)], False),
        ([asks(("lei_search", {"name": "Nobody of that name"})), answers(NOTHING)], True),
        ([answers({**NOTHING, "lei": ALLIANZ})], True),
    ],
    ids=["not asked", "asked by a tool", "asked by a check"],
)
def test_a_demo_register_is_named_where_it_was_asked(play, turns, expected):
    play(*turns)
    assert told(RunFactory()) is expected


def test_it_is_named_when_another_of_the_family_asked_it(play):
    play(answers(NOTHING))
    run = RunFactory()
    SourceFactory(run=run, kind="register")
    assert told(run)
