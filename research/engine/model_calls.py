"""Calls to the models of a run: one attempt per step, with its cost reserved first and settled afterwards."""

import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import cast

from django.conf import settings
from django.db import connection
from django.utils import timezone

from common.connection import give_connection_back
from research.engine.attempts import MODEL, Choice, asked_model, choose, failure_of, failures_in
from research.engine.conversation import ASK, answered_ask, turn_as_json, turn_from_json
from research.engine.costs import (
    CHARS_PER_TOKEN,
    Price,
    cost_of,
    fixed_size,
    model_id,
    price_of,
    worst_case,
)
from research.engine.history import fit, size
from research.engine.journal import Entry, Journal
from research.engine.lease_renewal import HEART, Held
from research.engine.limits import LIMITS
from research.engine.outages import OUTAGES
from research.engine.pauses import Pause, wait_for_budget, wait_here, wait_until
from research.engine.sources import Ledger, cited_sources
from research.engine.stops import Ended, HandedOver, OverBudget
from research.jsontext import JsonObject
from research.llm.interface import BackgroundModel, LookFailed, Model, ModelFault, ModelRequest, Turn
from research.llm.models import model_names, open_model, without
from research.llm.verbatim import kept
from research.models import Run, Step
from research.models.states import StepKind

TALK = ""  # the slot of the conversation; other slots are the names under which a workflow asks
FIRST_POLL, LONGEST_POLL = 1.0, 10.0  # seconds between two polls for an answer in the background


@dataclass(frozen=True)
class Attempt:
    """One question to one model. ``name`` is the model's name in the settings."""

    slot: str
    name: str
    model: Model
    request: ModelRequest
    price: Price | None

    @property
    def reserve(self) -> Decimal:
        return worst_case(self.price, self.request, self.model.abilities) if self.price else Decimal(0)


