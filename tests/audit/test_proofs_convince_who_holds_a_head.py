import hashlib

import pytest

from research import audit
from research.audit.checkpoint import read_note
from research.audit.keys import known_keys
from research.audit.merkle import is_consistent, is_included, leaf_hash
from research.audit.proofs import NoProof, prove_consistency, prove_inclusion
from research.models import AuditEvent, AuditHead
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def heads():
    """Heads of 1, 4, 9 and 20 entries."""
    run = RunFactory()
    for size in (1, 4, 9, 20):
        for number in range(size - AuditEvent.objects.count()):
            audit.record("tested", run, number=number)
        audit.seal_all()
        audit.keep_head()
    return [read_note(head.note, known_keys()) for head in AuditHead.objects.order_by("size")]


def test_every_event_is_shown_to_be_in_the_log_by_the_first_head_that_covers_it(heads):
    sizes = []
    for event in AuditEvent.objects.order_by("pk"):
        proof = prove_inclusion(event)
        head = read_note(proof["note"], known_keys())
        path = [bytes.fromhex(each) for each in proof["path"]]
        leaf = leaf_hash(proof["entry"].encode())
        assert is_included(leaf, proof["index"], head.size, path, head.root)
        assert not is_included(hashlib.sha256(leaf).digest(), proof["index"], head.size, path, head.root)
        sizes.append(head.size)
    assert sorted(set(sizes)) == [head.size for head in heads]
    with pytest.raises(NoProof, match="not under a signed head yet"):
        prove_inclusion(audit.record("tested", RunFactory()))


def test_the_log_is_shown_to_have_only_grown_since_every_head(heads):
    for old in heads:
        proof = prove_consistency(old)
        path = [bytes.fromhex(each) for each in proof["path"]]
        assert is_consistent(old.size, old.root, heads[-1].size, heads[-1].root, path)
        assert not is_consistent(old.size, bytes(32), heads[-1].size, heads[-1].root, path)
