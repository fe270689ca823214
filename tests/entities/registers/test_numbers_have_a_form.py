"""Numbers are refused or brought into the one form that their register uses, before anybody is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.registers.errors import BadNumber
from entities.registers.numbers import cik, company_number, firm_reference, swiss_uid, uid_check_digit
from tests.cases import cases


@cases(
    "written",
    ["CHE-123.456.788", "CHE123456788", "che 123 456 788", "CHE-123.456.788 MWST", "CHE-123.456.788 TVA"],
)
def test_it_writes_a_uid_in_one_way(written):
    assert swiss_uid(written) == "CHE-123.456.788"


@cases(
    ("written", "said"),
    [
        ("CHE-123.456.789", "check digit"),
        ("CHE-12.345.678", "not a Swiss UID"),
        ("123456788", "not a Swiss UID"),
        ("", "not a Swiss UID"),
        ("CHE-123.456.78٨", "not a Swiss UID"),
        ("CHE" + "1" * 5000, "not a Swiss UID"),
    ],
)
def test_it_refuses_what_is_no_uid(written, said):
    with pytest.raises(BadNumber, match=said):
        swiss_uid(written)


@given(st.from_regex(r"\A[0-9]{8}\Z"), st.integers(1, 9))
def test_another_check_digit_is_always_refused(eight, other):
    right = uid_check_digit(eight)
    wrong = (right + other) % 10
    if right < 10:
        assert swiss_uid(f"CHE{eight}{right}")
    with pytest.raises(BadNumber):
        swiss_uid(f"CHE{eight}{wrong}")


@cases(
    ("written", "number"),
    [
        ("12345", "00012345"),
        ("00012345", "00012345"),
        ("sc77", "SC000077"),
        ("NI 012345", "NI012345"),
        ("OC301234", "OC301234"),
        ("R0000123", "R0000123"),
        ("IP12345R", "IP12345R"),
    ],
)
def test_it_pads_a_company_number(written, number):
    assert company_number(written) == number


@cases("written", ["", "123456789", "ABC12345", "12a", "../officers", "12345?x=1", "１２３"])
def test_it_refuses_what_is_no_company_number(written):
    with pytest.raises(BadNumber):
        company_number(written)


@pytest.mark.parametrize("written", ["320193", "0000320193", "CIK0000320193", "cik 320193"])
def test_it_pads_a_cik_to_ten_digits(written):
    assert cik(written) == "0000320193"


@cases("written", ["", "0", "12345678901", "x", "²"])
def test_it_refuses_what_is_no_cik(written):
    with pytest.raises(BadNumber):
        cik(written)


@pytest.mark.parametrize(("written", "number"), [("122702", "122702"), ("FRN 0122702", "122702")])
def test_it_reads_a_firm_reference_number(written, number):
    assert firm_reference(written) == number


@pytest.mark.parametrize("written", ["", "12345678", "AB1", "0"])
def test_it_refuses_what_is_no_firm_reference_number(written):
    with pytest.raises(BadNumber):
        firm_reference(written)


def read_or_refuse(read, written):
    try:
        return read(written)
    except BadNumber as error:
        return str(error)


@given(st.text(max_size=60))
def test_no_text_breaks_a_reader_of_numbers(written):
    for read in (swiss_uid, company_number, cik, firm_reference):
        said = read_or_refuse(read, written)
        assert said
        assert len(said) < 200
