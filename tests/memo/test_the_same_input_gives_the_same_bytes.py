import json
import os
import subprocess
import sys
from itertools import product

import pytest

from research.memo.edits import origins
from research.memo.findings import read_findings
from research.models import AuditEvent, Memo
from research.services.memos import compose_memo
from research.services.reviews import reject_result

HASHING = """\
import json, sys
from research.memo.edits import origins
from research.memo.findings import read_findings
data, checks = json.load(sys.stdin)
found = read_findings(data, origins(data, []), {}, checks)
print(repr(found))
"""


@pytest.mark.parametrize(
    ("style", "format"), list(product(["memo", "bullets", "json"], ["md", "html", "json"]))
)
def test_it_writes_one_memo_for_one_state_of_things(decided, style, format):
    result = decided("executed", edits=[{"op": "replace", "path": "/apex/jurisdiction", "value": "AT"}])
    first, second = (compose_memo(result=result, style=style, format=format) for _ in range(2))
    assert first.pk == second.pk
    assert bytes(first.body) == bytes(second.body)
    assert AuditEvent.objects.filter(action="memo.composed").count() == 1


def test_it_reads_what_is_stored_whatever_the_caller_holds(make_result, compose):
    result = make_result()
    stored = compose(result)
    result.data = {"apex": {"name": "Someone else"}}
    assert compose(result) == stored


def test_it_writes_another_memo_after_a_decision(decided, make_result, reviewer, compose):
    pending = make_result()
    compose(pending)
    reject_result(result=pending, reviewer=reviewer, digest=pending.digest, reason="No.")
    compose(pending)
    assert [memo.decision_id is None for memo in Memo.objects.order_by("pk")] == [True, False]


def test_the_order_of_keys_in_the_database_changes_nothing():
    schema = {"properties": {"b": {}, "a": {"properties": {"y": {}, "x": {}}}}}
    one = {"a": {"x": 1, "y": 2, "z": 3}, "b": 4, "d": 5, "c": 6}
    other = {"c": 6, "d": 5, "b": 4, "a": {"z": 3, "y": 2, "x": 1}}
    first, second = (read_findings(data, origins(data, []), schema, []) for data in (one, other))
    assert first == second
    assert [value.label for value in first.groups[0].values] == ["B", "C", "D"]
    assert [value.label for value in first.groups[1].values] == ["Y", "X", "Z"]


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_another_process_finds_the_same(seed):
    data = {"funds": [{"name": "A", "lei": "x"}], "key_findings": ["One.", "Two."], "z": 1, "a": None}
    checks = [
        {"code": "name", "pointer": "/funds/0/lei", "verdict": "warn", "message": "Hm."},
        {"code": "renewal", "pointer": "/funds/0/lei", "verdict": "unknown", "message": "Silence."},
    ]
    here = repr(read_findings(data, origins(data, []), {}, checks))
    there = subprocess.run(
        [sys.executable, "-c", f"import django, os; django.setup()\n{HASHING}"],
        input=json.dumps([data, checks]),
        env={**os.environ, "PYTHONHASHSEED": seed, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.strip() == here
