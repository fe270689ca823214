"""Which line of a register is meant: one for sure, several for a person, or none."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.registers.matching import DEFAULTS, Thresholds, Wanted, match
from entities.registers.records import Hit, names_of

LAMPS = Hit("companies_house", "00012345", names_of("LONDON LAMPS LIMITED"), "GB", "live", "active")
ENDED = replace(LAMPS, number="00000009", standing="ended", status="dissolved")
TWIN = replace(LAMPS, number="00000002")
OTHER = replace(LAMPS, number="00000003", names=names_of("BRIGHTON CANDLES LIMITED"))


def judged(*hits, name="London Lamps Ltd", thresholds=None, **known):
    return match(Wanted(name, **known), hits, thresholds or Thresholds())


def test_the_only_good_line_is_taken():
    done = judged(OTHER, LAMPS)
    assert (done.verdict, done.chosen.hit.number) == ("auto", "00012345")
    assert done.chosen.score >= Decimal("0.9")
    assert "100 of 100" in done.reason


def test_the_same_name_twice_is_for_a_person():
    done = judged(LAMPS, TWIN)
    assert (done.verdict, done.chosen) == ("ambiguous", None)
    assert {one.hit.number for one in done.candidates} == {"00012345", "00000002"}


def test_a_number_tells_twins_apart():
    done = judged(TWIN, LAMPS, number="00012345")
    assert (done.verdict, done.chosen.hit.number) == ("auto", "00012345")


def test_a_live_company_is_taken_before_its_ended_namesake_which_is_told():
    done = judged(ENDED, LAMPS)
    assert done.chosen.hit.number == "00012345"
    assert "passed over because ended: 00000009" in done.reason


@pytest.mark.parametrize(
    ("hit", "known", "why"),
    [
        (ENDED, {}, "has ended (dissolved)"),
        (LAMPS, {"jurisdiction": "CH"}, "in GB, not in CH"),
        (LAMPS, {"number": "00000001"}, "its number is 00012345, not 00000001"),
        (
            replace(LAMPS, names=names_of("GLOW PLC", previous=("LONDON LAMPS LIMITED",))),
            {},
            "previous legal name only",
        ),
    ],
)
def test_what_speaks_against_a_line_is_for_a_person(hit, known, why):
    done = judged(hit, **known)
    assert done.verdict == "ambiguous"
    assert why in done.reason


def test_a_subdivision_is_in_its_country():
    assert judged(replace(LAMPS, jurisdiction="GB-SCT"), jurisdiction="GB").verdict == "auto"


def test_another_name_is_no_match():
    done = judged(OTHER)
    assert (done.verdict, done.chosen) == ("reject", None)
    assert "0.70 is needed" in done.reason


def test_nothing_found_is_told():
    assert judged().reason == "the register found nothing"


def test_what_is_far_off_is_not_even_shown():
    assert judged(OTHER, thresholds=Thresholds(reject=Decimal("0.99"))).candidates == ()


def test_a_register_may_always_need_a_person():
    assert judged(LAMPS, thresholds=Thresholds(always_human=True)).verdict == "ambiguous"


def test_thresholds_decide():
    near = replace(LAMPS, names=names_of("LONDON LAMP LIMITED"))
    score = judged(near).candidates[0].score
    assert judged(near, thresholds=Thresholds(auto=score)).verdict == "auto"
    assert judged(near, thresholds=Thresholds(auto=score + Decimal("0.001"))).verdict == "ambiguous"
    too_high = Thresholds(auto=Decimal(1), ambiguous=score + Decimal("0.001"))
    assert judged(near, thresholds=too_high).verdict == "reject"


def test_a_line_that_is_listed_twice_counts_once():
    assert judged(LAMPS, LAMPS).verdict == "auto"


def test_the_defaults_are_those_of_the_registers():
    assert (DEFAULTS["companies_house"].auto, DEFAULTS["gleif"].auto, DEFAULTS[""].auto) == (
        Decimal("0.88"),
        Decimal("0.92"),
        Decimal("0.90"),
    )


hits = st.builds(
    Hit,
    st.just("x"),
    st.sampled_from(["1", "2", "3"]),
    st.sampled_from(["LONDON LAMPS LIMITED", "LONDON LAMPS", "LONDON LAMPS AG", "CANDLES PLC"]).map(names_of),
    st.sampled_from(["", "GB", "CH"]),
    st.sampled_from(["live", "ended", "unknown"]),
)


@given(st.lists(hits, max_size=6), st.sampled_from(["", "GB"]), st.sampled_from(["", "1"]))
def test_what_is_taken_by_rule_is_never_in_doubt(found, jurisdiction, number):
    done = judged(*found, jurisdiction=jurisdiction, number=number)
    assert (done.chosen is not None) == (done.verdict == "auto")
    if done.chosen:
        assert done.chosen.sure
        assert done.chosen.hit.standing != "ended"
        equals = [
            one
            for one in done.candidates
            if one.hit.number != done.chosen.hit.number
            and one.hit.standing != "ended"
            and one.score >= done.chosen.score
        ]
        assert not equals or done.chosen.same_number


@given(st.permutations([LAMPS, TWIN, ENDED, OTHER]))
def test_the_order_of_lines_changes_nothing(found):
    done = judged(*found)
    assert [one.hit.number for one in done.candidates] == [
        one.hit.number for one in judged(LAMPS, TWIN, ENDED, OTHER).candidates
    ]
