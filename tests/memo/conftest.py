"""A result of the demo register and what people make of it, told by memos."""

import pytest

from research.memo.labels import LANGUAGES, labels_for
from research.services.execution import execute_verbs
from research.services.memos import compose_memo
from research.services.reviews import approve_result, reject_result
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

MACRO = """\
macro:
  name: group-look-up
  version: "1.0"
  description: Who belongs to this group?
  parameters:
    - name: client_name
      type: string
      required: true
  tools: [lei_search]
  prompt: "Find {{client_name}}."
  output:
    schema_name: group
    schema:
      type: object
      required: [apex]
      properties:
        apex:
          type: object
          title: Head of the group
          properties: {name: {type: string}, lei: {type: string, title: LEI}, jurisdiction: {type: string}}
        funds:
          type: array
          items:
            type: object
            properties: {name: {type: string}, lei: {type: string}, note: {type: string}}
        summary:
          type: object
          properties:
            total: {type: integer}
            key_findings: {type: array, items: {type: string}}
            data_gaps: {type: array, items: {type: string}}
            recommended_actions: {type: array, items: {type: string}}
        rating: {type: string}
  suggested_verbs: |
    (gleif.enrich :lei "{{apex.lei}}" :as @apex)
"""

DATA = {
    "rating": "good",
    "summary": {
        "total": 3,
        "key_findings": ["The group has two funds."],
        "data_gaps": ["No supervisor was asked."],
        "recommended_actions": ["Ask the supervisor."],
    },
    "funds": [
        {"name": "First Fund", "note": "old"},
        {"name": "Second Fund", "note": "older"},
    ],
    "apex": {"name": "Allianz SE", "lei": "529900K9B0N5BT694847", "jurisdiction": "DE"},
}


@pytest.fixture
def reviewer(db):
    return UserFactory(username="reviewer", rights=ALL_RIGHTS)


@pytest.fixture
def make_result(db):
    """A pending result over MACRO; keywords are fields of the result."""

    def make(**fields):
        return ResultFactory(**{"run__macro__text": MACRO, "data": DATA, **fields})

    return make


@pytest.fixture
def compose():
    """The text of a memo."""

    def write(result, **options):
        return bytes(compose_memo(result=result, **options).body).decode()

    return write


@pytest.fixture
def decided(make_result, reviewer):
    """A result in a state, by the people and services that bring it there."""

    def bring(state, *, edits=(), **fields):
        result = make_result(**fields)
        seen = {"result": result, "reviewer": reviewer, "digest": result.digest}
        if state == "rejected":
            reject_result(**seen, reason="The wrong company.")
        elif state != "pending_review":
            decision = approve_result(**seen, edits=edits, reason="Known to us.", shown=[""])
            if state == "executed":
                execute_verbs(decision=decision, actor=reviewer)
        result.refresh_from_db()
        assert result.state == state
        return result

    return bring


@pytest.fixture(params=LANGUAGES)
def labels(request):
    return labels_for(request.param)
