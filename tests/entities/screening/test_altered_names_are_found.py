"""The labelled names of the bench: what is found, and what is found wrongly, gets no worse."""

import pytest

from bench.screening import KEPT, PAIRS, THRESHOLD, pairs
from entities.screening.index import ListIndex
from entities.screening.records import make_entry, make_name
from entities.screening.scoring import compare
from entities.screening.subject import Subject


@pytest.mark.parametrize(("path", "recall", "wrong"), [(PAIRS, 0.85, 0.23), (KEPT, 0.95, 0.10)])
def test_altered_names_of_listed_persons_and_companies_are_found(path, recall, wrong):
    labelled = pairs(path)
    table = [
        make_entry(key=f"{at}", kind=pair.kind, names=[make_name(pair.listed, type="primary")])
        for at, pair in enumerate(labelled)
    ]
    index = ListIndex(enumerate(table))
    found = {True: 0, False: 0}
    for at, pair in enumerate(labelled):
        subject = Subject(pair.kind, (pair.ours,))
        if at in index.candidates(subject, THRESHOLD):
            found[pair.same] += compare(subject, table[at]).score >= THRESHOLD
    same = sum(pair.same for pair in labelled)
    assert found[True] / same >= recall
    assert found[False] / (len(labelled) - same) <= wrong
