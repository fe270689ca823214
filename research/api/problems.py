"""The one place where refusals become HTTP: RFC 9457 problem documents."""

import math
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from entities.gleif.errors import GleifBadRequest, GleifError, GleifNotFound, GleifRateLimited
from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from entities.registers.errors import (
    BadNumber,
    NotOffered,
    RegisterBadRequest,
    RegisterError,
    RegisterNotFound,
    RegisterRateLimited,
)
from research import errors
from research.api.faults import listed

STATUS: dict[type[errors.DossierError], int] = {
    errors.UnknownMacro: status.HTTP_400_BAD_REQUEST,
    errors.InvalidParameters: status.HTTP_400_BAD_REQUEST,
    errors.InvalidMacro: status.HTTP_400_BAD_REQUEST,
    errors.InvalidEdit: status.HTTP_400_BAD_REQUEST,
    errors.InvalidVerbs: status.HTTP_400_BAD_REQUEST,
    errors.ReasonRequired: status.HTTP_400_BAD_REQUEST,
    errors.WrongCode: status.HTTP_401_UNAUTHORIZED,
    errors.NotPermitted: status.HTTP_403_FORBIDDEN,
    errors.LockedOut: status.HTTP_429_TOO_MANY_REQUESTS,
    errors.NotFound: status.HTTP_404_NOT_FOUND,
    errors.InvalidTransition: status.HTTP_409_CONFLICT,
    errors.StaleDigest: status.HTTP_409_CONFLICT,
    errors.ResultExpired: status.HTTP_409_CONFLICT,
    errors.SessionBusy: status.HTTP_409_CONFLICT,
    errors.KeyInUse: status.HTTP_409_CONFLICT,
    errors.FormatUnavailable: status.HTTP_422_UNPROCESSABLE_ENTITY,
    errors.KeyReused: status.HTTP_422_UNPROCESSABLE_ENTITY,
}

NATIONAL: dict[type[RegisterError], int] = {
    RegisterNotFound: status.HTTP_404_NOT_FOUND,
    BadNumber: status.HTTP_400_BAD_REQUEST,
    NotOffered: status.HTTP_400_BAD_REQUEST,
    RegisterBadRequest: status.HTTP_400_BAD_REQUEST,
}

WALKS = {
    "bad_arguments": status.HTTP_400_BAD_REQUEST,
    "not_allowed": status.HTTP_403_FORBIDDEN,
    "unknown_session": status.HTTP_404_NOT_FOUND,
    "unknown_item": status.HTTP_404_NOT_FOUND,
    "ended_session": status.HTTP_410_GONE,
}
"""Steps of walks that were not made; a page that cannot be had, and a stale view, are 409."""

NOTHING = "There is nothing with this id."


def http_status(error: errors.DossierError) -> int:
    """The HTTP status of a refusal; 400 for one that has no line above."""
    if isinstance(error, errors.WalkRefused):
        return WALKS.get(error.code, status.HTTP_409_CONFLICT)
    return STATUS.get(type(error), status.HTTP_400_BAD_REQUEST)


def problem(code: str, title: str, http: int, **members: Any) -> Response:
    """A problem document; ``code`` is stable for programs, ``title`` is for people."""
    body = {"type": f"urn:dossier:{code}", "title": title, "status": http, **members}
    return Response(body, status=http, content_type="application/problem+json")


def problem_response(exc: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler."""
    if isinstance(exc, errors.DossierError):
        refusal = problem(exc.code.replace("_", "-"), exc.message, http_status(exc), **_told(exc))
        if isinstance(exc, errors.KeyInUse):
            refusal["Retry-After"] = "1"
        return refusal
    if isinstance(exc, GleifError):
        return _register_problem(exc)
    if isinstance(exc, RegisterError):
        return _national_problem(exc)
    if isinstance(exc, RefusedWrite):
        return _memory_problem(exc)
    response = exception_handler(exc, context)
    if response is None:
        return None
    answer = problem(_code(exc), _title(exc), response.status_code, **_members(exc))
    for name, value in response.headers.items():
        if name.lower() != "content-type":
            answer[name] = value
    return answer


def _told(error: errors.DossierError) -> dict[str, Any]:
    """The members of a refusal; ``errors`` always as one list."""
    if isinstance(error, errors.UnknownMacro):
        return {**error.detail, "errors": list(listed({"macro": {"message": error.message, **error.detail}}))}
    if "errors" not in error.detail:
        return dict(error.detail)
    return {**error.detail, "errors": list(listed(error.detail["errors"]))}


def _register_problem(error: GleifError) -> Response:
    """Only the register's own 404 means absence; trouble on the way to it is 503, so that a client tries again."""
    if isinstance(error, GleifNotFound):
        return problem("not-found", str(error), status.HTTP_404_NOT_FOUND)
    if isinstance(error, GleifBadRequest):
        return problem("register-refused", str(error), status.HTTP_400_BAD_REQUEST)
    answer = problem("register-unavailable", str(error), status.HTTP_503_SERVICE_UNAVAILABLE)
    if isinstance(error, GleifRateLimited) and error.retry_after:
        answer["Retry-After"] = str(math.ceil(error.retry_after))
    return answer


def _national_problem(error: RegisterError) -> Response:
    """The same for national registers; one that is not set up, or refuses our key, is our trouble, not the caller's."""
    http = NATIONAL.get(type(error), status.HTTP_503_SERVICE_UNAVAILABLE)
    answer = problem(error.code.replace("_", "-"), str(error), http)
    if isinstance(error, RegisterRateLimited) and error.retry_after:
        answer["Retry-After"] = str(math.ceil(error.retry_after))
    return answer


def _memory_problem(error: RefusedWrite) -> Response:
    if isinstance(error, NotAllowed):
        return problem("not-permitted", str(error), status.HTTP_403_FORBIDDEN)
    code = "out-of-date" if isinstance(error, OutOfDate) else "refused"
    return problem(code, str(error), status.HTTP_409_CONFLICT)


def _code(exc: Exception) -> str:
    if isinstance(exc, Http404):
        return "not-found"
    if isinstance(exc, PermissionDenied):
        return "not-permitted"
    return str(getattr(exc, "default_code", "error")).replace("_", "-")


def _title(exc: Exception) -> str:
    if isinstance(exc, exceptions.ValidationError):
        return "The request is not valid."
    if isinstance(exc, Http404) and "matches the given query" in str(exc):
        return NOTHING
    return str(getattr(exc, "detail", None) or exc) or "The request was refused."


def _members(exc: Exception) -> dict[str, Any]:
    """What else the document says: the faults of fields, and what a refusal brings along itself."""
    if isinstance(exc, exceptions.ValidationError):
        return {"errors": list(listed(exc.detail))}
    return dict(getattr(exc, "members", {}))
