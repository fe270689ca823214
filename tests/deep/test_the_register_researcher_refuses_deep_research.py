"""Deep research needs a language model, and the keyless researcher says so."""

import pytest

from research.models.states import RunState
from research.services.runs import start_run
from tests.deep.conftest import QUESTION, work

pytestmark = pytest.mark.django_db


def test_it_ends_with_a_sentence_on_what_would_help(deep_macro):
    run = work(start_run(macro=deep_macro, params={"question": QUESTION}, trigger="cli"))
    assert run.state == RunState.FAILED
    assert run.error["code"] == "unsupported_macro"
    assert "DOSSIER_MODEL" in run.error["message"]
    assert run.error["retryable"] is False
