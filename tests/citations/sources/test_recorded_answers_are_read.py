"""Answers that the source really gave. They are no part of the project: DOSSIER_SHARED_DATA names their folder."""

import json
import os
from pathlib import Path

import pytest

from citations.sources.entscheidsuche import read_answer
from tests.cases import cases

FOLDER = Path(os.environ.get("DOSSIER_SHARED_DATA", "nowhere")) / "legal" / "entscheidsuche_fixtures"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="no recorded answers: set DOSSIER_SHARED_DATA to the folder that holds legal/"
)


def recorded(name):
    return read_answer(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


@cases(
    ("name", "total", "references"),
    [
        ("search_law_1", None, ["GPR 2025 4", "5A_56/2024", "BGE 151 II 245"]),
        ("search_canton_1", None, ["VB.2024.00513", "DG250028", "DG240019"]),
        ("search_bger_1", None, ["5A_459/2025", "5A_253/2025", "6B_60/2025"]),
        ("recent_1", 792_912, ["FI.2026.0167", "60/2025/5", "ZVE.2024.51"]),
        ("statistics_1", 10_000, []),
    ],
)
def test_references_are_read(name, total, references):
    found = recorded(name)
    assert [one.references[0] for one in found.decisions] == references
    assert total is None or found.total == total


def test_a_whole_decision_is_read():
    (decision,) = recorded("decision_1").decisions
    assert (decision.court, decision.canton, decision.language) == ("NW_OG", "NW", "de")
    assert decision.date.isoformat() == "2026-08-05"
    assert len(decision.text) > 90_000
    assert decision.url.startswith("https://entscheidsuche.ch/docs/")
    assert decision.abstract.startswith("Versuchte schwere")
