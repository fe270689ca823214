"""The vendors' own parameter types, as a check of what we send: every key known, every value of its type.

pydantic is too kind for it: it drops keys that a TypedDict does not know, and reads an Iterable only when asked to.
"""

import types
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict


@cache
def _params(path: str) -> Any:
    if path == "/v1/messages":
        from anthropic.types.message_create_params import MessageCreateParams

        return MessageCreateParams
    if path == "/v1/responses":
        from openai.types.responses.response_create_params import ResponseCreateParams

        return ResponseCreateParams
    from openai.types.chat.completion_create_params import CompletionCreateParams

    return CompletionCreateParams


def refused_by_the_vendor(path: str, body: Any) -> list[str]:
    """Where ``body`` is not of the type that the SDK of ``path`` declares; empty when all of it is."""
    return list(_faults(body, _params(path), path))


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _faults(value: Any, kind: Any, where: str) -> Iterator[str]:
    origin, args = get_origin(kind), get_args(kind)
    if kind in (Any, object):
        return
    if origin in (Annotated, Required, NotRequired):
        yield from _faults(value, args[0], where)
    elif origin in (Union, types.UnionType):
        yield from min(
            (list(_faults(value, each, where)) for each in args), key=lambda faults: _weight(faults, where)
        )
    elif origin is Literal:
        if value not in args:
            yield f"{where}: {value!r} is none of {args}"
    elif is_typeddict(kind):
        yield from _faults_of_object(value, kind, where)
    elif origin in (dict, Mapping):
        yield from [] if isinstance(value, dict) else [f"{where}: no object"]
    elif args and isinstance(origin, type) and issubclass(origin, Iterable):
        items = value if isinstance(value, list) else []
        yield from [] if isinstance(value, list) else [f"{where}: no list"]
        for place, item in enumerate(items):
            yield from _faults(item, args[0], f"{where}[{place}]")
    elif origin is not None:
        yield f"{where}: {kind} is nothing that JSON can be"
    elif not isinstance(value, int | float if kind is float else kind) or (kind is int and value is True):
        yield f"{where}: {value!r} is no {kind}"


def _weight(faults: list[str], where: str) -> tuple[bool, int]:
    """Which member of a union is meant: the one of the same kind, then the one with the fewest faults."""
    of_kind = tuple(f"{where}{end}:" for end in ("", ".type", ".role"))
    return any(fault.startswith(of_kind) for fault in faults), len(faults)


def _faults_of_object(value: Any, kind: Any, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where}: no object"
        return
    hints = _hints(kind)
    open_ = getattr(kind, "__pydantic_config__", {}).get("extra") == "allow"
    required = {key for key, hint in hints.items() if get_origin(hint) is Required} | kind.__required_keys__
    yield from (f"{where}.{key}: missing" for key in sorted(required - value.keys()))
    for key, item in value.items():
        if key in hints:
            yield from _faults(item, hints[key], f"{where}.{key}")
        elif not open_:
            yield f"{where}.{key}: unknown"
