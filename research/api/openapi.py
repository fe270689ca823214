"""What every operation has in common, added to the OpenAPI document."""

import json
import re
from typing import Any

from common.bounded_json import load_json

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "A refusal (RFC 9457). `type` is stable for programs, `title` is for people.",
    "required": ["type", "title", "status"],
    "properties": {
        "type": {"type": "string", "example": "urn:dossier:invalid-transition"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "errors": {
            "type": "array",
            "description": "What is wrong with the request, each fault by itself.",
            "items": {
                "type": "object",
                "required": ["name", "message", "allowed"],
                "properties": {
                    "name": {
                        "type": "string",
                        "description": "The field or parameter, dotted inside another; of an edit its JSON Pointer.",
                    },
                    "message": {"type": "string"},
                    "allowed": {"type": "array", "items": {"type": "string"}},
                },
                "additionalProperties": True,
            },
        },
    },
    "additionalProperties": True,
}
REFUSAL = {
    "description": "Refused.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "maxLength": 255},
    "description": "A POST sent again with the same key is answered again, not done again.",
}
NEVER_REPEATED = (
    *("/tokens", "/resolve", "/check", "/extract", "/verify", "/format", "/export", "/tables"),
    "/browse/{tool}",  # a view's token is good once
)


def name_requests(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A drf-spectacular hook: what is called ``RunRequest`` here is called so there, without a second Request."""
    text = json.dumps(result, default=str)  # some words are lazy
    return dict(load_json(re.sub(r"([A-Za-z]+Request)Request\b", r"\1", text)))


def describe_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A drf-spectacular hook: the problem document on every operation, the key on every POST that does something."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            operation["responses"]["default"] = REFUSAL
            if method == "post" and not path.endswith(NEVER_REPEATED):
                operation.setdefault("parameters", []).append(KEY)
    return result
