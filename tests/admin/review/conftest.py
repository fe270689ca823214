import pytest
from factory import LazyAttribute

from research.jsontext import digest
from research.models import Source
from research.services.reviews import preview_edits
from tests.admin.review.browser import Browser
from tests.factories import ALL_RIGHTS, MacroFactory, ResultFactory, RunFactory, UserFactory, store_checks

GROUP_MACRO = """\
macro:
  name: {name}
  version: "1.0"
  description: Who belongs to the group?
  parameters: [{{name: client_name, type: string, required: true}}]
  tools: [lei_search]
  prompt: "Find {{{{client_name}}}}."
  output:
    schema_name: group
    schema:
      type: object
      required: [head]
      properties:
        head:
          type: object
          title: Head of the group
          required: [name]
          properties:
            name: {{type: string, minLength: 1}}
            lei: {{type: string, maxLength: 20}}
            listed: {{type: [boolean, "null"]}}
            staff: {{type: integer}}
        funds:
          type: array
          items:
            type: object
            required: [name]
            properties:
              name: {{type: string}}
              lei: {{type: string, maxLength: 20}}
        findings: {{type: array, items: {{type: string}}}}
        note: {{type: string}}
  suggested_verbs: |
    ;; {{{{head.name}}}}
    {{{{#if head.lei}}}}
    (gleif.enrich :lei "{{{{head.lei}}}}" :as @head)
    {{{{else}}}}
    (entity.ensure :entity-type "limited-company" :name "{{{{head.name}}}}" :as @head)
    {{{{/if}}}}
"""
ALLIANZ, ALLIANZ_GI, RETIRED = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658", "529900FAHFDMSXCPII15"


@pytest.fixture
def reviewer():
    """A person who may start, decide and execute."""
    return UserFactory(username="rita", rights=ALL_RIGHTS)


@pytest.fixture
def make_result():
    """``make_result(data, **fields)`` stores a pending result about a group, its checks, and one source."""

    def make(data=None, **fields):
        data = data or {
            "head": {"name": "Allianz SE", "lei": ALLIANZ, "listed": True, "staff": 12},
            "funds": [
                {"name": "Allianz Global Investors GmbH", "lei": ALLIANZ_GI},
                {"name": "A fund without an LEI"},
            ],
            "findings": ["first", "second", "third"],
            "note": "two\nlines",
        }
        macro = MacroFactory(text=LazyAttribute(lambda macro: GROUP_MACRO.format(name=macro.name)))
        result = ResultFactory(
            run=RunFactory(macro=macro, state="succeeded"), data=data, digest=digest(data), **fields
        )
        Source.objects.create(
            run=result.run,
            number=1,
            kind="register",
            key=ALLIANZ,
            url=f"https://register.example/{ALLIANZ}",
            title="LEI record: Allianz SE",
            as_of="2026-01-02T00:00:00Z",
        )
        preview = preview_edits(result=result)
        store_checks(result, preview.checks)
        result.suggested_verbs = preview.verbs
        result.save()
        return result

    return make


@pytest.fixture
def result(make_result):
    return make_result()


@pytest.fixture
def browse(client):
    """``browse(result, person)`` opens the review page as that person."""

    def open_page(result, person):
        client.force_login(person)
        return Browser(client, result)

    return open_page


@pytest.fixture
def page(browse, result, reviewer):
    """The review page of the result, opened by the reviewer."""
    return browse(result, reviewer)
