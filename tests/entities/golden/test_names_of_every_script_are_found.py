"""Names in thirty scripts go into the register through a file, and are found by themselves and in Latin letters."""

import pytest
from anyascii import anyascii

from entities.gleif.finding import find_by_name
from entities.gleif.register import open_register
from tests.entities.test_names_of_many_scripts import SCRIPTS
from tests.register_files import attributes_of, lei_of

pytestmark = pytest.mark.django_db
NAMES = [name for names in SCRIPTS.values() for name in names]


@pytest.mark.parametrize("form", ["csv", "json", "xml"])
def test_each_is_found_by_itself_and_by_how_it_sounds(load, form):
    assert len(SCRIPTS) >= 30
    load([attributes_of(number, name) for number, name in enumerate(NAMES)], form=form)
    register = open_register("gleif")
    for number, name in enumerate(NAMES):
        assert find_by_name(name, register=register, limit=3).outcome.leis == (lei_of(number),)
    sounding = [find_by_name(anyascii(name), register=register, limit=3).matches for name in NAMES]
    found = [bool(matches) and matches[0].record.lei == lei_of(at) for at, matches in enumerate(sounding)]
    assert sum(found) >= 0.9 * len(NAMES)
