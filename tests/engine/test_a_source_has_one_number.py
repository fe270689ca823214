"""The ledger: what a family of runs has read, once, under numbers that never change."""

import random
import threading

import pytest
from django.db import connection, transaction

from research.engine import sources
from research.engine.runner import perform_run
from research.engine.similarity import similarity, sketch
from research.engine.sources import GONE, Ledger
from research.llm.interface import Citation, Turn
from research.models import Document, Run, Source, Step
from research.tools.tool import REGISTRY, Answer, tool
from tests.engine.conftest import answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
LETTERS = random.Random(0)
WORDS = ["".join(LETTERS.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(7)) for _ in range(4_000)]


def prose(seed, length=300):
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(length))


def page(url, text="", title="", snippet="", **more):
    return {"kind": "web", "url": url, "title": title or url, "text": text, "snippet": snippet, **more}


@pytest.fixture
def run():
    return RunFactory()


def enter(run, *given, ledger=None):
    ledger = ledger or Ledger(run.pk)
    found = ledger.prepare(given)
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)
        return ledger.enter(found)


def test_it_knows_an_address_in_every_spelling(run):
    first, second = enter(run, page("https://Example.org/a?utm_source=x"), page("https://example.org/a#top"))
    assert first == {"number": 1, "novelty": "new", "url": "https://example.org/a"}
    assert second == {**first, "novelty": "duplicate", "related_to": 1, "reason": "url_match"}
    source = Source.objects.get(run=run)
    assert (source.url, source.domain, source.novelty) == ("https://example.org/a", "example.org", "new")


def test_it_knows_a_hit_by_its_long_title_and_a_page_by_its_text(run):
    title = "The annual report of Example AG for 2025"
    hits = enter(run, page("https://a.org/1", title=title), page("https://b.org/2", title=title.upper()))
    assert hits[1]["reason"] == "title_match"
    assert (
        enter(run, page("https://c.org/3", title="Report"), page("https://d.org/4", title="Report"))[1][
            "number"
        ]
        == 3
    )
    text = prose(1)
    pages = enter(run, page("https://e.org/5", text), page("https://f.org/6", text + " and one more"))
    assert (pages[1]["number"], pages[1]["reason"]) == (pages[0]["number"], "content_similarity")


@pytest.mark.parametrize(
    ("address", "novelty"), [("https://www.a.org/2", "related"), ("https://b.org/2", "new")]
)
def test_what_stands_on_the_same_domain_is_sooner_related(run, address, novelty):
    first, second = prose(1), prose(1, 60) + " " + prose(2, 110)
    assert 0.2 < similarity(sketch(first[:1_300]), sketch(second)) < 0.3
    found = enter(run, page("https://a.org/1", first[:1_300]), page(address, second))
    assert found[1]["novelty"] == novelty


def test_it_gives_a_page_that_was_read_its_text_under_the_number_of_the_hit(run):
    enter(run, page("https://a.org/1", snippet="a hit"))
    read = enter(run, page("https://a.org/1", prose(1), warnings=["odd"]))[0]
    assert read == {"number": 1, "novelty": "new", "url": "https://a.org/1"}
    source = Source.objects.get(run=run)
    assert source.document.text == prose(1)
    assert source.warnings == ["odd"]
    assert enter(run, page("https://a.org/1", prose(1)))[0]["novelty"] == "duplicate"


def test_it_gives_another_number_to_another_text_at_the_same_address(run):
    enter(run, page("https://a.org/1", prose(1)))
    again = enter(run, page("https://a.org/1", prose(2)))[0]
    assert again["number"] == 2
    assert [source.document.text for source in run.sources.order_by("number")] == [prose(1), prose(2)]


def test_it_says_how_new_a_text_is(run):
    words = prose(1).split()
    half = " ".join([*words[:200], *prose(2).split()[:100]])
    found = enter(
        run,
        page("https://a.org/1", prose(1)),
        page("https://b.org/2", half),
        page("https://c.org/3", prose(3)),
    )
    assert [one["novelty"] for one in found] == ["new", "related", "new"]
    assert found[1]["related_to"] == 1
    assert [source.novelty for source in run.sources.order_by("number")] == ["new", "related", "new"]


