"""The page of a run that researches many entities says how many are done."""

import pytest
from django.urls import reverse

from tests.factories import RunFactory, StepFactory, UserFactory

pytestmark = pytest.mark.django_db
ENTRIES = [{"identifier": str(n), "status": "new" if n % 2 else "stale"} for n in range(5)]
FRESH = [{"identifier": "known", "status": "fresh"}, {"identifier": "two of them", "status": "ambiguous"}]


@pytest.fixture
def page(client):
    client.force_login(UserFactory(rights=["view_run"]))
    return lambda run: client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()


def batch(entries, *states, **fields):
    run = RunFactory(workflow="entity", state="awaiting_children", **fields)
    StepFactory(run=run, name="look-up", answer={"entries": entries})
    for number, state in enumerate(states):
        RunFactory(macro=run.macro, parent=run, workflow="subject", directive=f"1.{number}", state=state)
    return run


@pytest.mark.parametrize(
    ("states", "over", "sentence"),
    [
        ((), 0, "0 of 5 entities researched"),
        (("running", "queued"), 0, "0 of 5 entities researched, 2 under way"),
        (
            ("succeeded", "succeeded", "failed", "running"),
            3,
            "2 of 5 entities researched, 1 failed, 1 under way",
        ),
        (("succeeded", "cancelled"), 2, "1 of 5 entities researched, 1 failed"),
        (("succeeded",) * 5, 5, "5 of 5 entities researched"),
    ],
)
def test_it_counts_what_is_to_be_researched(page, states, over, sentence):
    text = page(batch([*ENTRIES, *FRESH], *states))
    assert f'<progress max="5" value="{over}"></progress> {sentence}<' in text


@pytest.mark.parametrize("entries", [[], FRESH])
def test_where_nothing_is_to_be_researched_there_is_no_bar(page, entries):
    assert "<progress" not in page(batch(entries))


def test_before_memory_is_asked_and_for_other_runs_there_is_no_bar(page):
    assert "<progress" not in page(RunFactory(workflow="entity"))
    other = RunFactory()
    StepFactory(run=other, name="look-up", answer={"entries": ENTRIES})
    assert "<progress" not in page(other)
