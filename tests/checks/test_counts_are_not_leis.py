import pytest

from research.checks.leis import find_claims


@pytest.mark.parametrize("key", ["entities_with_lei", "without_leis", "funds-lei"])
def test_it_does_not_take_a_count_for_an_lei(key):
    assert list(find_claims({key: 20})) == []


def test_it_takes_text_in_such_a_field_for_an_lei():
    assert [found.claim.lei for found in find_claims({"owner_lei": "20"})] == ["20"]