def test_it_counts_on_where_another_worker_or_another_of_the_family_stopped(run):
    ours, theirs = Ledger(run.pk), Ledger(run.pk)
    numbers = [
        enter(run, page(f"https://a.org/{place}"), ledger=ledger)[0]["number"]
        for place, ledger in enumerate([ours, theirs, ours, theirs, theirs])
    ]
    assert numbers == [1, 2, 3, 4, 5]
    assert enter(run, page("https://a.org/1"), ledger=ours)[0]["number"] == 2


def test_it_stops_counting_at_its_limit(run, monkeypatch):
    monkeypatch.setattr(sources, "MAX_SOURCES", 2)
    found = enter(run, *[page(f"https://a.org/{place}") for place in range(4)])
    assert [one.get("number") for one in found] == [1, 2, None, None]
    assert run.sources.count() == 2


def test_it_keeps_a_record_of_a_register_under_its_key(run):
    record = {"kind": "register", "key": "LEI1", "url": "https://r.org/LEI1", "title": "LEI1", "text": "{}"}
    assert enter(run, record, record) == [{"number": 1, "key": "LEI1"}] * 2


def test_it_stores_a_page_once_and_shows_it_whole(play, run, monkeypatch):
    monkeypatch.setattr("research.tools.tool.REGISTRY", dict(REGISTRY))
    text = prose(1)

    run.macro.text = run.macro.text.replace("[lei_search, lei_record]", "[read_pages]")
    run.macro.save()

    @tool("read_pages", "Read.", {"properties": {}})
    def read(arguments, context):
        pages = [{"url": "https://a.org/1", "text": text}, {"url": "https://b.org/2", "text": text[:500]}]
        return Answer(
            {"pages": pages, "$document": "forged"},
            (page("https://a.org/1", text), page("https://b.org/2", text)),
        )

    script = play(asks(("read_pages", {})), answers())
    perform_run(run.pk)
    shown = script.requests[1].messages[-1].answers[0].content
    assert [one["text"] for one in shown["data"]["pages"]] == [text, text[:500]]
    assert shown["sources"][0] == {"number": 1, "novelty": "new", "url": "https://a.org/1"}
    stored = Step.objects.get(run=run, kind="tool").answer
    assert text[:100] not in str(stored)
    assert stored["data"]["document"] == "forged"
    assert Document.objects.get().text == text
    again = Ledger(run.pk)
    assert again.hydrate(stored) == shown


def test_it_says_when_a_text_is_no_longer_there(run):
    content = {"data": {"pages": [{"text": {"$document": "0" * 64}}]}}
    assert Ledger(run.pk).hydrate(content)["data"]["pages"][0]["text"] == GONE


def test_it_keeps_what_a_providers_own_search_cited(play, run):
    cited = answers()
    play(Turn(cited.text, citations=(Citation("https://a.org/1", "A", "the quote"),)))
    perform_run(run.pk)
    source = run.sources.get()
    assert (source.url, source.snippet, source.found_by) == ("https://a.org/1", "the quote", "script")
    assert not run.result.ungrounded


@pytest.mark.parametrize(
    ("shared", "low", "high"), [(1.0, 1.0, 1.0), (0.9, 0.7, 0.9), (0.5, 0.2, 0.5), (0.0, 0.0, 0.2)]
)
def test_it_estimates_how_alike_texts_are(shared, low, high):
    length = 2_000
    words, others = prose(1, length).split(), prose(2, length).split()
    mixed = " ".join([*words[: int(length * shared)], *others[int(length * shared) :]])
    assert low <= similarity(sketch(" ".join(words)), sketch(mixed)) <= high


def test_it_compares_nothing_short_and_nothing_of_another_length():
    assert similarity(sketch("short"), sketch("short")) == 0
    assert similarity(sketch(prose(1, 30)), sketch(prose(1, 300))) == 0


@pytest.mark.django_db(transaction=True)
def test_it_gives_each_number_once_to_many_at_once():
    run = RunFactory()
    numbers, errors = [], []

    def work(place):
        try:
            numbers.append(enter(run, page(f"https://a.org/{place}"))[0]["number"])
        except Exception as error:  # noqa: BLE001 - shown below
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(numbers) == list(range(1, 9))
