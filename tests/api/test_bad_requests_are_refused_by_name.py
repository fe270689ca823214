from base64 import b64encode

import pytest

from research.models import Run
from tests.factories import MacroFactory, RunFactory

pytestmark = pytest.mark.django_db

MACRO_TEXT = """\
macro:
  name: choosy
  version: "1.0"
  description: Which one?
  parameters:
    - {name: client_name, type: string, required: true}
    - {name: focus, type: string, enum: [funds, group], default: funds}
    - {name: most, type: integer, default: 5}
  tools: []
  prompt: "{{client_name}} {{focus}} {{most}}"
  output:
    schema_name: choosy-result
    schema: {type: object}
"""


@pytest.fixture(autouse=True)
def choosy():
    return MacroFactory(name="choosy", text=MACRO_TEXT)


@pytest.mark.parametrize(
    ("params", "name", "allowed"),
    [
        ({}, "client_name", "string"),
        ({"client_name": ""}, "client_name", "string"),
        ({"client_name": 7}, "client_name", "string"),
        ({"client_name": "A", "focus": "people"}, "focus", "group"),
        ({"client_name": "A", "most": "many"}, "most", "integer"),
        ({"client_name": "A", "most": True}, "most", "integer"),
        ({"client_name": "A", "client": "B"}, "client", "client_name"),
    ],
)
def test_it_names_the_parameter_and_what_is_allowed(client, url, params, name, allowed):
    answer = client.post(url("runs"), {"macro": "choosy", "params": params})
    assert answer.status_code == 400
    [error] = answer.json()["errors"]
    assert error["name"] == name
    assert allowed in error["allowed"]
    assert not Run.objects.exists()


def test_it_names_the_macros_there_are(client, url):
    answer = client.post(url("runs"), {"macro": "nosuch", "params": {}})
    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:dossier:unknown-macro"
    assert answer.json()["allowed"] == ["choosy"]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"macro": None}, "macro"),
        ({"params": [1]}, "params"),
        ({"autonomy": "reckless"}, "autonomy"),
        ({"depth": "abyss"}, "depth"),
        ({"session": "not-a-uuid"}, "session"),
        ({"budget_usd": -1}, "budget_usd"),
        ({"budget_usd": "lots"}, "budget_usd"),
        ({"register": "yellow pages"}, "register"),
        ({"parms": {}}, "parms"),
    ],
)
def test_it_names_the_field(client, url, change, name):
    answer = client.post(url("runs"), {"macro": "choosy", "params": {"client_name": "A"}, **change})
    assert answer.status_code == 400
    assert [error["name"] for error in answer.json()["errors"]] == [name]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1]",
        b'"text"',
        b"null",
        b'{"macro": NaN}',
        b'{"macro": "a", "macro": "b"}',
        b'{"macro": "\\u0000"}',
        b'{"macro": "\\ud800"}',
        b'{"macro": 1e400}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
    ids=lambda body: repr(body[:24]),
)
def test_it_refuses_a_body_that_is_no_sound_json_object(client, url, body):
    answer = client.generic("POST", url("runs"), body, content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert not Run.objects.exists()


def test_it_says_where_the_json_breaks(client, url):
    answer = client.generic("POST", url("runs"), b'{"macro":\n "a",,}', content_type="application/json")
    assert "line 2" in answer.json()["title"]


@pytest.mark.parametrize("key", ["state", "trigger", "session", "created_after"])
def test_it_refuses_a_filter_value_that_cannot_be(client, url, key):
    answer = client.get(url("runs"), {key: "nonsense"})
    assert answer.status_code == 400
    assert [error["name"] for error in answer.json()["errors"]] == [key]


@pytest.mark.parametrize("position", ["p=nonsense", "p=2026-99-99", "o=-1", "o=x"])
def test_it_refuses_a_cursor_that_it_never_gave(client, url, position):
    RunFactory()
    cursor = b64encode(position.encode()).decode()
    assert client.get(url("runs"), {"cursor": cursor}).status_code == 404
