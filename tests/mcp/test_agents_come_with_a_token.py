"""The protocol over HTTP, with its own client: a token opens the door, and another host name does not."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from research.mcp.server import build_app
from research.services.tokens import issue_token
from tests.factories import ALL_RIGHTS, MacroFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def address(settings) -> Iterator[str]:
    """The server on a free port, in a thread."""
    listener = socket.create_server(("127.0.0.1", 0))
    settings.DOSSIER_MCP_URL = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(build_app(), log_level="error", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    yield settings.DOSSIER_MCP_URL
    server.should_exit = True
    thread.join(20)
    listener.close()


@pytest.fixture
def person():
    return UserFactory(username="agatha", rights=ALL_RIGHTS)


@pytest.fixture
def token(person) -> str:
    return issue_token(user=person)[1]


@pytest.fixture
def talk(address, token) -> Callable[..., Any]:
    """``talk(doing, mode)`` runs a coroutine function with a client that carries the token."""

    def talk(doing: Callable[[Client], Any], mode: str = "auto", carried: str = token) -> Any:
        async def within() -> Any:
            headers = {"Authorization": f"Bearer {carried}"}
            async with httpx2.AsyncClient(headers=headers) as http:
                transport = streamable_http_client(f"{address}/mcp", http_client=http)
                async with Client(transport, mode=mode) as client:
                    return await doing(client)

        with ThreadPoolExecutor(1) as apart:  # a browser's driver may have a loop in this thread
            return apart.submit(lambda: asyncio.run(within())).result()

    return talk


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_it_lists_and_calls_in_either_version_of_the_protocol(talk, mode):
    macro = MacroFactory(description="Who belongs to the group?")

    async def doing(client: Client) -> Any:
        tools = await client.list_tools()
        answer = await client.call_tool("research_get", {"macro_name": macro.name})
        return {tool.name for tool in tools.tools}, answer

    names, answer = talk(doing, mode)
    assert {"research_execute", "research_approve", "lei_search", "resolve_entity"} <= names
    assert answer.structured_content["macro"]["name"] == macro.name
    assert not answer.is_error


def test_a_refusal_is_an_error_that_says_why(talk):
    async def doing(client: Client) -> Any:
        return await client.call_tool("research_get", {"macro_name": "nothing"})

    answer = talk(doing)
    assert answer.is_error
    assert "nothing" in answer.content[0].text


def test_rights_count_as_they_are_at_the_call(talk, person):
    async def doing(client: Client) -> Any:
        return {tool.name for tool in (await client.list_tools()).tools}

    assert "research_approve" in talk(doing)
    person.user_permissions.clear()
    assert talk(doing) == set()


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic YTpi"}])
def test_without_a_good_token_the_door_stays_shut(address, header):
    answer = httpx2.post(f"{address}/mcp", json={}, headers=header)
    assert answer.status_code == 401
    assert "Bearer" in answer.headers["www-authenticate"]


def test_a_second_factor_is_asked_of_people_and_not_of_their_tokens(talk, settings):
    settings.DOSSIER_SECOND_FACTOR = "required"

    async def doing(client: Client) -> Any:
        return {tool.name for tool in (await client.list_tools()).tools}

    assert "research_approve" in talk(doing)


def test_a_revoked_token_opens_nothing(address, token, person):
    person.auth_token_set.all().delete()
    answer = httpx2.post(f"{address}/mcp", json={}, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401


def test_another_host_name_leads_nowhere(address, token):
    headers = {"Authorization": f"Bearer {token}", "Host": "evil.example"}
    assert httpx2.post(f"{address}/mcp", json={}, headers=headers).status_code == 421


def test_it_says_that_it_is_alive(address):
    assert httpx2.get(f"{address}/healthz").json() == {"status": "ok"}
