"""One register serves many threads."""

import threading
from concurrent.futures import ThreadPoolExecutor

import requests

from entities.gleif.client import GleifClient
from entities.gleif.demo.facts import load
from entities.gleif.demo.server import DemoServer
from entities.gleif.register import Register


def test_it_answers_twenty_threads_correctly(server: DemoServer) -> None:
    register = Register(GleifClient(server.url, per_minute=0))
    leis = [entity.lei for entity in load()]
    with ThreadPoolExecutor(20) as pool:
        records = list(pool.map(register.record, leis))
    assert [record.lei for record in records] == leis


def test_it_opens_one_session_per_thread(server: DemoServer) -> None:
    opened: list[int] = []

    def session() -> requests.Session:
        opened.append(threading.get_ident())
        return requests.Session()

    client = GleifClient(server.url, session=session)

    def ask() -> None:
        for _ in range(3):
            client.get("lei-records")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 4
