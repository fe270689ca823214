"""``docs``: the OpenAPI document as a plain page, made on the server; no script, no foreign host."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """One line of the page with what unfolds below it."""

    method: str
    path: str
    summary: str
    parameters: list[dict[str, Any]]
    body: list[dict[str, Any]]
    answers: list[tuple[str, str]]

    @property
    def anchor(self) -> str:
        return f"{self.method}{self.path}".replace("/", "-").replace("{", "").replace("}", "")


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every operation, grouped by the first word of its path."""
    return render(request, "api/docs.html", {"groups": _groups()})


@cache
def _groups() -> dict[str, list[Operation]]:
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    schema = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    groups: dict[str, list[Operation]] = {}
    for operation in _operations(schema):
        groups.setdefault(operation.path.split("/")[3], []).append(operation)
    return groups


def _operations(schema: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                yield _operation(method.upper(), path, methods[method], schema)


def _operation(method: str, path: str, spec: dict[str, Any], schema: dict[str, Any]) -> Operation:
    body = spec.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return Operation(
        method=method,
        path=path,
        summary=spec.get("description", ""),
        parameters=[{**p, "type": _type(p.get("schema", {}))} for p in spec.get("parameters", [])],
        body=list(_fields(body, schema)),
        answers=[(code, _answer(answer)) for code, answer in spec["responses"].items()],
    )


def _fields(body: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    target = _resolve(body, schema)
    required = target.get("required", [])
    for name, spec in target.get("properties", {}).items():
        yield {"name": name, "type": _type(spec), "required": name in required, "spec": spec}


def _resolve(node: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in node:
        return node
    found: dict[str, Any] = schema["components"]["schemas"][node["$ref"].rpartition("/")[2]]
    return found


def _type(spec: dict[str, Any]) -> str:
    """A type in words: its choices, its name, or the name of the component."""
    for wrapper in ("allOf", "oneOf"):
        if wrapper in spec:
            return " or ".join(_type(part) for part in spec[wrapper])
    if "enum" in spec:
        return " | ".join(map(str, spec["enum"]))
    if spec.get("type") == "array":
        return f"list of {_type(spec.get('items', {}))}"
    if "$ref" in spec:
        return str(spec["$ref"]).rpartition("/")[2]
    return str(spec.get("format") or spec.get("type") or "any")


def _answer(answer: dict[str, Any]) -> str:
    shown = [
        f"{_type(content.get('schema', {}))} ({media})"
        for media, content in answer.get("content", {}).items()
    ]
    return ", ".join(shown) or answer.get("description", "") or "nothing"
