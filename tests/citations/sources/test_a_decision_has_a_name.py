"""How a decision is cited, by its court, canton and reference."""

import json
import os
from pathlib import Path

import pytest

from citations.sources.decisions import read_decision
from citations.sources.entscheidsuche import read_courts
from citations.sources.naming import citation_of
from common.outside.faults import SourceFault
from tests.cases import cases
from tests.court_server import hit


@cases(
    ("reference", "places", "name"),
    [
        ("5A_56/2024", ("CH", "CH_BGer", "CH_BGer_005"), "BGer 5A_56/2024"),
        ("BGE 151 II 245", ("CH", "CH_BGE", "CH_BGE_004"), "BGE 151 II 245"),
        ("E-1234/2020", ("CH", "CH_BVGE", "CH_BVGE_001"), "BVGer E-1234/2020"),
        (" VB.2021.00456", ("ZH", "ZH_VG", "ZH_VG_001"), "VGer ZH VB.2021.00456"),
        ("LB170012", ("ZH", "ZH_OG", "ZH_OG_001"), "OGer ZH LB170012"),
        ("FI.2026.0167", ("VD", "VD_TC", "VD_TC_031"), "CDAP VD FI.2026.0167"),
        ("Empfehlung vom 30.6.2025", ("CH", "CH_EDÖB", "CH_EDÖB_006"), "Empfehlung vom 30.6.2025"),
    ],
)
def test_its_name(reference, places, name):
    assert citation_of(read_decision(hit(reference, places=places))) == name


def test_a_list_without_courts_is_trouble():
    with pytest.raises(SourceFault, match="without courts"):
        read_courts({"message": "Access denied"})


@pytest.mark.skipif(
    "DOSSIER_SHARED_DATA" not in os.environ, reason="set DOSSIER_SHARED_DATA to the recorded answers"
)
def test_the_recorded_tree_of_courts():
    file = Path(os.environ["DOSSIER_SHARED_DATA"]) / "legal" / "entscheidsuche_fixtures" / "courts_1.json"
    courts = read_courts(json.loads(file.read_text(encoding="utf-8")))
    found = {court.code: court for court in courts}
    assert found["CH_BGer"].names["fr"] == "Tribunal fédéral"
    assert {court.canton for court in courts} >= {"CH", "AG", "ZH", "TI"}
