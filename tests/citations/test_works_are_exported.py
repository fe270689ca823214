import json
from itertools import product
from time import process_time

import pytest

from citations.export import bibtex, csl, ris
from citations.extract import extract

TEXT = (
    "BGE 145 III 229 E. 4.2 S. 235; Urteil 4A_315/2021 vom 3. Mai 2021 E. 3; BGE 145 III 229 E. 5; Art. 97 OR; "
    "BSK StPO-MUSTER/MEIER, Art. 358 N 21; ebenda; doi 10.1000/x_y%z; vgl. ibid."
)


@pytest.fixture
def mentions():
    return extract(TEXT)


def test_it_lists_each_work_once_with_all_pinpoints(mentions):
    items = {item["title"]: item for item in csl(mentions)}
    assert items["BGE 145 III 229"]["note"] == "E. 4.2; S. 235; E. 5"
    assert items["BGE 145 III 229"]["volume"] == "145 III"
    assert items["BGer 4A_315/2021"]["issued"] == {"date-parts": [[2021, 5, 3]]}
    assert items["Art. 97 OR"]["number"] == "SR 220"
    assert [author["literal"] for author in items["BSK StPO-MUSTER/MEIER, Art. 358"]["author"]] == [
        "MUSTER",
        "MEIER",
    ]
    assert json.loads(json.dumps(list(items.values()))) == csl(mentions)


def test_bibtex_markup_is_escaped(mentions):
    written = bibtex(mentions)
    assert written.count("@misc{") == 5
    assert r"title = {BGer 4A\_315/2021}" in written
    assert "doi = {10.1000/x_y%z}" in written  # a DOI is read word for word


def test_journals_say_where_and_when():
    item = csl(extract("SVR 2017 UV Nr. 19 S. 63"))[0]
    assert (item["container-title"], item["issue"], item["page"]) == ("SVR", "19", "63")
    assert item["issued"] == {"date-parts": [[2017]]}
    assert "PY  - 1995\r\n" in ris(extract("JdT 1995 I 123"))
    assert "year = {2018}" in bibtex(extract("BSK StPO-MUSTER, 3. Aufl. 2018, Art. 358 N 21"))


def test_two_works_have_two_keys():
    keys = [item["id"] for item in csl(extract("doi 10.1000/a-b und doi 10.1000/a_b"))]
    assert len(set(keys)) == 2


def test_a_key_that_was_made_up_is_not_the_own_one_of_a_third():
    text = "doi 10.1000/a-b und doi 10.1000/a_b und doi 10.1000/a-b-2"
    assert len({item["id"] for item in csl(extract(text))}) == 3


def test_ris_records_are_whole(mentions):
    records = ris(mentions).split("ER  - \r\n\r\n")
    assert records.pop() == ""
    assert [record.splitlines()[0] for record in records] == [
        "TY  - CASE",
        "TY  - CASE",
        "TY  - STAT",
        "TY  - BOOK",
        "TY  - GEN",
    ]


def test_a_line_break_ends_no_field():
    assert ris(extract("BSK StPO-\nMUSTER, Art. 358 N 21")).count("\r\n") == ris(
        extract("BSK StPO-MUSTER, Art. 358 N 21")
    ).count("\r\n")


def test_however_many_works_have_one_key_it_takes_no_longer_than_the_text_is():
    many = extract("; ".join(f"doi:10.1000/a{''.join(signs)}b" for signs in product("-_;", repeat=8)))
    began = process_time()  # others on this machine do not count
    assert len({item["id"] for item in csl(many)}) == 3**8
    assert process_time() - began < 5
