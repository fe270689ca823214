"""Tokens that open nothing are counted by address, together with those of REST."""

import math
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.utils import timezone
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from research.models import Lockout
from research.services.lockouts import address_of, knock_with, sentence, shut_with


class CountRefusals:
    """Middleware: after too many refusals the answer is 429 until the lock-out ends. A good token is let through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "authorization" not in Headers(scope=scope):
            await self.app(scope, receive, send)
            return
        refused = False

        async def counted(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 401:
                until = await sync_to_async(_count, thread_sensitive=False)(_address(scope))
                if until:
                    refused = True
                    await _too_many(until)(scope, receive, send)
            if not refused:
                await send(message)

        await self.app(scope, receive, counted)


def _address(scope: Scope) -> str:
    forwarded = Headers(scope=scope).get("x-forwarded-for", "")
    meta = {"REMOTE_ADDR": (scope.get("client") or ("",))[0], "HTTP_X_FORWARDED_FOR": forwarded}
    request: Any = SimpleNamespace(META=meta)
    return address_of(request)


def _count(address: str) -> datetime | None:
    close_old_connections()
    try:
        knock_with(Lockout.Scope.TOKEN, address)
        return shut_with(Lockout.Scope.TOKEN, address)
    finally:
        close_old_connections()


def _too_many(until: datetime) -> JSONResponse:
    seconds = math.ceil((until - timezone.now()).total_seconds())
    return JSONResponse({"error": sentence(until)}, 429, headers={"Retry-After": str(max(seconds, 1))})
