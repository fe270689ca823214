"""One register serves many threads."""

from concurrent.futures import ThreadPoolExecutor

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
