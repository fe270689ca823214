"""Real decisions: nothing that looks like a citation at first sight stays outside of every mention.

They are no part of the project: DOSSIER_SHARED_DATA names their folder.
"""

import re
from itertools import pairwise

import pytest

from bench.citations import decisions
from citations.extract import extract

TEXT = decisions()
OBVIOUS = {
    "bge": re.compile(r"\b(?:BGE|ATF|DTF)\s+\d{2,3}\s+[IV]+[ab]?\s+\d+"),
    "bger": re.compile(r"\b\d[A-Z]_\d+/\d{4}\b"),
    "statute": re.compile(
        r"\bArt\.\s\d+[a-z]?(?:\sAbs\.\s\d+)?\s(?:OR|ZGB|ZPO|StGB|StPO|BGG|BV|SVG|SchKG|EMRK|VRV)\b"
    ),
}
pytestmark = pytest.mark.skipif(
    not TEXT, reason="no decisions: set DOSSIER_SHARED_DATA to the folder that holds legal/"
)


@pytest.mark.parametrize("kind", OBVIOUS)
def test_nothing_obvious_is_missed(kind):
    mentions = extract(TEXT)
    covered = [(mention.start, mention.end) for mention in mentions if mention.kind in (kind, "doctrine")]
    seen = [found.span() for found in OBVIOUS[kind].finditer(TEXT)]
    missed = [TEXT[start:end] for start, end in seen if not any(a <= start and end <= b for a, b in covered)]
    assert len(seen) > 10
    assert missed == []


def test_offsets_hold_in_real_texts():
    mentions = extract(TEXT)
    assert all(TEXT[mention.start : mention.end] == mention.raw for mention in mentions)
    assert all(one.end <= two.start for one, two in pairwise(mentions))
