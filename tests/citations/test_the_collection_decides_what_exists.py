"""Existence of BGE: by volume and division alone, and by the list of start pages."""

import json
import os
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.authority.bge import BgeIndex, implausible, read_index
from tests.cases import cases

TODAY = date(2026, 8, 20)
INDEX = read_index(
    {
        "max_volume": 152,
        "families": {
            "145|III": {"starts": [1, 225, 241], "window": 30},
            "145|II": {"starts": [1, 229], "window": 30},
            "117|IA": {"starts": [10], "window": 30},
            "152|III": {"starts": [1, 20], "window": 30},
            "147|IV": {"starts": [73], "window": 30},
        },
    }
)
SHARED = Path(os.environ.get("DOSSIER_SHARED_DATA", "../shared/data")) / "legal" / "bge_series_index.json"


@cases(
    ("citation", "status", "reason"),
    [
        ("BGE 145 III 225", "start", None),
        ("BGE 145 III 229", "interior", None),
        ("BGE 145 III 271", "interior", None),
        ("BGE 145 III 272", "nonexistent", "page"),
        ("BGE 117 Ia 10", "start", None),
        ("BGE 147 VII 1", "nonexistent", "division"),
        ("BGE 147 Ia 1", "nonexistent", "division"),
        ("BGE 110 I 1", "nonexistent", "division"),
        ("BGE 999 X 1", "nonexistent", "volume"),
        ("BGE 0 I 1", "nonexistent", "volume"),
        ("BGE 154 III 1", "nonexistent", "volume"),
        ("BGE 153 III 1", "undecidable", None),
        ("BGE 152 III 500", "undecidable", None),
        ("BGE 152 III 20", "start", None),
        ("BGE 100 II 1", "undecidable", None),
        ("BGE XX 289", "undecidable", None),
    ],
)
def test_it_says_what_is_known(citation, status, reason):
    found = INDEX.find(citation, today=TODAY)
    assert (found.status, found.reason) == (status, reason)


def test_it_suggests_what_is_near():
    assert INDEX.find("BGE 145 III 229", today=TODAY).suggestions[:2] == ("BGE 145 II 229", "BGE 145 III 1")
    assert INDEX.find("BGE 247 IV 73", today=TODAY).suggestions == ("BGE 147 IV 73",)


def test_without_a_list_only_the_impossible_is_decided():
    assert BgeIndex(0).find("BGE 147 VII 1", today=TODAY).status == "nonexistent"
    assert BgeIndex(0).find("BGE 147 IV 73", today=TODAY).status == "undecidable"


@given(st.integers(-5, 300), st.sampled_from(["I", "Ia", "Ib", "II", "III", "IV", "V", "VI", "X"]))
def test_a_volume_of_the_future_is_never_plausible(volume, division):
    if implausible(volume, division, today=TODAY) is None:
        assert 1 <= volume <= 153


@pytest.mark.skipif(
    not SHARED.is_file(), reason="no index: set DOSSIER_SHARED_DATA to the folder that holds legal/"
)
def test_every_start_of_the_real_list_is_a_start():
    document = json.loads(SHARED.read_text(encoding="utf-8"))
    index = read_index(document)
    for (volume, division), series in index.series.items():
        assert implausible(volume, division, today=TODAY) is None
        for start in series.starts:
            assert index.find(f"BGE {volume} {division} {start}", today=TODAY).status == "start"
