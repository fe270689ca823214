"""A name finds its entity first, over all the names an entity has, and typing errors are forgiven."""

from collections.abc import Callable
from typing import Any

import pytest

from entities.gleif.client import GleifClient
from entities.gleif.demo.facts import Entity
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifBadRequest, GleifUnavailable
from entities.gleif.register import Register
from tests.cases import cases


@cases(
    ("name", "lei"),
    [
        ("Allianz SE", "529900K9B0N5BT694847"),
        ("allianz se", "529900K9B0N5BT694847"),
        ("Microsoft Corporation", "INR2EJN1ERAN0W5ZP974"),
        ("Vseobecna uverova banka, as", "549300JB1P61FUTPEZ75"),
        ("微软(中国)有限公司", "836800FXO82WAQQSJI94"),
        ("Commerzbank Aktiengesellschaft", "851WYGNLUQLFZBSYGB56"),
    ],
)
def test_it_finds_the_entity_first(demo: Register, name: str, lei: str) -> None:
    assert demo.search(name)[0].record.lei == lei


@pytest.mark.parametrize(
    ("name", "lei", "type_"),
    [
        ("Royal Dutch Shell plc", "21380068P1DRHMJ8KU70", "PREVIOUS_LEGAL_NAME"),
        ("SK Energy Co., Ltd.", "5493008IL2QALP7DD249", "ALTERNATIVE_LANGUAGE_LEGAL_NAME"),
        ("Shell Japan Limited", "5493009V2TKX7TKLBP02", "PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME"),
    ],
)
def test_it_says_which_name_matched(demo: Register, name: str, lei: str, type_: str) -> None:
    best = demo.search(name)[0]
    assert (best.record.lei, best.matched_name.type) == (lei, type_)


def test_it_puts_the_record_in_force_before_its_retired_namesake(demo: Register) -> None:
    found = demo.search("Allianz Global Investors GmbH")
    assert [match.record.registration_status for match in found[:2]] == ["ISSUED", "RETIRED"]
    assert found[0].score == found[1].score


@pytest.mark.parametrize("name", ["Alianz SE", "Microsft Corporation", "Frapport AG Frankfurt Airport"])
def test_it_forgives_typing_errors(demo: Register, name: str) -> None:
    assert demo.search(name)[0].score > 70


@pytest.mark.parametrize("jurisdiction", ["AT", "at", "DE"])
def test_it_tells_namesakes_apart_by_jurisdiction(demo: Register, jurisdiction: str) -> None:
    found = demo.search("Allianz Pensionskasse Aktiengesellschaft", jurisdiction=jurisdiction)
    assert {match.record.jurisdiction for match in found} == {jurisdiction.upper()}


def test_it_finds_a_subdivision_by_its_country_and_by_itself(demo: Register) -> None:
    for jurisdiction in ("US", "US-DE"):
        assert demo.search("GitHub Inc", jurisdiction=jurisdiction)[0].record.jurisdiction == "US-DE"
    assert "6354003LMZZAKOPXLX69" not in {
        m.record.lei for m in demo.search("GitHub Inc", jurisdiction="US-WA")
    }


@pytest.mark.parametrize(
    ("filters", "field", "value"),
    [
        ({"category": "FUND"}, "category", "FUND"),
        ({"status": "RETIRED"}, "registration_status", "RETIRED"),
        ({"status": "INACTIVE"}, "entity_status", "INACTIVE"),
        ({"status": "active"}, "entity_status", "ACTIVE"),
    ],
)
def test_it_filters(demo: Register, filters: Any, field: str, value: str) -> None:
    found = demo.search("Allianz Global Investors", **filters)
    assert found
    assert {getattr(match.record, field) for match in found} == {value}


def test_it_keeps_to_the_limit(demo: Register) -> None:
    assert len(demo.search("Allianz", limit=3)) == 3


@pytest.mark.parametrize("name", ["", "   ", ",,,", "\0\n", "!<>="])
def test_it_asks_nothing_for_a_name_without_words(server: DemoServer, name: str) -> None:
    assert Register(GleifClient(server.url)).search(name) == []
    assert server.requests == []


@cases(
    "name",
    ['A") (entity.ensure :name "x', "{{x}} ;;", "\u202e\u200bAllianz", "a\\b'c\n\r", "Z" * 10_000, "\ud800"],
)
def test_it_survives_any_name(demo: Register, name: str) -> None:
    assert isinstance(demo.search(name), list)
    assert isinstance(demo.nearest(name), list)


def test_it_never_sends_a_comma_or_an_operator(server: DemoServer) -> None:
    Register(GleifClient(server.url)).search("!Amazon.com, Inc.")
    assert server.requests[0][1]["filter[entity.names]"] == "Amazon.com Inc."


def test_it_asks_once_when_the_first_question_answers(server: DemoServer) -> None:
    Register(GleifClient(server.url)).search("Allianz SE")
    assert len(server.requests) == 1


def test_it_names_the_nearest_when_it_knows_none(demo: Register) -> None:
    nearest = demo.nearest("Allanz Corporation of Zurich")
    assert 0 < len(nearest) <= 5
    assert [match.score for match in nearest] == sorted((m.score for m in nearest), reverse=True)


def test_it_searches_wider_when_the_register_does_not_know_a_filter(server: DemoServer) -> None:
    class Strict(GleifClient):
        def get(self, path: str, query: Any = None) -> Any:
            if query and "filter[entity.legalAddress.country]" in query:
                raise GleifBadRequest("unknown filter")
            return super().get(path, query)

    found = Register(Strict(server.url)).search("Allianz Pensionskasse Aktiengesellschaft", jurisdiction="AT")
    assert [match.record.lei for match in found] == ["529900R7CSE082VKF992"]


def test_it_does_not_take_trouble_for_no_result(server: DemoServer, client: GleifClient) -> None:
    server.fail("html")
    with pytest.raises(GleifUnavailable):
        Register(client).search("Allianz SE")


def test_it_finds_an_entity_without_any_name_in_its_record(
    register_with: Callable[..., Register], invent: Callable[[int], str]
) -> None:
    nameless = Entity(invent(1), "", synthetic=True)
    assert register_with(nameless).record(nameless.lei).names == ()
