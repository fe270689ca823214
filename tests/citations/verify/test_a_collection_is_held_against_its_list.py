"""A BGE by the list of start pages: what is said of it, and that nothing impossible passes."""

import json
import os
import random
from datetime import date
from pathlib import Path

import pytest

from citations.authority.bge import BgeIndex, read_index
from citations.extract import extract
from citations.verify.collection import judge_bge, judge_yearly
from citations.verify.judge import Lists
from tests.cases import cases
from tests.citations.locally import judge_locally

TODAY = date(2026, 11, 21)
INDEX = read_index(
    {
        "max_volume": 152,
        "families": {
            "145|III": {"starts": [1, 225, 241], "window": 30},
            "145|II": {"starts": [1, 229], "window": 30},
            "147|IV": {"starts": [73], "window": 30},
            "152|III": {"starts": [1, 20], "window": 30},
        },
    }
)
LISTS = Lists(TODAY, INDEX, "2026-08-20")
SHARED = Path(os.environ.get("DOSSIER_SHARED_DATA", "../shared/data")) / "legal" / "bge_series_index.json"
needs_the_list = pytest.mark.skipif(not SHARED.is_file(), reason="no index: set DOSSIER_SHARED_DATA")


@cases(
    ("citation", "verdict", "reason", "check"),
    [
        ("BGE 145 III 225", "start", "start_page", "pass"),
        ("BGE 145 III 229", "interior", "interior_page", "warn"),
        ("BGE 145 III 300", "nonexistent", "page", "fail"),
        ("BGE 147 VII 1", "nonexistent", "division", "fail"),
        ("BGE 117 I 10", "nonexistent", "division", "fail"),
        ("BGE 999 X 1", "nonexistent", "volume", "fail"),
        ("BGE 145 III 0", "nonexistent", "page", "fail"),
        ("BGE 152 III 9999", "nonexistent", "page", "fail"),
        ("BGE 152 III 500", "undecidable", "open_volume", "unknown"),
        ("BGE 153 III 5", "undecidable", "open_volume", "unknown"),
        ("BGE 100 II 5", "undecidable", "no_series", "unknown"),
        ("BGE XX 289", "undecidable", "roman_volume", "unknown"),
    ],
)
def test_it_says_how_a_page_stands(citation, verdict, reason, check):
    found = judge_bge(citation, INDEX, today=TODAY, as_of="2026-08-20")
    assert (found.verdict, found.reason, found.check) == (verdict, reason, check)
    assert citation in found.message or verdict == "undecidable"
    assert "hallucinat" not in found.message.lower()


@pytest.mark.parametrize(
    ("citation", "reason"),
    [
        ("BGE 147 VII 1", "division"),
        ("BGE 154 III 1", "volume"),
        ("BGE 60 IV 1", "division"),
        ("BGE 140 III 2000", "page"),
    ],
)
def test_the_impossible_is_refused_with_nothing_imported(citation, reason):
    found = judge_bge(citation, BgeIndex(0), today=TODAY)
    assert (found.verdict, found.reason, found.authority) == ("nonexistent", reason, "built-in table")


def test_the_possible_is_open_with_nothing_imported():
    found = judge_bge("BGE 147 IV 73", BgeIndex(0), today=TODAY)
    assert (found.verdict, found.reason) == ("undecidable", "no_list")


def test_it_names_what_exists_nearby():
    found = judge_bge("BGE 145 III 229", INDEX, today=TODAY)
    assert found.suggestions[:1] == ("BGE 145 II 229",)
    assert "BGE 145 III 225" in found.suggestions
    assert "BGE 145 III 225" in found.message


@cases(
    ("text", "codes"),
    [
        ("BGE 145 III 225", []),
        ("BGE 145 III 225 vom 3. Mai 2019", []),
        ("BGE 145 III 225 vom 3. Dezember 2018", []),
        ("BGE 145 III 225 vom 3. Mai 2005", ["date"]),
        ("ATF 145 III 225 du 3 mai 2005", ["date"]),
        ("BGE 145 III 225 (1999)", ["date"]),
        ("BGE 145 III 225 (2019)", []),
        ("BGE 145 III 225 (4A_400/2018 vom 7. März 2019)", []),
        ("BGE 145 III 225 (4A_400/2008 vom 7. März 2009)", ["date"]),
        ("BGE 145 III 225 E. 4.2 S. 229", []),
        ("BGE 145 III 225 S. 250", ["pinpoint"]),
        ("BGE 145 III 225 S. 24", ["pinpoint"]),
    ],
)
def test_what_the_text_says_beside_it_must_agree(text, codes):
    mentions = extract(text)
    first = judge_locally(mentions, LISTS, text)[0]
    assert [finding.code for finding in first.findings] == codes
    assert first.standing.verdict == "start"
    assert first.check == ("warn" if codes else "pass")


@cases(
    ("citation", "verdict"),
    [
        ("BVGE 2011/52", "unknown"),
        ("BVGE 2006/1", "nonexistent"),
        ("BVGE 2027/1", "nonexistent"),
        ("TPF 2010 50", "unknown"),
        ("TPF 2003 1", "nonexistent"),
    ],
)
def test_a_collection_by_years_has_a_first_and_a_last(citation, verdict):
    assert judge_yearly(citation, today=TODAY).verdict == verdict


@needs_the_list
def test_every_real_start_page_is_accepted_and_no_impossible_one_passes():
    document = json.loads(SHARED.read_text(encoding="utf-8"))
    index = read_index(document)
    starts = {(v, d, p) for (v, d), series in index.series.items() for p in series.starts}
    refused = [
        at
        for at in sorted(starts)
        if judge_bge("BGE {} {} {}".format(*at), index, today=TODAY).check != "pass"
    ]
    assert (len(starts), refused) == (35_420, [])
    draw = random.Random(20261121)
    passed = []
    for _ in range(50_000):
        volume, page = draw.randint(0, 200), draw.randint(0, 1_500)
        division = draw.choice(["I", "Ia", "Ib", "II", "III", "IV", "V", "VI", "VII", "X"])
        found = judge_bge(f"BGE {volume} {division} {page}", index, today=TODAY)
        if found.check == "pass" and (volume, division, page) not in starts:
            passed.append((volume, division, page))
        if _is_impossible(index, volume, division, page):
            assert found.verdict == "nonexistent", (volume, division, page)
    assert passed == []


def _is_impossible(index, volume, division, page):
    if volume > 153 or volume < 1 or page < 1:
        return True
    series = index.series.get((volume, division))
    if series is None:
        return volume < 151 or division in ("Ia", "Ib", "VI", "VII", "X")
    closed = volume < index.newest - 1
    return closed and not series.starts[0] <= page <= series.starts[-1] + series.window
