"""A file that goes live takes its names into the index of pieces, whole files and deltas alike."""

from datetime import timedelta

import pytest

from entities.gleif.name_search import find_leis, name_search_state
from tests.register_files import MORNING, attributes_of, lei_of

pytestmark = pytest.mark.django_db
LATER = MORNING + timedelta(hours=8)


def test_names_of_a_full_file_are_found_with_slips(load):
    load([attributes_of(1, "Ostwind Anlagenbau GmbH"), attributes_of(2, "Südlicht Reederei AG")])
    assert find_leis("Ostwnd Anlagenbau", 3) == [lei_of(1)]
    assert name_search_state() == ""


def test_a_second_full_file_is_searched_and_the_first_is_forgotten(load):
    load([attributes_of(1, "Ostwind Anlagenbau GmbH"), attributes_of(2, "Südlicht Reederei AG")])
    load([attributes_of(1, "Nordstern Brauerei AG"), attributes_of(2, "Südlicht Reederei AG")], date=LATER)
    assert find_leis("Nordstrn Brauerei", 3) == [lei_of(1)]
    assert find_leis("Ostwnd Anlagenbau", 3) == []
    assert name_search_state() == ""


def test_names_of_a_delta_are_found_and_those_it_replaces_are_not(load):
    load([attributes_of(1, "Ostwind Anlagenbau GmbH"), attributes_of(2, "Südlicht Reederei AG")])
    load([attributes_of(1, "Nordstern Brauerei AG")], scope="IntraDay", date=LATER)
    assert find_leis("Nordstrn Brauerei", 3) == [lei_of(1)]
    assert find_leis("Ostwnd Anlagenbau", 3) == []
    assert find_leis("Sudlicht Rederei", 3) == [lei_of(2)]
