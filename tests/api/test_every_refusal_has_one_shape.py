"""Every path of the REST API, asked wrongly in every way that it can be: one shape of answer, the one in the schema."""

import re
import uuid

import pytest
from jsonschema import Draft202012Validator

from research.api.openapi import PROBLEM
from tests.factories import MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
METHODS = ("get", "post", "put", "patch", "delete")
NOBODY_NEEDED = {"/api/v1/schema", "/api/v1/docs"}


def refused(answer, *statuses):
    """The problem document, held against the schema that the API publishes."""
    assert answer.status_code in statuses, (answer.status_code, answer.content[:300])
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert list(Draft202012Validator(PROBLEM).iter_errors(problem)) == []
    assert problem["status"] == answer.status_code
    return problem


def faults(answer, *statuses):
    """The names of what is refused."""
    return [error["name"] for error in refused(answer, *statuses)["errors"]]


@pytest.fixture
def client(client_of):
    """Somebody whom nothing is forbidden: what is refused is refused for another reason."""
    return client_of(UserFactory(is_superuser=True))


@pytest.fixture(scope="module")
def paths():
    """Every path of the schema with its methods, ids filled in that nothing has."""
    from drf_spectacular.generators import SchemaGenerator

    told = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return [(_filled(path, ops), set(ops) & set(METHODS)) for path, ops in told.items()]


def _filled(path, operations):
    types = {p["name"]: p["schema"] for op in operations.values() for p in op.get("parameters", [])}

    def value(match):
        schema = types[match[1]]
        if schema.get("format") == "uuid":
            return str(uuid.UUID(int=7))
        return "7" if schema["type"] == "integer" else "nothing-like-this"

    return re.sub(r"\{(\w+)\}", value, path)


def test_401_on_every_operation(nobody, paths):
    for path, methods in paths:
        for method in methods:
            answer = getattr(nobody, method)(path)
            refused(answer, 401)
            assert answer["WWW-Authenticate"]


def test_403_on_everything_that_is_read_by_permission(stranger, paths):
    seen = 0
    for path, methods in paths:
        if "get" in methods:
            answer = stranger.get(path)
            if answer.status_code == 403:
                seen += 1
                refused(answer, 403)
    assert seen > 20


def test_404_on_every_id_that_nothing_has(client, paths):
    seen = 0
    for path, methods in paths:
        if "get" in methods and str(uuid.UUID(int=7)) in path:
            problem = refused(client.get(path), 404)
            assert (
                "matches the given query" not in problem["title"]
            )  # what the database was asked is nobody's business
            seen += 1
    assert seen > 8


def test_405_on_every_method_that_a_path_does_not_have(client, paths):
    for path, methods in paths:
        if path == "/api/v1/tokens":  # a password is asked for first
            continue
        for method in set(METHODS) - methods:
            answer = getattr(client, method)(path)
            refused(answer, 405)
            assert answer["Allow"]


def test_415_and_400_on_every_body(client, paths):
    for path, methods in paths:
        for method in methods & {"post", "put", "patch"}:
            if path in ("/api/v1/tokens", "/api/v1/tables"):  # what the second takes is no JSON
                continue
            send = getattr(client, method)
            refused(send(path, b"<a/>", content_type="application/xml"), 404, 415)
            refused(send(path, b"{", content_type="application/json"), 400, 404)
            refused(send(path, {"nonsense": 1}), 400, 403, 404, 409)


def test_413_on_a_body_that_is_too_large(client, url):
    body = b'{"macro": "' + b"a" * 5_000_001 + b'"}'
    refused(client.generic("POST", url("runs"), body, content_type="application/json"), 413)


def test_406_where_only_json_is_spoken(client, url):
    refused(client.get(url("runs"), headers={"Accept": "application/xml"}), 406)


def test_a_host_that_is_not_ours_is_refused_in_json_too(client, url):
    client.raise_request_exception = False
    refused(client.get(url("runs"), headers={"Host": "evil.example"}), 400)


def test_409_says_what_is_there_and_what_to_do(client, url):
    result = ResultFactory()
    stale = refused(client.post(url("result-approve", result.pk), {"digest": "0" * 64}), 409)
    assert stale["type"] == "urn:dossier:stale-digest"
    assert stale["expected"] == result.digest
    assert "look at the result again" in stale["title"]
    run = RunFactory(state="succeeded")
    assert refused(client.post(url("run-confirm", run.pk), {}), 409)["state"] == "succeeded"


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"macro": 5, "nope": 1}, ["nope"]),
        ({}, ["macro"]),
        ([1], [""]),
        ({"macro": "m", "depth": "abyss", "session": "x"}, ["session", "depth"]),
        ({"macro": "nosuch"}, ["macro"]),
        ({"macro": "m", "params": {"nope": 1}}, ["nope", "client_name"]),
    ],
    ids=str,
)
def test_400_names_each_fault_in_one_list(client, url, body, names):
    MacroFactory(name="m")
    assert faults(client.post(url("runs"), body), 400) == names


def test_400_names_a_fault_inside_a_list_by_its_place(client, url):
    result = ResultFactory()
    edits = [{"op": "test", "path": ""}, {"op": "zap", "path": "/x"}]
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest, "edits": edits})
    assert faults(answer, 400) == ["edits.1.op"]


def test_400_names_an_edit_that_does_not_apply_by_its_pointer(client, url):
    result = ResultFactory()
    edits = [{"op": "remove", "path": "/nothing/here"}]
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest, "edits": edits})
    assert faults(answer, 400) == ["/nothing/here"]


@pytest.mark.parametrize(
    ("name", "query", "fault"),
    [
        ("runs", "state=zzz", "state"),
        ("runs", "status=failed", "status"),
        ("results", "ordering=-created_at", "ordering"),
        ("entities", "tpye=fund", "tpye"),
        ("documents", "q=a&langauge=de", "langauge"),
        ("sessions", "nope=1", "nope"),
    ],
)
def test_400_names_a_filter_and_what_is_allowed(client, url, name, query, fault):
    [error] = refused(client.get(f"{url(name)}?{query}"), 400)["errors"]
    assert error["name"] == fault
    assert error["allowed"]


@pytest.mark.parametrize("field", ["depth", "autonomy", "register"])
def test_400_names_the_words_that_a_field_takes(client, url, field):
    MacroFactory(name="m")
    [error] = refused(client.post(url("runs"), {"macro": "m", field: "zzz"}), 400)["errors"]
    assert "auto" in error["allowed"] or "quick" in error["allowed"] or "cautious" in error["allowed"]
    assert all(word in error["message"] for word in error["allowed"])


def test_options_does_not_describe_a_body_that_nobody_may_send(client, url):
    assert client.options(url("runs")).json().keys() == {"name", "description", "renders", "parses"}
