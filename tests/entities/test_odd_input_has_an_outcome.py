"""What people and documents write for an LEI: each has one outcome, and none is a crash."""

from datetime import date

from entities.gleif.verification import Claim, verify
from entities.lei import complete, find_candidates, is_valid
from tests.cases import cases

TODAY = date(2026, 6, 1)
GOOD = complete("SYNTHETIC000000001")


def digits(two):
    """A text whose remainder is right and whose check digits are never issued."""
    for number in range(100_000):
        stem = f"SYNTHETIC{number:09d}"
        if int("".join(str(int(char, 36)) for char in stem + two)) % 97 == 1:
            return stem + two
    raise AssertionError(two)


@cases(
    ("claimed", "verdict", "code", "rule"),
    [
        (GOOD, "pass", "format", ""),
        (GOOD.lower(), "warn", "format", ""),
        (f"  {GOOD[:4]} {GOOD[4:]}\n", "warn", "format", ""),
        (f"{GOOD[:7]}\u200b{GOOD[7:]}", "warn", "format", ""),
        (f"\ufeff{GOOD}", "warn", "format", ""),
        (GOOD[:-1], "fail", "format", "length"),
        (GOOD + "7", "fail", "format", "length"),
        (GOOD[:-1] + "X", "fail", "format", "check-digits-not-numeric"),
        (GOOD[:-2] + "7O", "fail", "format", "check-digits-not-numeric"),
        (GOOD.replace("0", "O"), "fail", "check_digits", "checksum"),
        (GOOD.replace("0", "O", 1), "fail", "check_digits", "checksum"),
        (digits("00"), "fail", "check_digits", "non-canonical-check-digits"),
        (digits("01"), "fail", "check_digits", "non-canonical-check-digits"),
        (digits("99"), "fail", "check_digits", "non-canonical-check-digits"),
        (f"ID{GOOD}EU", "fail", "format", "length"),
        ("LEI", "fail", "format", "length"),
        ("Art. 62 LEI", "fail", "format", "length"),
        ("So11111111111111111111111111111111111111112", "fail", "format", "length"),
        ("", "fail", "format", "length"),
        ("\x00" * 20, "fail", "format", "alphabet"),
        ("😀" * 20, "fail", "format", "alphabet"),
        ("9" * 100_000, "fail", "format", "length"),
    ],
)
def test_it_names_what_is_wrong(record, register_of, claimed, verdict, code, rule):
    [report] = verify([Claim(claimed)], register_of(record()), today=TODAY)
    found = {check.code: check for check in report.checks}[code]
    assert (found.verdict, found.evidence.get("rule", "")) == (verdict, rule)
    assert report.verdict == verdict
    assert len(found.message) < 400


@cases(
    "text",
    [
        "L’art. 62 LEI prévoit une admission provisoire (LEI, RS 142.20).",
        "mint EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        "mint 7LTWFZYICNSX8D621K8699999999999999999999999",
        f"order ID{GOOD}EU",
        f"sha256:{GOOD}{GOOD}",
        f"{GOOD.lower()}",
    ],
)
def test_running_text_has_no_lei_where_there_is_none(text):
    assert not [token for _, _, token in find_candidates(text) if is_valid(token)]


def test_many_confusions_of_one_kind_offer_the_right_one(record, register_of):
    [report] = verify([Claim(GOOD.replace("0", "O"))], register_of(record()), today=TODAY)
    assert [(s.lei, s.why) for s in report.suggestions] == [(GOOD, "with every “O” read as “0”")]


@cases("at", range(0, 18, 3))
def test_a_confusion_of_letters_and_digits_offers_the_right_one(record, register_of, at):
    pairs = {"0": "O", "1": "I", "S": "5", "N": "Q", "C": "G"}
    slip = GOOD[:at] + pairs.get(GOOD[at], "Q") + GOOD[at + 1 :]
    [report] = verify([Claim(slip)], register_of(record()), today=TODAY)
    assert report.verdict == "fail"
    assert [suggestion.lei for suggestion in report.suggestions] == [GOOD]
