"""``Idempotency-Key``: a POST that is sent again is answered again, not done again."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from rest_framework.exceptions import ParseError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from research.api.people import person
from research.jsontext import digest
from research.models import IdempotencyKey
from research.services.idempotency import claim_key, release_key, settle_key

Handler: TypeAlias = Callable[..., Response]


def idempotent(post: Handler) -> Handler:
    """Wrap a view's ``post``; without the header nothing changes. Refusals are not kept: they may be repeated."""

    @wraps(post)
    def once(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key", "")
        if not key:
            return post(view, request, *args, **kwargs)
        fingerprint = digest({"path": request.path, "body": request.data})
        row, new = claim_key(user=person(request), key=_checked(key), fingerprint=fingerprint)
        return _first(row, lambda: post(view, request, *args, **kwargs)) if new else _again(row)

    return once


def _checked(key: str) -> str:
    if len(key) > 255 or not key.isascii() or not key.isprintable():
        raise ParseError("Idempotency-Key must be at most 255 printable ASCII characters")
    return key


def _first(row: IdempotencyKey, work: Callable[[], Response]) -> Response:
    try:
        response = work()
    except BaseException:
        release_key(row=row)
        raise
    body = json.loads(JSONRenderer().render(response.data) or b"null")  # noqa: TID251 - our own
    settle_key(row=row, status=response.status_code, body=body, location=response.get("Location", ""))
    return response


def _again(row: IdempotencyKey) -> Response:
    response = Response(row.body, status=row.status, headers={"Idempotency-Replayed": "true"})
    if row.location:
        response["Location"] = row.location
    return response
