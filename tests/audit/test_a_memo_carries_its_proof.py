"""A memo shows that the trail holds what it tells, to somebody who has neither Dossier nor its database."""

import html
import json
import subprocess
import sys

import pytest

from research import audit
from research.audit import check_bundle
from research.audit.keys import known_keys
from research.services.memos import compose_memo
from tests.factories import ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


def memo_as_json(result, **options):
    return bytes(compose_memo(result=result, format="json", **options).body)


@pytest.fixture
def check(tmp_path):
    def check(body, key=None):
        (tmp_path / "memo.json").write_bytes(body)
        command = [sys.executable, "-I", "-S", check_bundle.__file__, "--memo", str(tmp_path / "memo.json")]
        command += ["--key", key or known_keys()[0].text]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    return check


def test_a_memo_of_a_decision_proves_the_decision(case, check):
    done = check(memo_as_json(case.decision.result))
    assert (done.returncode, done.stderr) == (0, "")
    assert "result.approved" in done.stdout
    assert "It names the data of this memo." in done.stdout


def test_it_stays_the_same_when_the_log_grows(case):
    first = memo_as_json(case.decision.result)
    for number in range(5):
        audit.record("tested", case.rejected.run, number=number)
        audit.seal_all()
        audit.keep_head()
    assert memo_as_json(case.decision.result) == first


def test_a_memo_that_nobody_decided_proves_the_result(db, check):
    result = ResultFactory()
    audit.record("run.succeeded", result.run, None, result, result=str(result.pk), digest=result.digest)
    done = check(memo_as_json(result))
    assert "run.succeeded" in done.stdout
    assert "It names the data of this memo." in done.stdout


def test_every_change_of_a_memo_is_found(case, check):
    whole = json.loads(memo_as_json(case.decision.result))
    proof = whole["proof"]
    other = json.loads(memo_as_json(case.rejected))["proof"]
    forged = {
        "other data": {**whole, "data": {"name": "Somebody else"}},
        "no proof": {**whole, "proof": None},
        "another entry": {**whole, "proof": {**proof, "entry": proof["entry"].replace("approved", "rejected")}},
        "another entry with its hash": {**whole, "proof": {**proof, "entry": other["entry"], "leaf": other["leaf"]}},
        "another place": {**whole, "proof": {**proof, "index": proof["index"] - 1}},
        "a place beyond the log": {**whole, "proof": {**proof, "index": 10**9}},
        "no path": {**whole, "proof": {**proof, "path": []}},
        "a longer path": {**whole, "proof": {**proof, "path": [*proof["path"], "00" * 32]}},
        "another size": {**whole, "proof": {**proof, "note": proof["note"].replace(f"\n{proof['size']}\n", "\n1\n")}},
        "two notes": {**whole, "proof": {**proof, "note": proof["note"] + "\n" + proof["note"]}},
    }  # fmt: skip
    believed = [name for name, memo in forged.items() if check(json.dumps(memo).encode()).returncode == 0]
    assert believed == []


def test_an_entry_that_names_no_data_proves_no_memo(db, check):
    result = ResultFactory()
    audit.record("run.succeeded", result.run, None, result, result=str(result.pk))
    done = check(memo_as_json(result))
    assert done.returncode == 1
    assert "it names no data" in done.stderr


def test_only_the_key_that_one_was_given_counts(case, check, settings, tmp_path):
    body = memo_as_json(case.decision.result)
    settings.DOSSIER_TRAIL_KEY = str(tmp_path / "other")
    done = check(body, audit.keys.signing_key()[1].text)
    assert done.returncode == 1
    assert "no known key has signed the head" in done.stderr


def test_every_text_prints_the_head_and_the_path(case):
    proof = json.loads(memo_as_json(case.decision.result))["proof"]
    lines = [*filter(None, proof["note"].split("\n")), *proof["path"], proof["leaf"]]
    for format in ("md", "html"):
        text = html.unescape(bytes(compose_memo(result=case.decision.result, format=format).body).decode())
        assert [line for line in lines if line not in text] == []


def test_a_trail_that_cannot_sign_leaves_the_memo_without_proof(case, trail_elsewhere):
    (trail_elsewhere / "heads").unlink()
    (trail_elsewhere / "heads").mkdir()  # nothing can be written to it
    result = ResultFactory()
    audit.record("run.succeeded", result.run, None, result)
    text = bytes(compose_memo(result=result, actor=UserFactory(rights=["view_researchresult"])).body).decode()
    assert "No signed head of the audit trail covers this yet." in text
