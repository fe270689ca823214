"""A macro may ask for evidence itself: it stays in the document, and its quotes are searched as all quotes are."""

import json

import pytest

from research.engine.answer import faults_of, read_turn
from research.engine.evidence import SCHEMA, with_evidence
from research.llm.interface import Turn

ITEM = {"pointer": "/name", "source": 1, "quote": "Allianz"}
DOCUMENT = {"name": "Allianz SE", "evidence": [ITEM, {"page": 3}]}
PART = {"properties": {"name": {}, "evidence": {"type": "array"}}, "required": ["evidence"]}
DECLARING = {
    "itself": {"type": "object", **PART},
    "in a part": {"type": "object", "properties": {"name": {}}, "allOf": [PART]},
    "by reference": {"type": "object", "properties": {"name": {}}, "$ref": "#/$defs/d", "$defs": {"d": PART}},
}


@pytest.mark.parametrize("schema", DECLARING.values(), ids=DECLARING)
def test_it_stays_in_the_document_and_is_used(schema):
    turn = Turn(text=json.dumps(DOCUMENT))
    document = read_turn(turn, schema)
    assert document.data == DOCUMENT
    assert document.evidence == [ITEM]
    assert faults_of(turn, schema) == []
    assert with_evidence(schema) == schema


def test_it_is_split_off_where_only_the_engine_asked_for_it():
    schema = {"type": "object", "properties": {"name": {}}, "additionalProperties": False}
    document = read_turn(Turn(text=json.dumps(DOCUMENT)), schema)
    assert document.data == {"name": "Allianz SE"}
    assert document.evidence == [ITEM]
    assert with_evidence(schema)["properties"]["evidence"] == SCHEMA