class ModelCalls:
    """The models of one run. ``pause`` and ``rng`` are for tests."""

    pause: Pause | None = None
    rng = random.Random()  # noqa: S311 - jitter

    def __init__(self, run: Run, journal: Journal, ledger: Ledger, held: Held | None = None) -> None:
        self.run, self.journal, self.ledger, self.held = run, journal, ledger, held
        self._prices: dict[tuple[str, date], Price | None] = {}

    @cached_property
    def names(self) -> list[str]:
        return model_names(self.run.model)

    @cached_property
    def models(self) -> Sequence[Model]:
        return [open_model(name) for name in self.names]

    @property
    def first(self) -> Model:
        """The model that the run started with."""
        return self.models[0]

    def ask(self, name: str, request: ModelRequest) -> Turn:
        """The answer under ``name``, from the journal if it is there."""
        return self.ask_all({name: request})[name]

    def ask_all(self, requests: Mapping[str, ModelRequest]) -> dict[str, Turn]:
        """The answers by name. Missing ones are requested in parallel."""
        turns: dict[str, Turn] = {}
        for name in requests:
            step = answered_ask(self.journal.live, name)
            if step and step.answer:
                turns[name] = turn_from_json(step.answer, step.raw or {})
        missing = {name: request for name, request in requests.items() if name not in turns}
        return {**turns, **self._until_answered(missing)}

    def talk(self, request: ModelRequest, said: Sequence[Entry] = (), *, shrinks: int = 0) -> Turn:
        """The next turn of the conversation, after ``said``. The caller writes to the journal at once.

        Each of ``shrinks`` halves what is sent of the conversation.
        """
        return self._until_answered({TALK: request}, said, hold_back=True, shrinks=shrinks)[TALK]

    def _until_answered(
        self,
        missing: Mapping[str, ModelRequest],
        said: Sequence[Entry] = (),
        *,
        hold_back: bool = False,
        shrinks: int = 0,
    ) -> dict[str, Turn]:
        turns = dict(self._collect_left(missing))
        while left := [slot for slot in missing if slot not in turns]:
            ready = self._ready({slot: self._choice(slot) for slot in left})
            tried: Sequence[Attempt] = [
                self._attempt(slot, choice, missing[slot], shrinks) for slot, choice in ready
            ]
            tried, steps = self._intend(tried, said)
            said = ()
            for attempt, step, answer in self._answers(tried, steps):
                if isinstance(answer, ModelFault):
                    self._failed(attempt, step, answer)
                else:
                    turns[attempt.slot] = self._answered(attempt, step, answer, hold_back=hold_back)
        return turns

    def _choice(self, slot: str) -> Choice:
        patience, attempts = LIMITS[self.run.depth].time, settings.DOSSIER_MODEL_ATTEMPTS
        choice = choose(self.journal.live, slot, self.names, attempts=attempts, patience=patience)
        if choice.model is None:
            raise Ended(
                "model_unavailable",
                f"No model gave an answer. The last reason: {choice.last_error.get('message', 'unknown')}",
                retryable=True,
                reason=choice.last_error.get("code", ""),
            )
        if choice.model == len(self.names) - 1 and (not choice.ready_at or choice.ready_at <= timezone.now()):
            choice.ready_at = OUTAGES.rests_until(self.names[-1], patience) or choice.ready_at
        return choice

    def _ready(self, choices: Mapping[str, Choice]) -> list[tuple[str, Choice]]:
        """The questions that are due. Waits for the first if none is."""
        now = timezone.now()
        ready = [(slot, one) for slot, one in choices.items() if not one.ready_at or one.ready_at <= now]
        if not ready:
            moments = [one.ready_at for one in choices.values() if one.ready_at]
            moment = min(moments)
            seconds = (moment - now).total_seconds()
            if seconds > settings.DOSSIER_RETRY_INLINE:
                wait_until(self.run, self.journal, moment)
            wait_here(self.held, seconds, self.pause)
            return [(slot, one) for slot, one in choices.items() if one.ready_at == min(moments)]
        return ready[: settings.DOSSIER_PARALLEL_CALLS]

    def _attempt(self, slot: str, choice: Choice, request: ModelRequest, shrinks: int) -> Attempt:
        model = self.models[choice.model or 0]
        for error in choice.refused:
            fault = ModelFault("unsupported", error["message"], feature=error["feature"])
            model = without(model, fault) or model
        name = self.names[choice.model or 0]
        price, request = self._price(name), self._fitted(request, model, choice.shrinks + shrinks)
        return Attempt(slot, name, model, request, price)

    def _fitted(self, request: ModelRequest, model: Model, shrinks: int) -> ModelRequest:
        if not model.abilities.language:
            return request
        tokens = model.abilities.context_tokens * settings.DOSSIER_HISTORY_PERCENT // 100 >> shrinks
        room = max(tokens * CHARS_PER_TOKEN - fixed_size(request), 0)
        if sum(map(size, request.messages)) <= room:
            return request
        return replace(request, messages=fit(request.messages, room))

    def _price(self, name: str) -> Price | None:
        """The price of a model. Raises Ended if the run has a budget and the price is unknown."""
        key = (name, timezone.localdate())
        if key not in self._prices:
            self._prices[key] = price_of(*key)
            if self._prices[key] is None and self._has_budget():
                raise Ended(
                    "no_price",
                    f"The run has a budget, and there is no price for the model {model_id(name)!r}. Enter it in the "
                    "admin under Model prices, or start the run without a budget.",
                    retryable=True,
                    model=model_id(name),
                )
        return self._prices[key]

    def _has_budget(self) -> bool:
        if self.journal.root_id == self.run.pk:
            return self.run.budget_usd is not None
        return Run.objects.filter(pk=self.journal.root_id, budget_usd__isnull=False).exists()

    def _intend(
        self, tried: Sequence[Attempt], said: Sequence[Entry]
    ) -> tuple[Sequence[Attempt], list[Step]]:
        """Reserve and add the steps. Drop the provider's own search if its cost does not fit."""
        entries = [
            Entry(
                StepKind.MODEL,
                one.slot or one.model.name,
                _intent(one),
                reserve=one.reserve,
            )
            for one in tried
        ]
        try:
            return tried, self.journal.intend(*said, *entries)[len(said) :]
        except OverBudget as refused:
            if not any(one.request.server_search for one in tried):
                wait_for_budget(self.run, self.journal, refused)
        cheaper = [replace(one, request=replace(one.request, server_search=False)) for one in tried]
        return self._intend(cheaper, said)

    def _answers(
        self, tried: Sequence[Attempt], steps: Sequence[Step]
    ) -> Iterator[tuple[Attempt, Step, Turn | ModelFault]]:
        """Each answer as it arrives. Calls in the background store their ticket before waiting."""
        if len(tried) == 1:
            give_connection_back()
            yield tried[0], steps[0], self._call(tried[0], steps[0])
            return
        if connection.in_atomic_block:  # other threads do not see uncommitted writes of this one
            yield from ((one, step, self._call(one, step)) for one, step in zip(tried, steps, strict=True))
            return
        give_connection_back()
        with ThreadPoolExecutor(len(tried), thread_name_prefix="model") as pool:
            futures = {
                pool.submit(self._call_in_thread, one, step): (one, step)
                for one, step in zip(tried, steps, strict=True)
            }
            faults = []
            for future in as_completed(futures):
                if fault := future.exception():
                    faults.append(fault)  # our own error; first keep the paid answers of the others
                else:
                    yield *futures[future], future.result()
        if faults:
            raise faults[0]

    def _call_in_thread(self, attempt: Attempt, step: Step) -> Turn | ModelFault:
        try:
            return self._call(attempt, step)
        finally:
            connection.close()

    def _call(self, attempt: Attempt, step: Step) -> Turn | ModelFault:
        """Call the model. A fault becomes a value; any other exception is our own error."""
        try:
            if attempt.model.abilities.background:
                model = cast(BackgroundModel, attempt.model)  # the ability guarantees this
                ticket = model.start(attempt.request)
                self.journal.ticket(step, ticket)
                return self._collected(model, ticket)
            return attempt.model.complete(attempt.request)
        except ModelFault as fault:
            return fault

    def _collected(self, model: BackgroundModel, ticket: str) -> Turn:
        """Poll for the answer. Stops, also at the provider, if the run should stop.

        Whatever goes wrong from here on, the answer may have been paid for.
        """
        seconds = FIRST_POLL
        end = timezone.now() + timedelta(seconds=settings.DOSSIER_MODEL_TIMEOUT)
        while True:
            turn, asked = _look(model, ticket)
            if turn is not None:
                return turn
            if HEART.leaving.is_set():
                raise HandedOver  # another worker collects it
            left = (end - timezone.now()).total_seconds()
            stopped = self.held is not None and self.held.stop.is_set()
            if stopped or left < 0:
                if not (self.held and self.held.lost):  # otherwise another worker collects it
                    with suppress(ModelFault):
                        model.cancel(ticket)
                raise ModelFault("timeout", "The answer did not come in time.", billed=True)
            wait_here(self.held, min(max(seconds, asked), left), self.pause)
            seconds = min(seconds * 2, LONGEST_POLL)

    def _collect_left(self, missing: Mapping[str, ModelRequest]) -> Iterator[tuple[str, Turn]]:
        """Collect answers in the background that another worker requested."""
        for slot, request in missing.items():
            step = next((one for one in self.journal.live if _is_left(one, slot)), None)
            if step is None:
                continue
            name = asked_model(step)
            model = cast(BackgroundModel, self.models[self.names.index(name)])
            attempt = Attempt(slot, name, model, request, self._price(name))
            give_connection_back()
            try:
                turn = self._collected(model, step.intent["ticket"])
            except ModelFault as fault:
                self._failed(attempt, step, fault)
                continue
            yield slot, self._answered(attempt, step, turn, hold_back=False)

    def _answered(self, attempt: Attempt, step: Step, turn: Turn, *, hold_back: bool) -> Turn:
        OUTAGES.answered(attempt.name)
        cost, usage = cost_of(attempt.price, turn.usage, step.reserved_usd)
        content = turn_as_json(turn)
        found = self.ledger.prepare(cited_sources(turn.citations, attempt.model.name))

        def enter() -> None:
            step.answer = {**content, "sources": self.ledger.enter(found)}

        self.journal.answer(
            step,
            content,
            raw=kept(turn) or None,
            usage=usage,
            cost=cost,
            hold_back=hold_back,
            before=enter if found else None,
        )
        if found:
            self.ledger.entered()
        return turn

    def _failed(self, attempt: Attempt, step: Step, fault: ModelFault) -> None:
        failure = failure_of(fault, failures_in(self.journal.live, attempt.slot), self.rng)
        if fault.passing and not fault.billed:
            OUTAGES.failed(attempt.name, failure["error"])
        self.journal.answer(step, failure, lost=step.reserved_usd if fault.billed else Decimal(0))


def _intent(attempt: Attempt) -> JsonObject:
    """The model is named if the step's name does not say it."""
    named = {} if attempt.name == attempt.model.name and not attempt.slot else {MODEL: attempt.name}
    return {**named, **({ASK: attempt.slot} if attempt.slot else {})}


def _is_left(step: Step, slot: str) -> bool:
    if step.kind != StepKind.MODEL or step.answer is not None or "ticket" not in step.intent:
        return False
    return str(step.intent.get(ASK, TALK)) == slot


def _look(model: BackgroundModel, ticket: str) -> tuple[Turn | None, float]:
    """The answer, or None and the seconds to wait. Any other fault may have been paid."""
    try:
        return model.collect(ticket), 0.0
    except LookFailed as fault:
        return None, fault.retry_after or 0.0
    except ModelFault as fault:
        fault.billed = True
        raise
