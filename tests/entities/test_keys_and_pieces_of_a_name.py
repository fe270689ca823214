"""Under which keys a name may stand, and which pieces of it survive slips."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.company_names import generate, misspell
from entities.names.keys import search_key
from entities.names.pieces import LEAST, MAX_SPELLINGS, pieces, spellings, windows, without_forms
from tests.cases import cases


@cases(
    ("key", "core"),
    [
        ("allianz se", "allianz"),
        ("nestle s a", "nestle"),
        ("muller gmbh co kg", "muller"),
        ("ab volvo", "volvo"),
        ("g invest spolka z ograniczona odpowiedzialnoscia", "g invest"),
        ("muster ag in liquidation", "muster"),
        ("muster gmbh i l", "muster"),
        ("muster i l", "muster i l"),
        ("muster ltd in administration", "muster"),
        ("institute of excellence in administration", "institute of excellence in administration"),
        ("in liquidation", "in liquidation"),
        (search_key("Общество с ограниченной ответственностью «Ромашка»"), "romashka"),
        ("s a", "s a"),
        ("", ""),
    ],
)
def test_legal_forms_are_left_out(key, core):
    assert without_forms(key) == core


@pytest.mark.parametrize(
    "key", ["muster limted", "muster gesellschaft mit beschrankter hafung", "muster spoka akcyjna"]
)
def test_a_misspelled_legal_form_is_left_out_of_a_search(key):
    assert without_forms(key) == key
    assert without_forms(key, forgiving=True) == "muster"


@cases(
    ("name", "key"),
    [
        ("Allianz SE", "allianz se"),
        ("Allianz SE", "allianz"),
        ("Nestlé S.A.", "nestle sa"),
        ("Nestle SA", "nestle s a"),
        ("Rossi S.a.g.l.", "rossi sagl"),
        ("Jürg Müller", "juerg mueller"),
        ("Juerg Aeschlimann", "jurg aeschlimann"),
        ("Muster Aktiengesellschaft", "muster ag"),
        ("Muenchener Rueck AG", "munchener ruck ag"),
        ("Müller GmbH & Co. KG", "muller gmbh co k g"),
    ],
)
def test_a_name_may_stand_under_other_spellings(name, key):
    assert key in spellings(name)


def test_a_name_without_a_form_may_stand_with_any_if_asked_so():
    assert "allianz se" not in spellings("Allianz")
    assert "allianz se" in spellings("Allianz", any_form=True)


@given(st.text(max_size=400))
def test_spellings_are_few_and_begin_with_the_own_key(name):
    found = spellings(name, any_form=True)
    assert len(found) == len(set(found)) <= MAX_SPELLINGS
    assert found[:1] == [search_key(name)] * bool(search_key(name))


@given(st.text(max_size=200))
def test_pieces_are_long_enough_to_be_looked_for(name):
    key = search_key(name)
    assert all(len(piece) >= LEAST and piece in key for piece in (*pieces(key), *windows(key)))


def test_two_slips_leave_one_piece_whole():
    """The pigeonhole principle, on names as registers have them; a slip may fall into the legal form."""
    draw = random.Random(11)
    names = [name for name, _ in generate(400) if len(without_forms(search_key(name))) >= 15]
    whole = [any(p in search_key(name) for p in pieces(search_key(misspell(name, draw)))) for name in names]
    assert len(whole) > 200
    assert sum(whole) >= 0.98 * len(whole)
