"""Every answer of the REST API fits the OpenAPI document, and the document is a valid one."""

import json
import re
from typing import Any

import pytest
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV30SpecValidator

from tests.doors.test_every_door_asks_for_its_right import rest_doors

pytestmark = pytest.mark.django_db
NAME = re.compile(r"[a-zA-Z0-9._-]+")


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))


def plain(schema: Any) -> Any:
    """A schema of OpenAPI 3.0 as one of JSON Schema: ``nullable`` is a type of its own there."""
    if isinstance(schema, list):
        return [plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    told = {key: plain(value) for key, value in schema.items() if key != "nullable"}
    return {"anyOf": [told, {"type": "null"}]} if schema.get("nullable") is True else told


def paths_of(described: dict[str, Any]) -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """The paths as patterns; those with fewer variable parts first."""
    found = sorted(described["paths"].items(), key=lambda item: item[0].count("{"))
    return [
        (re.compile(re.sub(r"\\\{[^}]+\\\}", "[^/]+", re.escape(path))), operations)
        for path, operations in found
    ]


def faults_of(answer: Any, operation: dict[str, Any], described: dict[str, Any]) -> list[str]:
    responses = operation["responses"]
    told = responses.get(str(answer.status_code), responses["default"])
    kind = answer.headers.get("Content-Type", "").split(";")[0]
    content = told.get("content", {})
    if not answer.content:
        return ["an answer without a body"] if content else []
    if kind not in content:
        return [f"{kind} is not among {', '.join(content) or 'nothing'}"]
    if not kind.endswith("json"):
        return []
    schema = {**plain(content[kind]["schema"]), "components": plain(described["components"])}
    errors = Draft202012Validator(schema).iter_errors(json.loads(answer.content))
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:120]}" for error in errors]


def test_every_answer_fits_its_schema(house, roles, described):
    patterns, found, looked = paths_of(described), [], 0
    for door in rest_doors(house):
        if door.method in ("HEAD", "OPTIONS") or not door.url.startswith("/api/v1/"):
            continue
        path = door.url.split("?")[0]
        operations = next((each for pattern, each in patterns if pattern.fullmatch(path)), {})
        operation = operations.get(door.method.lower())
        if operation is None:
            continue
        looked += 1
        with transaction.atomic():
            answer = roles["superuser"].token.generic(door.method, door.url, door.body, "application/json")
            faults = faults_of(answer, operation, described) if not answer.streaming else []
            transaction.set_rollback(True)
        found += [f"{door.method} {path} {answer.status_code} {fault}" for fault in faults]
    assert looked > 80
    assert found == [], "\n".join(found)


def test_names_of_the_document_are_names_and_said_once(described):
    names = [name for group in described["components"].values() for name in group]
    assert [name for name in names if not NAME.fullmatch(name)] == []
    assert [name for name in names if "RequestRequest" in name] == []


def test_the_document_is_one_of_openapi(described):
    assert [str(error.message) for error in OpenAPIV30SpecValidator(described).iter_errors()] == []
