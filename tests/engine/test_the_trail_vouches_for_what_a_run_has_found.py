import pytest

from research.audit.verification import verify_trail
from research.engine.runner import perform_run
from research.models import ResearchResult
from tests.engine.conftest import ALLIANZ, FINAL, answers, asks
from tests.factories import RunFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("trail_elsewhere")]


def test_a_result_that_is_stored_is_as_its_event_says(play):
    """The event is made from what is about to be stored; both databases give the same back."""
    play(asks(("lei_search", {"name": "Allianz SE"}), ("lei_record", {"lei": ALLIANZ})), answers(FINAL))
    perform_run(RunFactory(model="script").pk)
    result = ResearchResult.objects.get()
    assert result.suggested_verbs
    assert result.coverage
    assert [
        fault for fault in verify_trail().faults if not fault.startswith("Macro")
    ] == []  # made by a factory
