"""Order, falling through, merging, and what is said of those who did not answer."""

import pytest

from common.outside.client import Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Rate
from research.web.search.archive import Archive
from research.web.search.base import Hit
from research.web.search.search import MAX_HITS, merged, web_search
from tests.cases import cases
from tests.web.search.doubles import Scripted


def hit(name, **more):
    return Hit(f"https://{name}.example/", name, "s", **more)


def hits(*names):
    return [hit(name) for name in names]


@pytest.fixture
def rules(clock):
    return Traffic(
        clock=clock,
        sleep=clock.sleep,
        uniform=lambda low, high: 1.0,
        rates={name: Rate(0, 0) for name in "abc"},
    )


def found(answer):
    return [hit.title for hit in answer.hits]


def test_the_first_that_finds_something_is_enough(rules):
    a, b = Scripted("a", hits("x", "y")), Scripted("b", hits("z"))
    answer = web_search(["q"], 5, [a, b], traffic=rules, seconds=60)
    assert (found(answer), answer.asked, answer.failed) == (["x", "y"], ("a",), ())
    assert b.asked == []


def test_one_that_finds_nothing_passes_the_question_on(rules):
    a, b = Scripted("a", []), Scripted("b", hits("z"))
    answer = web_search(["q"], 5, [a, b], traffic=rules, seconds=60)
    assert (found(answer), answer.asked, answer.failed) == (["z"], ("a", "b"), ())


def test_one_that_fails_is_named_and_passes_the_question_on(rules):
    a, b = Scripted("a", SourceFault("a", "refused", "refused it")), Scripted("b", hits("z"))
    answer = web_search(["q"], 5, [a, b], traffic=rules, seconds=60)
    assert found(answer) == ["z"]
    (failure,) = answer.failed
    assert failure.as_json() == {
        "provider": "a",
        "query": "q",
        "code": "refused",
        "message": "a refused it.",
    }


def test_nothing_found_and_nobody_answered_are_told_apart(rules):
    empty = web_search(["q"], 5, [Scripted("a", [])], traffic=rules, seconds=60)
    down = web_search(
        ["q"],
        5,
        [Scripted("a", SourceFault("p", "rate_limited", retry_after=90.0))],
        traffic=rules,
        seconds=60,
    )
    assert (empty.hits, empty.answered) == ((), ("a",))
    assert (down.hits, down.answered) == ((), ())
    assert down.failed[0].as_json()["retry_after"] == 90.0


@pytest.mark.parametrize(("kind", "times"), [("denied", 1), ("quota", 1), ("refused", 3)])
def test_one_without_a_key_or_a_quota_is_not_asked_the_other_questions(rules, kind, times):
    a, b = Scripted("a", SourceFault("p", kind, "no")), Scripted("b", hits)
    answer = web_search(["q1", "q2", "q3"], 5, [a, b], traffic=rules, seconds=60)
    assert len(a.asked) == times
    assert b.asked == ["q1", "q2", "q3"]
    assert found(answer) == ["q1", "q2", "q3"]


def test_several_questions_take_turns(rules):
    lists = {"one": hits("a1", "both", "a3"), "two": hits("b1", "b2"), "three": hits("both")}
    answer = web_search(list(lists), 5, [Scripted("a", lists.get)], traffic=rules, seconds=60)
    assert found(answer) == ["a1", "b1", "both", "b2", "a3"]


def test_a_question_is_asked_once_and_at_most_ten_are(rules):
    a = Scripted("a", lambda query: hits(f"h{query}"))
    web_search(["q", " q ", "", "  ", *map(str, range(20))], 5, [a], traffic=rules, seconds=60)
    assert a.asked == ["q", *map(str, range(8))]


def test_the_merged_list_is_capped(rules):
    a = Scripted("a", lambda query: hits(*(f"{query}{i}" for i in range(5))))
    answer = web_search([f"q{i}x" for i in range(10)], 5, [a], traffic=rules, seconds=60)
    assert len(answer.hits) == MAX_HITS
    assert {hit.title[:2] for hit in answer.hits} == {f"q{i}" for i in range(10)}


SPELLINGS = [
    "https://e.example/a?utm_source=x",
    "HTTPS://E.example:443/a#top",
    "https://e.example/b/../a",
]


def test_one_page_in_three_spellings_is_one_hit(rules):
    a = Scripted("a", [Hit(url, "t", "s") for url in SPELLINGS])
    answer = web_search(["q"], 5, [a], traffic=rules, seconds=60)
    assert [hit.url for hit in answer.hits] == ["https://e.example/a"]


UNUSABLE = [
    "",
    "javascript:alert(1)",
    "ftp://e.example/",
    "//e.example/",
    "https://",
    "https://user:pw@e.example/",
    "https://e.example:99999/",
    "http://[::1",
    "https://e.example/" + "x" * 3_000,
    None,
    7,
    ["https://e.example/"],
]


@cases("url", UNUSABLE)
def test_an_address_that_cannot_be_opened_is_left_out(rules, url):
    a = Scripted("a", [Hit(url, "bad", "s"), hit("good")])
    assert found(web_search(["q"], 5, [a], traffic=rules, seconds=60)) == ["good"]


def test_one_whose_addresses_are_all_unusable_passes_the_question_on(rules):
    a, b = Scripted("a", [Hit("", "bad", "s")]), Scripted("b", hits("z"))
    assert found(web_search(["q"], 5, [a, b], traffic=rules, seconds=60)) == ["z"]


def test_the_longest_text_of_a_page_is_kept():
    lists = [[hit("x", provider="a")], [hit("x", provider="b", text="an abstract")]]
    (only,) = merged(lists)
    assert (only.provider, only.text) == ("a", "an abstract")


def test_the_time_is_for_all_questions_together(rules, clock):
    def slow(query):
        clock.now += 25
        return hits(query)

    a = Scripted("a", slow)
    answer = web_search(["q1", "q2", "q3", "q4"], 5, [a], traffic=rules, seconds=60)
    assert found(answer) == ["q1", "q2", "q3"]
    assert [(each.query, each.code) for each in answer.failed] == [("q4", "timeout")]
    assert a.seconds == [15.0, 15.0, 10.0]


def test_the_archive_is_a_provider_like_others(rules):
    archive = Archive(lambda query, limit: hits("kept", "too", "many")[: limit + 1])
    answer = web_search(["q"], 2, [Scripted("a", []), archive], traffic=rules, seconds=60)
    assert found(answer) == ["kept", "too"]
    assert answer.asked == ("a", "archive")


def test_an_archive_in_trouble_is_a_failure_like_others(rules):
    def broken(query, limit):
        raise RuntimeError("secret detail")

    answer = web_search(["q"], 2, [Archive(broken)], traffic=rules, seconds=60)
    assert [(each.provider, each.code) for each in answer.failed] == [("archive", "unreadable")]
    assert "secret" not in answer.failed[0].message
