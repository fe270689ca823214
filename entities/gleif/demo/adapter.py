"""``demo://gleif/api/v1`` for ``requests``: the demo register behind the same client code as the live API."""

import json
from collections.abc import Mapping
from http.client import responses
from io import BytesIO
from urllib.parse import parse_qsl, unquote, urlsplit

import requests
from requests.adapters import BaseAdapter

from entities.gleif.demo.answers import DEMO_URL, DemoRegister


class DemoAdapter(BaseAdapter):
    """A transport adapter that asks a ``DemoRegister`` in this process."""

    def __init__(self, register: DemoRegister | None = None) -> None:
        super().__init__()
        self._register = register or DemoRegister()

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float | None, float | None] | None = None,
        verify: bool | str = True,
        cert: bytes | str | tuple[bytes | str, bytes | str] | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        url = request.url or ""
        path, query = path_and_query(url, DEMO_URL)
        status, body = self._register.answer(path, query)
        response = requests.Response()
        response.status_code, response.reason = status, responses[status]
        response.url, response.request = url, request
        response.headers["Content-Type"] = "application/vnd.api+json"
        response.raw = BytesIO(json.dumps(body).encode())
        return response

    def close(self) -> None:
        """Nothing is held open."""


def path_and_query(url: str, base: str) -> tuple[str, dict[str, str]]:
    """What a URL asks for: its path below the base, and its query parameters."""
    parts = urlsplit(url)
    path = unquote(parts.path).removeprefix(urlsplit(base).path)
    return path, dict(parse_qsl(parts.query, keep_blank_values=True))


def demo_session(register: DemoRegister | None = None) -> requests.Session:
    """A session that reaches the demo register and nothing else."""
    session = requests.Session()
    session.adapters.clear()
    session.mount("demo://", DemoAdapter(register))
    return session
