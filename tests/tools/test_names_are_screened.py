"""The tool that screens: possible matches with their scores, the lists that were looked at, never a clearance."""

from dataclasses import replace

import pytest
from django.utils import timezone

from entities.models import ScreeningHit
from entities.screening import lists
from tests.entities.screening import samples
from tests.entities.screening.imported import import_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def imported(monkeypatch, tmp_path):
    for name, kind in lists.KINDS.items():
        monkeypatch.setitem(lists.KINDS, name, replace(kind, bytes=10, entries=1))
    return import_text(tmp_path, timezone.now(), "un", samples.un())


def test_without_a_list_the_outcome_is_unknown(call):
    answer = call("screen_entity", name="Abdulkarim Haddadi")
    assert answer["success"]
    assert (answer["data"]["outcome"], answer["data"]["hits"]) == ("unknown", [])
    assert "sources" not in answer


@pytest.mark.usefixtures("imported")
def test_a_hit_is_evidence_and_writes_nothing(call):
    answer = call("screen_entity", name="Abdulkarim Haddadi", kind="person", birth="1961", country="Syria")
    [hit] = answer["data"]["hits"]
    assert (answer["data"]["outcome"], hit["list"], hit["key"]) == ("hits", "un", "TEi.001")
    assert [one["field"] for one in hit["fields"]] == ["name", "birth", "country"]
    [source] = answer["sources"]
    assert source["as_of"] == "2026-09-28"
    assert not ScreeningHit.objects.exists()


def test_a_date_that_is_none_is_refused_in_words(call):
    answer = call("screen_entity", name="Somebody", birth="long ago")
    assert answer["error"]["code"] == "bad_request"
    assert "write 1972, 1972-03 or 1972-03-08" in answer["error"]["message"]
