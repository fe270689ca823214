"""entscheidsuche.ch fails silently. Whatever goes wrong, nobody is told that there is no such decision."""

import pytest

from citations.sources.entscheidsuche import Entscheidsuche
from common.outside.faults import SourceFault
from tests.cases import cases
from tests.court_server import hit


@cases(
    ("trouble", "code", "tries"),
    [
        ("shards", "incomplete", 1),  # told by the answer itself, which is read after the exchange
        ("timed_out", "incomplete", 1),
        ("no_hits", "unreadable", 1),
        ("bot", "denied", 1),
        ("html", "unreadable", 1),
        (400, "refused", 1),
        (403, "denied", 1),
        (404, "refused", 1),
        (429, "rate_limited", 3),
        (500, "server_error", 3),
        (504, "timeout", 3),
    ],
)
@cases("ask", ["search", "by_reference", "get"])
def test_it_says_what_went_wrong(courts, traffic, trouble, code, tries, ask):
    courts.hits, courts.trouble = [hit("4A_1/2020", "Werkvertrag")], trouble
    courts.asked.clear()
    traffic.forget()  # a source that failed in another row is no longer left alone
    with pytest.raises(SourceFault) as caught:
        getattr(Entscheidsuche(courts.url, traffic=traffic), ask)("4A_1/2020")
    assert (caught.value.source, caught.value.code) == ("entscheidsuche", code)
    assert len(courts.asked) == tries


def test_nobody_at_the_address(traffic):
    with pytest.raises(SourceFault, match="cannot be reached") as caught:
        Entscheidsuche("http://127.0.0.1:9", traffic=traffic).search("Werkvertrag")
    assert caught.value.code == "network"


def test_no_address():
    with pytest.raises(SourceFault) as caught:
        Entscheidsuche("").search("Werkvertrag")
    assert (caught.value.code, caught.value.retryable) == ("not_set_up", False)


def test_it_is_asked_again_with_growing_pauses(courts, client, clock):
    courts.hits, courts.trouble, courts.troubles_left = [hit("4A_1/2020", "Werkvertrag")], 503, 2
    assert client.search("Werkvertrag").total == 1
    assert clock.slept == [1.0, 2.0]


def test_a_wish_for_a_pause_is_kept_to(courts, client, clock):
    courts.trouble, courts.headers = 429, {"Retry-After": "7"}
    courts.hits, courts.troubles_left = [hit("4A_1/2020", "Werkvertrag")], 1
    assert client.search("Werkvertrag").total == 1
    assert sum(clock.slept) >= 7


def test_a_long_wish_is_handed_on(courts, client, clock):
    courts.trouble, courts.headers = 429, {"Retry-After": "900"}
    with pytest.raises(SourceFault) as caught:
        client.search("Werkvertrag")
    assert caught.value.retry_after == 900
    assert clock.slept == []


def test_one_that_keeps_failing_is_left_alone_for_a_while(courts, client, clock):
    courts.trouble = 403
    for number in range(5):
        with pytest.raises(SourceFault):
            client.search(f"Frage {number}")
    with pytest.raises(SourceFault) as caught:
        client.search("noch eine Frage")
    assert caught.value.code == "left_alone"
    assert len(courts.asked) == 5
    courts.trouble, clock.now = "", clock.now + 31
    assert client.search("noch eine Frage").total == 0


def test_trouble_is_not_kept(courts, client):
    courts.hits, courts.trouble = [hit("4A_1/2020", "Werkvertrag")], "shards"
    with pytest.raises(SourceFault):
        client.search("Werkvertrag")
    courts.trouble = ""
    assert client.search("Werkvertrag").total == 1
