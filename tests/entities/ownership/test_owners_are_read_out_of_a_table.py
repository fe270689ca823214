"""Rows of a spreadsheet become interests, or faults that say what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.tables import NOT_COMPUTED
from entities.ownership.interests import InterestType
from entities.ownership.table import (
    BadCell,
    Reading,
    as_record,
    guess_columns,
    read_owners,
    read_share,
    read_stated_day,
)
from tests.cases import cases

COLUMNS = {"owned": 0, "owner": 1, "owner_type": 2, "share": 3, "since": 4, "until": 5}


def read(*rows, **options):
    padded = [(number, [*row, *[""] * (6 - len(row))]) for number, row in enumerate(rows, 2)]
    return read_owners(padded, Reading(COLUMNS, **options))


@cases(
    "text, share",
    [
        ("25", "25 %"),
        ("25,5 %", "25.5 %"),
        (" 25 - 50 %", "25 to 50 %"),
        ("25–50%", "25 to 50 %"),
        ("25 % to 50 %", "25 to 50 %"),
        ("between 25 and 50", "25 to 50 %"),
        ("more than 25 but less than 50", "more than 25 to less than 50 %"),
        ("> 25 %", "more than 25 %"),
        ("≥ 25", "25 % or more"),
        ("75 % or more", "75 % or more"),
        ("< 5 %", "less than 5 %"),
        ("mehr als 25 %, höchstens 50 %", "more than 25 to 50 %"),
        ("von 25 bis 50 %", "25 to 50 %"),
        ("über 50 %", "more than 50 %"),
        ("plus de 25 %", "more than 25 %"),
        ("jusqu'à 20 %", "up to 20 %"),
        ("fino a 20%", "up to 20 %"),
        ("almeno 10 per cento", "10 % or more"),
        ("0,25 %", "0.25 %"),
        ("100", "100 %"),
    ],
)
def test_shares_are_read_as_people_write_them(text, share):
    assert str(read_share(text)) == share


@cases("text", ["", " ", "n/a", "-", "unbekannt"])
def test_an_empty_cell_states_no_share(text):
    assert read_share(text) is None


@cases(
    "text, words",
    [
        ("0.25", "say which with the unit"),
        ("1", "say which with the unit"),
        ("1/3", "unit"),
        ("120", "not between 0 and 100"),
        ("50-25", "No share"),
        ("0", "nothing"),
        ("-5", "no percentage"),
        ("1e5", "no percentage"),
        ("25 50", "no percentage"),
        ("25 of 100 shares", "no percentage"),
        ("ca. 25", "no percentage"),
        ("the majority", "no percentage"),
        ("25 % more or less", "no percentage"),
        ("not 25", "no percentage"),
        ("٢٥", "no percentage"),
        (NOT_COMPUTED, "no stored value"),
    ],
)
def test_what_is_no_share_or_has_two_readings_is_refused(text, words):
    with pytest.raises(BadCell, match=words):
        read_share(text)


def test_the_unit_decides_what_a_fraction_means():
    assert [str(read_share("0.25", unit)) for unit in ("fraction", "percent")] == ["25 %", "0.25 %"]
    assert str(read_share("25 %", "fraction")) == "25 %"


@cases(
    "text, day",
    [
        ("2025", "2025"),
        ("2025-3", "2025-03"),
        ("2025-03-01", "2025-03-01"),
        ("31.12.2025", "2025-12-31"),
        ("1.2.2025", "2025-02-01"),
        ("31/12/2025", "2025-12-31"),
        ("12/31/2025", "2025-12-31"),
        ("12/2025", "2025-12"),
        ("31 Dec 2025", "2025-12-31"),
        ("31. Dezember 2025", "2025-12-31"),
        ("1er mars 2025", "2025-03-01"),
        ("Dec 31, 2025", "2025-12-31"),
        ("1 gennaio 2026", "2026-01-01"),
        ("unknown", ""),
    ],
)
def test_days_are_read_as_exactly_as_they_are_stated(text, day):
    assert read_stated_day(text) == day


@cases("text", ["31.02.2025", "31/13/2025", "yesterday", "31.12.25", "2025-13", "32 Dec 2025", "03/04/2025"])
def test_what_is_no_day_or_has_two_readings_is_no_day(text):
    with pytest.raises(BadCell):
        read_stated_day(text)


def test_one_date_of_the_table_that_has_one_reading_decides_for_the_others():
    owners = read(
        ["T", "A", "person", "", "03/04/2025"], ["T", "B", "person", "", "31/04/2024", "31/05/2025"]
    )
    assert [row.since for row in owners.rows] == ["2025-04-03"]
    assert [fault.reason for fault in owners.faults] == ["there is no such day"]


def test_dates_that_contradict_each_other_about_their_order_decide_nothing():
    owners = read(
        ["T", "A", "", "", "03/04/2025"], ["T", "B", "", "", "31/05/2024"], ["T", "C", "", "", "05/31/2024"]
    )
    assert [fault.number for fault in owners.faults] == [2]


def test_each_row_is_read_or_told_with_its_cell():
    owners = read(
        ["T", "Anna", "natürliche Person", "40 %", "2020-03-01"],
        ["", "Holding Ltd", "Gesellschaft", "much"],
        ["", "", "person", "10"],
        ["T", "Bo", "robot", "10"],
        ["T", "Cy", "person", "10", "2025-05", "2024"],
    )
    assert [as_record(row) for row in owners.rows] == [
        {
            "row": 2,
            "owner_name": "Anna",
            "owner_type": "person",
            "owned_entity": "T",
            "interest": "shareholding",
            "since": "2020-03-01",
            "percentage": 40,
        }
    ]
    assert [(fault.number, fault.column) for fault in owners.faults] == [
        (3, "share"),
        (4, "owner"),
        (5, "owner_type"),
        (6, "until"),
    ]


def test_an_empty_cell_means_the_company_above_and_it_is_said():
    owners = read(["T", "Anna", "person"], ["", "Boris", "person"], owned="Other AG")
    assert [row.owned for row in owners.rows] == ["T", "T"]
    assert owners.notes == ["The company's cell is empty in 1 row; the company above it was taken."]


def test_an_owner_of_whom_nothing_says_what_it_is_is_told():
    assert "Nothing says what the owner is in 1 row" in read(["T", "Anna"]).notes[0]
    assert read(["T", "Anna"], owner_type="person").rows[0].owner_type == "person"


@cases(
    "header, columns",
    [
        (["Firma", "Eigentümer", "Anteil in %", "Seit"], {"owned": 0, "owner": 1, "share": 2, "since": 3}),
        (["Shareholder", "%", "Type"], {"owner": 0, "share": 1, "owner_type": 2}),
        (["Société", "Actionnaire", "Part en %"], {"owned": 0, "owner": 1, "share": 2}),
        (["Società", "Titolare effettivo", "Quota"], {"owned": 0, "owner": 1, "share": 2}),
        (["a", "b"], {}),
    ],
)
def test_columns_are_known_by_their_usual_names(header, columns):
    assert guess_columns(header) == columns


@cases(
    "text, type",
    [
        ("", "shareholding"),
        ("Stimmrechte", "votingRights"),
        ("votingRights", "votingRights"),
        ("Trustee", "trustee"),
    ],
)
def test_interests_are_named_in_words_or_as_bods_has_them(text, type):
    row = (2, ["T", "A", text])
    [read_row] = read_owners([row], Reading({"owned": 0, "owner": 1, "interest": 2})).rows
    assert read_row.interest == InterestType(type)


@given(st.text(max_size=30))
def test_any_text_is_a_share_or_refused(text):
    try:
        share = read_share(text)
    except BadCell:
        return
    assert share is None or 0 <= share.low <= share.high <= 100


@given(st.text(max_size=30))
def test_any_text_is_a_day_or_refused(text):
    try:
        day = read_stated_day(text)
    except BadCell:
        return
    assert day == "" or day[:4].isdigit()
