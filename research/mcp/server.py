"""The protocol's server: what a person may use is listed and called in a thread with a connection of its own."""

import json
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from mcp import types
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from research.jsontext import JsonObject
from research.mcp.catalogue import call, offered_to
from research.mcp.identity import SCOPE, Tokens, person_of
from research.mcp.offer import Offer
from research.mcp.refusals import CountRefusals
from research.tools.tool import failure

Context = ServerRequestContext[dict[str, object]]
Result = TypeVar("Result")
INSTRUCTIONS = (
    "Dossier turns questions into facts that a person has signed for. research_list says what can be asked; "
    "research_execute starts a run, research_status follows it, research_result gives what was found with the "
    "verdict of every check. A result is a proposal until a person has approved it: say so, and give the review_url."
)
WHOEVER = failure("unauthorised", "The person whose token this is may not log in any more.")


def build_app() -> Starlette:
    """The ASGI application at ``/mcp``, with ``/healthz`` beside it."""
    url = settings.DOSSIER_MCP_URL.rstrip("/")
    auth = AuthSettings(
        issuer_url=AnyHttpUrl(url),
        resource_server_url=AnyHttpUrl(f"{url}/mcp"),
        required_scopes=[SCOPE],
        validate_token_resource=False,  # our tokens are for all of Dossier
    )
    app = build_server().streamable_http_app(
        json_response=True,
        stateless_http=True,  # any process may answer the next request
        auth=auth,
        token_verifier=Tokens(),
        transport_security=_hosts(url),
        custom_starlette_routes=[Route("/healthz", _alive)],
    )
    app.add_middleware(CountRefusals)
    return app


def build_server() -> Server[dict[str, object]]:
    return Server(
        "dossier",
        version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        instructions=INSTRUCTIONS,
        on_list_tools=_list,
        on_call_tool=_call,
    )


async def _list(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=await _apart(_tools, get_access_token()))


async def _call(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    value = await _apart(_value, get_access_token(), params.name, params.arguments or {})
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=json.dumps(value, ensure_ascii=False, default=str))],
        structured_content=value,
        is_error=not value["success"],
    )


def _tools(access: AccessToken | None) -> list[types.Tool]:
    person = person_of(access)
    return [_shown(offer) for offer in offered_to(person)] if person else []


def _value(access: AccessToken | None, name: str, arguments: JsonObject) -> JsonObject:
    person = person_of(access)
    return call(name, arguments, person) if person else WHOEVER


def _shown(offer: Offer) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=not offer.writes, destructive_hint=False)
    return types.Tool(
        name=offer.name,
        description=offer.description,
        input_schema=offer.parameters,
        annotations=hints,
    )


async def _apart(work: Callable[..., Result], *arguments: object) -> Result:
    """Django's database is synchronous: in a thread, whose connection is given back."""

    def done() -> Result:
        close_old_connections()
        try:
            return work(*arguments)
        finally:
            close_old_connections()

    return await sync_to_async(done, thread_sensitive=False)()


def _hosts(url: str) -> TransportSecuritySettings:
    """Only requests that name one of our hosts: a page in a browser cannot lead here by a name of its own."""
    own = [urlsplit(url).netloc, "127.0.0.1:*", "localhost:*", "[::1]:*"]
    named = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if host != "*"]
    allowed = [*own, *named, *(f"{host}:*" for host in named)]
    return TransportSecuritySettings(enable_dns_rebinding_protection=True, allowed_hosts=allowed)


async def _alive(request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})
