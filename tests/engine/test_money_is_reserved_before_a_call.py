"""One account for a family of runs: reserved before a call, settled after it, and never more than the budget."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from research.engine.costs import FREE, Price, cost_of, price_of, worst_case
from research.engine.runner import perform_run
from research.engine.worker import Child
from research.engine.workflows import WORKFLOWS
from research.llm.interface import Abilities, ModelFault, ModelRequest, Task, Turn, Usage
from research.models import ModelPrice, Run, Step
from research.models.states import RunState
from research.services.runs import confirm_checkpoint, resume_run
from tests.engine.conftest import ALLIANZ, answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
NAME = "chat:script-1"
USED = Usage(input_tokens=1_000, output_tokens=100)
PAID = Decimal("0.020000")  # 1,000 at 10 and 100 at 100 dollars a million


@pytest.fixture
def priced():
    ModelPrice.objects.create(
        model="script-1",
        valid_from=date(2020, 1, 1),
        input_usd=10,
        cached_usd=1,
        cache_write_usd=12,
        output_usd=100,
    )


def using(turn, usage=USED):
    return Turn(turn.text, turn.tool_calls, turn.stop, usage=usage)


def account(run):
    run.refresh_from_db()
    return run.reserved_usd, run.spent_usd, run.lost_usd


def test_it_books_what_each_answer_cost(play, priced):
    play(using(asks(("lei_record", {"lei": ALLIANZ}))), using(answers()))
    run = RunFactory(model=NAME, budget_usd=Decimal(10))
    perform_run(run.pk)
    assert account(run) == (0, 2 * PAID, 0)
    steps = Step.objects.filter(run=run, kind="model")
    assert [(step.cost_usd, step.reserved_usd) for step in steps] == [(PAID, 0)] * 2
    assert [step.usage["cost"] for step in steps] == ["known", "known"]


def test_it_has_the_worst_case_reserved_while_it_asks(play, priced):
    seen = []
    run = RunFactory(model=NAME, budget_usd=Decimal(10))

    def look(request):
        seen.append(account(run))
        return using(answers())

    play(look)
    perform_run(run.pk)
    reserved, spent, lost = seen[0]
    assert reserved > Decimal("0.8")  # 8,000 tokens of output alone
    assert (spent, lost) == (0, 0)


def test_it_waits_for_a_larger_budget_and_goes_on_with_it(play, priced):
    script = play(using(asks(("lei_record", {"lei": ALLIANZ}))), using(answers()))
    run = RunFactory(model=NAME, budget_usd=Decimal("0.9"))
    Run.objects.filter(pk=run.pk).update(spent_usd=Decimal("0.5"))
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "budget")
    assert script.requests == []
    shown = Step.objects.get(run=run, name="budget").answer
    assert (shown["budget_usd"], shown["spent_usd"]) == ("0.9000", "0.500000")
    confirm_checkpoint(run=run, actor=None, budget_usd=Decimal(5))
    perform_run(run.pk)
    assert account(run) == (0, Decimal("0.5") + 2 * PAID, 0)
    assert run.state == RunState.SUCCEEDED


def test_it_keeps_what_was_paid_for_when_the_next_call_does_not_fit(play, priced):
    run = RunFactory(model=NAME, budget_usd=Decimal(5))

    def first(request):
        Run.objects.filter(pk=run.pk).update(budget_usd=account(run)[0])  # just what this call may cost
        return using(asks(("lei_record", {"lei": ALLIANZ})))

    script = play(first, using(answers()))
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.AWAITING_CONFIRMATION
    assert len(script.requests) == 1
    assert Step.objects.get(run=run, kind="tool").answer["success"]
    confirm_checkpoint(run=run, actor=None, budget_usd=Decimal(5))
    perform_run(run.pk)
    assert account(run) == (0, 2 * PAID, 0)
    assert len(script.requests) == 2


def test_it_says_which_model_has_no_price_when_there_is_a_budget(play):
    script = play(using(answers()))
    run = RunFactory(model=NAME, budget_usd=Decimal(1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "no_price")
    assert "'script-1'" in run.error["message"]
    assert "Model prices" in run.error["message"]
    assert script.requests == []


def test_it_calls_a_cost_unknown_and_not_nothing_without_a_price(play):
    play(using(answers()))
    run = RunFactory(model=NAME)
    perform_run(run.pk)
    assert account(run) == (0, 0, 0)
    assert Step.objects.get(run=run, kind="model").usage["cost"] == "unknown"


def test_it_books_the_reservation_when_the_provider_does_not_say(play, priced):
    play(using(answers(), Usage(known=False)))
    run = RunFactory(model=NAME)
    perform_run(run.pk)
    step = Step.objects.get(run=run, kind="model")
    assert step.cost_usd > Decimal("0.8")
    assert step.usage["cost"] == "reserved"
    assert account(run) == (0, step.cost_usd, 0)


def test_it_books_as_possibly_paid_what_may_have_been_charged(play, priced, no_pauses):
    script = play(using(answers()))
    script.faults = [
        ModelFault("timeout", "silence", billed=True),
        ModelFault("overloaded", "no", billed=False),
    ]
    run = RunFactory(model=NAME)
    perform_run(run.pk)
    lost, overloaded, good = Step.objects.filter(run=run, kind="model")
    assert lost.lost_usd > Decimal("0.8")
    assert (overloaded.lost_usd, good.lost_usd) == (0, 0)
    assert account(run) == (0, PAID, lost.lost_usd)


def test_it_books_the_call_that_was_in_flight_when_a_worker_died(play, priced):
    class Killed(BaseException):
        pass

    script = play(using(answers()))
    script.faults = [Killed()]
    run = RunFactory(model=NAME)
    with pytest.raises(Killed):
        perform_run(run.pk)
    reserved = account(run)[0]
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    assert account(run) == (0, PAID, reserved)
    first = Step.objects.filter(run=run, kind="model").first()
    assert (first.answer["error"]["code"], first.lost_usd) == ("interrupted", reserved)


def test_it_leaves_nothing_reserved_when_a_person_interrupts(play, priced):
    script = play(using(answers()))
    script.faults = [KeyboardInterrupt()]
    run = RunFactory(model=NAME)
    with pytest.raises(KeyboardInterrupt):
        perform_run(run.pk)
    reserved, spent, lost = account(run)
    assert (reserved, spent, run.state) == (0, 0, RunState.CANCELLED)
    assert lost > 0
    resume_run(run=run, actor=None, enqueue=False)
    perform_run(run.pk)
    assert account(run) == (0, PAID, lost)


def test_it_keeps_the_account_of_a_family_at_its_head(play, priced, monkeypatch):
    play(using(answers("prose")))

    def parent(worker):
        worker.spawn("round.1", [Child("a"), Child("b")])
        worker.wait_for_children("round.1")
        worker.end({})

    def topic(worker):
        worker.ask("brief", worker.request("s", "p"))
        worker.end({})

    made = {name: type(name, (), {"perform": staticmethod(fn)})() for name, fn in
            {"deep": parent, "topic": topic}.items()}  # fmt: skip
    monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, **made})
    head = RunFactory(model=NAME, workflow="deep", budget_usd=Decimal("0.81"))
    perform_run(head.pk)
    first, second = head.children.order_by("directive")
    perform_run(first.pk)
    assert account(first) == (0, PAID, 0)
    perform_run(second.pk)
    second.refresh_from_db()
    head.refresh_from_db()
    assert second.state == RunState.AWAITING_CONFIRMATION
    assert (head.state, head.phase) == (RunState.AWAITING_CONFIRMATION, "budget")
    confirm_checkpoint(run=head, actor=None, budget_usd=Decimal(5))
    perform_run(second.pk)
    perform_run(head.pk)
    assert account(second) == (0, PAID, 0)
    assert account(head) == (0, 2 * PAID, 0)
    assert head.state == RunState.SUCCEEDED


def test_it_takes_the_price_of_the_day():
    for day, dollars in ((date(2026, 1, 1), 1), (date(2026, 6, 1), 2)):
        ModelPrice.objects.create(
            model="m", valid_from=day, input_usd=dollars, cached_usd=0, cache_write_usd=0, output_usd=0
        )
    assert price_of("x:m", date(2025, 12, 31)) is None
    assert price_of("x:m", date(2026, 5, 31)).input == Decimal("0.000001")
    assert price_of("x:m", date(2026, 6, 1)).input == Decimal("0.000002")
    assert price_of("register", date(2026, 6, 1)) == FREE


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (Usage(input_tokens=1_000_000), "1"),
        (Usage(cached_tokens=1_000_000), "2"),
        (Usage(cache_write_tokens=1_000_000), "3"),
        (Usage(output_tokens=1_000_000), "4"),
        (Usage(searches=1000), "5"),
        (Usage(input_tokens=1, searches=1), "0.005001"),
    ],
)
def test_it_counts_every_kind_of_token_and_search(usage, cost):
    million = Decimal(1_000_000)
    price = Price(1 / million, 2 / million, 3 / million, 4 / million, Decimal("0.005"))
    assert cost_of(price, usage, Decimal(0))[0] == Decimal(cost)


def test_what_the_providers_search_feeds_back_is_reserved_too(play, priced, settings):
    """As much as the model can read, once more after each search; where that does not fit it is asked without."""
    settings.DOSSIER_SERVER_SEARCH = True
    reserved, run = [], RunFactory(model=NAME, budget_usd=Decimal(14))
    run.macro.text = run.macro.text.replace("lei_search", "web_search")
    run.macro.save()

    def ask(request):
        reserved.append((request.server_search, Run.objects.get(pk=run.pk).reserved_usd))
        fed_back = Usage(input_tokens=1_000_000, output_tokens=100, searches=5)
        return using(asks(("lei_record", {"lei": ALLIANZ})), fed_back if request.server_search else USED)

    script = play(ask, using(answers()))
    script.abilities = Abilities(server_search=True, context_tokens=100_000)
    perform_run(run.pk)
    run.refresh_from_db()
    assert reserved[0][0]
    assert reserved[0][1] >= Decimal("7.2")  # six times 100,000 tokens at 12 dollars a million
    assert script.requests[1].server_search is False  # of the 14 dollars 10 are spent
    assert run.state == RunState.SUCCEEDED
    assert run.spent_usd <= 14


@pytest.mark.parametrize("searches", [True, False])
def test_only_who_can_search_is_reserved_for(priced, searches):
    request = ModelRequest("", (), (), None, Task("", "", {}), 100, server_search=True)
    price = price_of(NAME, date(2026, 1, 1))
    most = worst_case(price, request, Abilities(server_search=searches, context_tokens=1_000))
    assert (most > Decimal("0.07")) is searches
