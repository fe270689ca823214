"""What the ledger remembers is what was committed, whatever became of the transactions in between."""

import pytest
from django.db import OperationalError, connection

from research.engine import sources
from research.engine.runner import perform_run
from research.engine.sources import Ledger
from research.models import Source, Step
from tests.engine.conftest import ALLIANZ, answers, asks
from tests.factories import RunFactory


@pytest.fixture
def fill_fails_once(monkeypatch):
    """The first answer that is written after a source was entered meets a deadlock."""
    monkeypatch.setattr("research.engine.journal.RETRIES", (0, 0))
    seen = []

    def failing(execute, sql, params, many, context):
        if "INSERT INTO" in sql and "research_source" in sql:
            seen.append("entered")
        if seen == ["entered"] and sql.startswith('UPDATE "research_step"'):
            seen.append("failed")
            raise OperationalError("deadlock detected")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(failing):
        yield seen


@pytest.mark.django_db(transaction=True)
def test_it_enters_a_source_again_whose_transaction_was_rolled_back(play, fill_fails_once):
    play(asks(("lei_record", {"lei": ALLIANZ})), answers())
    run = RunFactory()
    perform_run(run.pk)
    assert "failed" in fill_fails_once
    rows = Source.objects.filter(run=run).values_list("number", "key")
    said = Step.objects.get(run=run, kind="tool").answer["sources"]
    assert [(entry["number"], entry["key"]) for entry in said] == list(rows)
    assert len(rows) == 1


def page(number, text):
    url = f"https://s{number}.example/p"
    return {"kind": "web", "url": url, "title": url, "text": text * 30, "fetch": {"final_url": url}}


@pytest.mark.django_db
def test_it_says_the_same_of_a_changed_page_when_it_has_to_say_it_twice():
    ledger = Ledger(RunFactory().pk)
    ledger.enter(ledger.prepare([page(1, "how it was once ")]))
    ledger.entered()
    found = ledger.prepare(
        [page(1, "quite another text now "), page(2, "something else entirely, and long ")]
    )
    first = ledger.enter(found)
    Source.objects.filter(number__gt=1).delete()  # as a rollback does
    assert ledger.enter(found) == first
    assert [entry["number"] for entry in first] == [2, 3]
    assert Source.objects.count() == 3


@pytest.mark.django_db
def test_it_touches_texts_and_addresses_in_one_order_whatever_order_they_came_in(monkeypatch):
    touched = []
    keep, remember = sources.keep, sources.remember_page

    def keeping(**given):
        touched.append(given["text"])
        return keep(**given)

    def remembering(**given):
        touched.append(given["url"])
        return remember(**given)

    monkeypatch.setattr(sources, "keep", keeping)
    monkeypatch.setattr(sources, "remember_page", remembering)
    pages = [page(1, "a text "), page(2, "b text "), page(3, "c text ")]
    for given in (pages, pages[::-1]):
        ledger = Ledger(RunFactory().pk)
        ledger.enter(ledger.prepare(given))
    assert touched[:6] == touched[6:]
    assert len(touched) == 12
