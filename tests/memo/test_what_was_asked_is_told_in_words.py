"""The head of a memo says what was asked as a person would, objects too: no JSON stands in a memo."""

import pytest

from research.services.memos import compose_memo
from tests.factories import ResultFactory

pytestmark = pytest.mark.django_db

ASKED = {
    "question": "Was gilt?",
    "jurisdiction": {"federal": True, "cantons": ["BE", "ZH"]},
    "timeRange": {"from": "2015", "to": None},
}


@pytest.mark.parametrize(
    ("language", "jurisdiction", "time"),
    [
        ("en", "Jurisdiction (Cantons: BE, ZH, Federal: ✓)", "Time range (From: 2015)"),
        ("de", "Rechtsordnung (Kantone: BE, ZH, Bund: ✓)", "Zeitraum (Von: 2015)"),
    ],
)
def test_an_object_is_told_in_words(language, jurisdiction, time):
    memo = compose_memo(result=ResultFactory(run__params=ASKED), language=language)
    text = bytes(memo.body).decode()
    assert f"{jurisdiction}, {time}" in text
    assert '{"' not in text
