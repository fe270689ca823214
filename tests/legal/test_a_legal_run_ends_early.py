"""When the model will not write or the time is over, what the sources gave becomes a partial result that says why."""

import pytest

from research.engine.runner import perform_run
from research.llm.interface import ModelFault, Turn
from research.models import ResearchResult
from research.models.states import RunState
from research.services.runs import cancel_run, confirm_checkpoint, finish_run
from tests.cases import cases
from tests.engine import conftest
from tests.legal.conftest import work
from tests.legal.test_a_model_writes_only_what_was_found import GOOD, Counsel

pytestmark = pytest.mark.django_db
end_the_time = conftest.end_the_time
TIME = "Die Zeit des Laufs war um; das Memo enthält, was bis dahin gefunden wurde."


class Unwilling(Counsel):
    """It reads the question, and ends otherwise than with findings."""

    def __init__(self, end) -> None:
        super().__init__(GOOD)
        self.end = end

    def complete(self, request) -> Turn:
        if "keyTerms" in request.schema["properties"]:
            return super().complete(request)
        if isinstance(self.end, Turn):
            return self.end
        raise self.end


@pytest.fixture
def law(courts, acts, commentaries):
    """All of its sources answer."""


@pytest.fixture
def use(monkeypatch):
    return lambda counsel: monkeypatch.setattr("research.engine.model_calls.open_model", lambda name: counsel)


@cases(
    ("end", "told"),
    [
        (Turn("Not even BGE 149 III 901.", stop="refusal"), "Das Sprachmodell hat die Antwort verweigert"),
        (Turn("", stop="content_filter"), "Der Filter des Anbieters hielt die Antwort"),
        (Turn("", stop="error"), "Vom Sprachmodell war keine Antwort zu haben"),
        (ModelFault("auth", "The key is refused."), "Vom Sprachmodell war keine Antwort zu haben"),
    ],
)
@cases("autonomy", ["autonomous", "balanced"])
def test_what_the_rules_found_stays_when_the_model_will_not_write(ask, law, use, end, told, autonomy):
    use(Unwilling(end))
    run = work(ask(autonomy=autonomy, model="counsel"))
    while run.state == RunState.AWAITING_CONFIRMATION:
        confirm_checkpoint(run=run, actor=None, enqueue=False)
        work(run)
    assert run.state == RunState.SUCCEEDED, run.error
    result = ResearchResult.objects.get(run=run)
    assert result.partial
    assert result.data["memo"]["findings"]
    assert [text for text in result.limitations if told in text]
    assert "149 III 901" not in str(result.data)


def until(run, name, ends):
    """A worker on whose clock the time is over once a call of that name is answered."""
    perform_run(run.pk, on_step=lambda step: ends() if name in (step.name, step.kind) else None)
    run.refresh_from_db()


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("search_bge", "register"),
        ("search_bge", "counsel"),
        ("search_commentaries", "register"),
        ("validate_citation", "counsel"),
    ],
)
def test_what_the_sources_gave_stays_when_the_time_is_over(ask, law, use, end_the_time, name, model):
    use(Counsel(GOOD)) if model == "counsel" else None
    run = ask(autonomy="autonomous", model=model)
    until(run, name, end_the_time)
    assert run.state == RunState.SUCCEEDED, run.error
    result = ResearchResult.objects.get(run=run)
    assert result.partial
    assert result.data["memo"]["findings"]
    assert TIME in result.limitations
    assert result.schema_valid


def test_nothing_found_is_no_result(ask, law, use, end_the_time):
    use(Counsel(GOOD))
    run = ask(autonomy="autonomous", model="counsel")
    until(run, "model", end_the_time)
    assert (run.state, run.error["code"]) == (RunState.FAILED, "deadline")
    assert not ResearchResult.objects.exists()


def test_a_person_makes_do_with_what_was_found(ask, law, use):
    counsel = Counsel(GOOD)
    use(counsel)
    run = ask(autonomy="cautious", model="counsel")
    until(run, "x", lambda: None)
    while run.phase != "verify":
        confirm_checkpoint(run=run, actor=None, enqueue=False)
        work(run)
    cancel_run(run=run, actor=None)
    asked = len(counsel.requests)

    finish_run(run=run, actor=None, enqueue=False)
    assert work(run).state == RunState.SUCCEEDED, run.error
    result = ResearchResult.objects.get(run=run)
    assert result.partial
    assert result.data["memo"]["findings"]
    assert len(counsel.requests) == asked
    assert [text for text in result.limitations if "eine Person liess das Memo" in text]
