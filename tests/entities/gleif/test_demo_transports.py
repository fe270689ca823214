"""In this process or over HTTP, the demo register gives the same answers."""

import pytest
import requests

from entities.gleif.client import GleifClient
from entities.gleif.demo.adapter import demo_exchange
from entities.gleif.demo.answers import DEMO_URL
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifBadRequest, GleifNotFound
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"
QUESTIONS = [
    (f"lei-records/{ALLIANZ}", {}),
    ("lei-records", {"filter[entity.names]": "Všeobecná úverová & banka?", "page[size]": "3"}),
    ("lei-records", {"filter[fulltext]": "Allianz", "page[cursor]": "*", "page[size]": "7"}),
    (f"lei-records/{ALLIANZ}/direct-children", {"page[number]": "2"}),
    (f"lei-records/{ALLIANZ}/direct-parent-reporting-exception", {}),
    ("fuzzycompletions", {"field": "entity.legalName", "q": "シェル"}),
]


@cases(("path", "query"), QUESTIONS)
def test_it_answers_alike_in_process_and_over_http(
    server: DemoServer, path: str, query: dict[str, str]
) -> None:
    over_http = GleifClient(server.url).get(path, query)
    in_process = GleifClient(DEMO_URL, exchange=demo_exchange()).get(path, query)
    assert str(in_process).replace(DEMO_URL, server.url) == str(over_http)


@pytest.mark.parametrize(
    ("path", "query", "error"),
    [("lei-records/x", {}, GleifNotFound), ("lei-records", {"page[size]": "x"}, GleifBadRequest)],
)
def test_it_refuses_alike(
    server: DemoServer, path: str, query: dict[str, str], error: type[Exception]
) -> None:
    for client in (GleifClient(server.url), GleifClient(DEMO_URL, exchange=demo_exchange())):
        with pytest.raises(error):
            client.get(path, query)


def test_it_asks_for_json_api(server: DemoServer) -> None:
    response = requests.get(f"{server.url}/lei-records/{ALLIANZ}", timeout=5)
    assert response.headers["Content-Type"] == "application/vnd.api+json"


def test_it_records_what_was_asked(server: DemoServer) -> None:
    GleifClient(server.url).get("lei-records", {"filter[lei]": ALLIANZ})
    assert server.requests == [("/lei-records", {"filter[lei]": ALLIANZ})]


def test_it_fails_as_often_as_told_and_recovers(server: DemoServer) -> None:
    server.fail("broken", times=1)
    assert [requests.get(server.url, timeout=5).status_code for _ in range(2)] == [500, 404]
    server.fail("broken")
    server.recover()
    assert requests.get(server.url, timeout=5).status_code == 404
