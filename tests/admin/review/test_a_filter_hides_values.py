"""What a filter, a fold or a cut never let a person see does not count as shown, with a script and without one."""

import pytest

from research.admin.gate.fields import FILTERS
from research.models import Decision
from tests.admin.review.conftest import ALLIANZ, RETIRED
from tests.cases import cases

pytestmark = pytest.mark.django_db
FUNDS = [{"name": f"Fund {number}"} for number in range(4)]
BEFORE = {"head": {"name": "Allianz SE", "lei": ALLIANZ}, "funds": FUNDS, "note": "old"}


@pytest.fixture
def refreshed(make_result, reviewer, browse):
    """``refreshed(**changed)``: the review page of an answer that was approved before, with those members changed."""

    def refreshed(before=BEFORE, **changed):
        old = make_result(before)
        page = browse(old, reviewer)
        page.press("confirm")
        page.press("approve", reason="as it is")
        baseline = Decision.objects.get(result=old)
        return browse(make_result({**before, **changed}, baseline=baseline), reviewer)

    return refreshed


def kept():
    return Decision.objects.latest("pk").displayed


def test_a_refresh_shows_what_changed_and_counts_only_that(refreshed):
    page = refreshed(note="new")
    assert page.fields["filter"] == "changed"
    page.press("confirm")
    assert "You have opened 1 of 7 values" in page.text
    page.press("approve")
    assert kept() == {"places": ["/note"], "values": 1, "of": 7}


def test_what_is_unsound_behind_the_filter_is_shown_or_named(refreshed):
    page = refreshed({**BEFORE, "funds": [{"name": "A retired fund", "lei": RETIRED}]}, note="new")
    page.press("confirm")
    assert "name it in the reason: <strong>Funds (" in page.text
    page.press("approve", reason="fine with me")
    assert page.page.status_code == 422
    assert "Not opened and not sound: Funds (" in page.text
    page.press("approve", reason="fine with me", filter="all")
    assert kept()["places"] == [""]


@cases(
    ("post", "places"),
    [
        ({}, ["/note"]),
        ({"filter": "all"}, [""]),
        ({"filter": "failed"}, ["/note"]),  # the page was opened with what changed
        ({"filter": "edited", "saw": ""}, []),
        ({"filter": "nonsense", "saw": "nonsense"}, ["/note"]),
        ({"saw": "all"}, [""]),
        ({"saw": "raw"}, [""]),
        ({"plain": "", "saw": "changed", "filter": "edited"}, ["/note"]),
    ],
)
def test_what_the_page_was_under_is_what_was_shown(refreshed, post, places):
    page = refreshed(note="new")
    page.press("preview", **post)
    assert page.view.shown == places


def test_an_item_that_is_unfolded_under_a_filter_shows_what_the_filter_shows(make_result, browse, reviewer):
    data = {"head": {"name": "Allianz SE"}, "funds": [{"name": f"Fund {n}"} for n in range(20)]}
    page = browse(make_result(data), reviewer)
    page.press("preview", plain="", **{"unfolded:/funds/3": "failed"})
    assert "/funds/3" not in page.view.shown
    page.press("preview", plain="", **{"unfolded:/funds/3": "failed all"})
    assert "/funds/3" in page.view.shown


def test_a_part_that_came_under_a_filter_shows_what_the_filter_shows(make_result, browse, reviewer):
    funds = [{"name": "A retired fund", "lei": RETIRED} if n == 699 else {"name": f"{n}"} for n in range(700)]
    page = browse(make_result({"head": {"name": "Allianz SE"}, "funds": funds}), reviewer)
    _, piece = page.view.unopened[-1]
    page.press("preview", plain="", saw="all failed", **{f"part:{piece.key}": "failed"})
    assert [place for place in page.view.shown if place.startswith("/funds/6")] == ["/funds/699/lei"]


def test_the_filter_stays_as_it_was_and_what_was_seen_before_is_remembered(refreshed):
    page = refreshed(note="new")
    page.press("preview", filter="all")
    assert page.fields["filter"] == "all"
    page.press("preview", filter="failed")
    assert page.fields["filter"] == "failed"
    assert set(page.fields["saw"].split()) == {"changed", "all", "failed"}
    assert page.view.shown == [""]


def test_the_raw_json_is_remembered_when_the_fields_are_shown_again(refreshed):
    page = refreshed(note="new")
    page.press("to-raw")
    page.press("to-fields")
    assert page.view.shown == [""]


def test_a_value_that_is_cut_off_was_not_shown(make_result, browse, reviewer):
    deep = "x" * 3_000
    for _ in range(14):
        deep = {"a": deep}
    page = browse(make_result({"head": {"name": "Allianz SE"}, "deep": deep}), reviewer)
    assert page.view.shown == ["/head"]
    page.press("confirm")
    assert "You have opened 1 of 2 values" in page.text


def test_a_list_that_is_cut_off_was_shown_as_far_as_it_goes(make_result, browse, reviewer, monkeypatch):
    result = make_result(BEFORE)
    monkeypatch.setattr("research.review.rows.MAX_ROWS", 12)
    page = browse(result, reviewer)
    assert page.view.shown == ["/head", "/funds/0", "/funds/1/name"]


def test_every_filter_of_the_page_is_known(page):
    offered = {name for name in FILTERS if f'name="filter" id="show-{name}" value="{name}"' in page.text}
    assert offered == set(FILTERS) - {"changed"}
