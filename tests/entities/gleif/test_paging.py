"""Lists are read page after page, by cursor, within a limit."""

from collections.abc import Iterator
from typing import Any

import pytest

from entities.gleif.client import GleifClient, Items
from entities.gleif.demo.facts import Entity
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifBadAnswer, GleifBadRequest

MANAGER = 0


@pytest.fixture
def many(fund_family: tuple[Entity, ...]) -> Iterator[DemoServer]:
    with DemoServer(fund_family) as server:
        yield server


@pytest.fixture
def funds(fund_family: tuple[Entity, ...]) -> str:
    return f"lei-records/{fund_family[MANAGER].lei}/managed-funds"


def test_it_follows_the_cursor_to_the_last_page(many: DemoServer, funds: str) -> None:
    answer = GleifClient(many.url).items(funds)
    assert (len(answer.items), answer.total, answer.truncated) == (250, 250, False)
    assert len({item["id"] for item in answer.items}) == 250
    assert [query["page[cursor]"] for _, query in many.requests] == ["*", "at-100", "at-200"]


@pytest.mark.parametrize(
    ("limit", "calls", "truncated"),
    [(1, 1, True), (100, 1, True), (101, 2, True), (250, 3, False), (999, 3, False)],
)
def test_it_stops_at_the_limit_and_says_so(
    many: DemoServer, funds: str, limit: int, calls: int, truncated: bool
) -> None:
    answer = GleifClient(many.url).items(funds, limit=limit)
    assert (len(answer.items), answer.total, answer.truncated) == (min(limit, 250), 250, truncated)
    assert len(many.requests) == calls


@pytest.mark.parametrize("limit", [0, -1])
def test_it_refuses_a_limit_that_asks_for_nothing(client: GleifClient, limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        client.items("lei-records", limit=limit)


class Scripted(GleifClient):
    """A client whose register answers from a list."""

    def __init__(self, *documents: dict[str, Any]) -> None:
        super().__init__()
        self.documents, self.asked = list(documents), list[Any]()

    def get(self, path: str, query: Any = None) -> Any:
        self.asked.append((path, dict(query)))
        return self.documents.pop(0) if len(self.documents) > 1 else self.documents[0]


def test_it_stays_with_its_own_base_when_a_link_names_another_host() -> None:
    elsewhere = "https://evil.example/steal?page[cursor]=abc&page[size]=2&filter[lei]=X"
    client = Scripted({"data": [1, 2], "links": {"next": elsewhere}}, {"data": [3]})
    assert client.items("lei-records", {"filter[fulltext]": "a"}).items == (1, 2, 3)
    assert client.asked[1] == (
        "lei-records",
        {"filter[fulltext]": "a", "page[size]": "2", "page[cursor]": "abc"},
    )


def test_it_follows_numbered_pages_when_the_register_links_those() -> None:
    client = Scripted(
        {"data": [1], "links": {"next": "/x?page%5Bnumber%5D=2&page%5Bsize%5D=1"}}, {"data": [2]}
    )
    assert client.items("lei-records").items == (1, 2)
    assert client.asked[1][1] == {"page[number]": "2", "page[size]": "1"}


def test_it_gives_up_on_pages_that_go_in_circles() -> None:
    client = Scripted({"data": [1], "links": {"next": "/x?page[cursor]=same"}})
    with pytest.raises(GleifBadAnswer, match="end"):
        client.items("lei-records")


def test_it_ends_with_an_empty_page_even_when_that_links_on() -> None:
    client = Scripted(
        {"data": [1], "links": {"next": "/x?page[cursor]=a"}},
        {"data": [], "links": {"next": "/x?page[cursor]=b"}},
    )
    answer = client.items("lei-records")
    assert (answer.items, answer.truncated) == ((1,), False)


@pytest.mark.parametrize("data", [{}, None, "x"])
def test_it_refuses_one_item_where_a_list_belongs(data: Any) -> None:
    with pytest.raises(GleifBadAnswer):
        Scripted({"data": data}).items("lei-records")


def test_it_reads_a_list_that_knows_no_cursor_by_page_number() -> None:
    class NoCursor(Scripted):
        def get(self, path: str, query: Any = None) -> Any:
            if "page[cursor]" in query:
                raise GleifBadRequest("no cursor here")
            return super().get(path, query)

    client = NoCursor({"data": [1], "links": {"next": "/x?page[number]=2&page[size]=100"}}, {"data": [2]})
    assert client.items("lei-records").items == (1, 2)
    assert [query["page[number]"] for _, query in client.asked] == ["1", "2"]


def test_it_says_that_a_list_was_cut_when_the_register_counts_more_than_it_sends() -> None:
    short = {"data": [1], "meta": {"pagination": {"total": 3}}}
    assert Scripted(short).items("lei-records") == Items((1,), total=3, truncated=True)
