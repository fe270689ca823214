"""``demo://gleif/api/v1``: the demo register in place of an exchange over HTTP, behind the client of the live API."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from common.outside.client import Exchange
from common.outside.exchange import Reply, seen
from entities.gleif.demo.answers import DEMO_URL, DemoRegister


def demo_exchange(register: DemoRegister | None = None) -> Exchange:
    """Asks the demo register in this process and nothing else."""
    table = register or DemoRegister()

    def exchange(name: str, url: str, *, params: Mapping[str, str], **_: Any) -> Reply:
        status, body = table.answer(path_below(url, DEMO_URL), dict(params))
        return seen(Reply(status, {}, json.dumps(body).encode()))

    return exchange


def path_below(url: str, base: str) -> str:
    """The path of a URL below that of its base."""
    return unquote(urlsplit(url).path).removeprefix(urlsplit(base).path)
