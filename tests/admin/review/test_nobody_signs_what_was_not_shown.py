import pytest

from research.audit.witness import DECISION, fingerprints
from research.errors import InvalidEdit, ReasonRequired
from research.models import Decision
from research.review.displayed import as_displayed, read_places, unseen_parts
from research.services import reviews
from research.services.reviews import approve_result
from tests.admin.review.conftest import ALLIANZ, RETIRED
from tests.cases import cases

pytestmark = pytest.mark.django_db
GOOD, BAD = {"name": "A fund without an LEI"}, {"name": "A retired fund", "lei": RETIRED}


@pytest.fixture
def make_group(make_result):
    """``make_group(count, bad=places)``: that many funds, at some places one whose LEI is retired."""

    def make(count, bad=()):
        funds = [BAD if number in bad else GOOD for number in range(count)]
        return make_result({"head": {"name": "Allianz SE", "lei": ALLIANZ}, "funds": funds, "note": "n"})

    return make


@pytest.fixture
def approve(reviewer):
    def approve(result, **options):
        return approve_result(result=result, reviewer=reviewer, digest=result.digest, **options)

    return approve


def opened(page):
    return {name for name in page.fields if name and name.startswith("part:")}


def test_a_short_document_is_shown_as_a_whole(page):
    page.press("confirm")
    assert "exactly as it was found, 11 values" in page.text
    page.press("approve")

    assert Decision.objects.get().displayed == {"places": [""], "values": 11, "of": 11}


def test_a_folded_item_is_not_opened_until_it_is_unfolded(browse, make_group, reviewer):
    page = browse(make_group(20), reviewer)
    folded = {f"/funds/{number}" for number in range(20)}
    assert folded.isdisjoint(page.view.shown)
    page.press("confirm", **{"unfolded:/funds/7": "1"})
    assert folded & set(page.view.shown) == {"/funds/7"}
    assert "You have opened " in page.text
    page.press("approve")

    kept = Decision.objects.get().displayed
    assert folded & set(kept["places"]) == {"/funds/7"}
    assert kept["values"] < kept["of"]


def test_all_items_of_a_section_are_unfolded_without_a_script_too(browse, make_group, reviewer):
    page = browse(make_group(20), reviewer)
    assert ("show", "unfolded:/funds") in page.buttons
    page.press("preview", show="unfolded:/funds")
    page.press("confirm")
    assert ("show", "unfolded:/funds") not in page.buttons
    page.press("approve")
    assert Decision.objects.get().displayed["places"] == [""]


def test_an_item_with_a_failed_check_stands_open(browse, make_group, reviewer):
    page = browse(make_group(20, bad=[7]), reviewer)
    assert "/funds/7" in page.view.shown
    assert "/funds/8" not in page.view.shown


def test_a_long_list_comes_in_parts_and_every_value_can_be_opened(browse, make_group, reviewer):
    page = browse(make_group(300), reviewer)
    closed = [piece for _, piece in page.view.unopened]
    assert closed
    assert len(page.text) < 400_000
    pointers = {f"/funds/{number}/name" for number in range(300)}
    for piece in closed:
        assert f'data-show="{piece.key}"' in page.text
        page.press("preview", show=piece.key)

    assert page.view.unopened == []
    assert {row.pointer for row in page.view.submission.rows} >= pointers
    assert {name for name in page.fields if name} >= {f"leaf:{pointer}" for pointer in pointers}
    assert page.view.edits == []


def test_a_closed_part_says_what_failed_in_it(browse, make_group, reviewer):
    page = browse(make_group(700, bad=(3, 600, 601)), reviewer)
    counts = [dict(piece.counts) for _, piece in page.view.unopened]

    assert [count["fail"] for count in counts if "fail" in count] == ["8 failed"]
    assert "600. A fund without an LEI" in page.text


def test_a_part_comes_alone_and_by_any_field_in_it(browse, make_group, reviewer):
    page = browse(make_group(700), reviewer)
    fields = page.fields
    _, piece = page.view.unopened[-1]
    for asked in (piece.key, piece.fields[-1].id):
        page.post({**fields, "action": "show", "show": asked, "asked": "5"})
        assert len(page.text) < 400_000
        assert 'data-answers="5"' in page.text
        assert opened(page) == {f"part:{piece.key}"}
        assert "leaf:/funds/699/name" in page.fields
    assert page.post({**fields, "action": "show", "show": "/nowhere"}).status_code == 404


def test_the_page_says_how_much_was_opened_and_the_decision_keeps_it(browse, make_group, reviewer):
    page = browse(make_group(700), reviewer)
    page.press("confirm", **{"unfolded:/funds/0": "1"})
    assert "You have opened " in page.text
    assert "exactly as it was found, " not in page.text
    page.press("approve")

    kept = Decision.objects.get().displayed
    assert 0 < kept["values"] < kept["of"] == 703
    assert "/funds/0" in kept["places"]
    assert "/funds/699" not in kept["places"]
    assert f"who had opened {kept['values']} of 703 values" in page.open().content.decode()
    assert not page.view.submission.errors


def test_an_approved_document_can_be_read_to_its_end(browse, make_group, reviewer, approve):
    result = make_group(700)
    approve(result)
    page = browse(result, reviewer)
    assert "?part=all" in page.text
    assert ">700. A fund" not in page.text

    assert ">700. A fund" in page.client.get(f"{page.url}?part=all").content.decode()


def test_what_failed_unseen_is_opened_or_named(browse, make_group, reviewer):
    page = browse(make_group(700, bad=[699]), reviewer)
    page.press("confirm")
    assert "Open what failed or is unknown, or name it in the reason: <strong>Funds (" in page.text
    page.press("approve", reason="fine with me")
    assert page.page.status_code == 422
    assert "Not opened and not sound: Funds (" in page.text

    page.press("approve", reason="The funds are out of scope.")
    assert Decision.objects.get().reason == "The funds are out of scope."


def test_what_was_opened_needs_not_be_named(browse, make_group, reviewer):
    page = browse(make_group(700, bad=[699]), reviewer)
    page.press("preview", show=page.view.unopened[-1][1].key)
    page.press("confirm")
    page.press("approve", reason="fine with me")

    assert "/funds/699" in Decision.objects.get().displayed["places"]


def test_the_raw_json_shows_all_of_it(browse, make_group, reviewer):
    page = browse(make_group(700), reviewer)
    page.press("to-raw")
    page.press("confirm")
    page.press("approve")

    assert Decision.objects.get().displayed["places"] == [""]


def test_places_follow_the_edits(browse, make_group, reviewer):
    page = browse(make_group(700), reviewer)
    page.press("preview", show="unfolded:/funds")
    page.press("preview")
    shown = len(page.view.shown)
    page.press("confirm", **{"remove:/funds/0": "on"})
    assert len(page.view.shown) == shown - 1
    page.press("approve", **{"remove:/funds/0": "on"})

    kept = Decision.objects.get()
    assert len(kept.data["funds"]) == 699
    assert kept.displayed["places"].count("/funds/0") == 1


@pytest.mark.parametrize("verdict", ["fail", "unknown"])
def test_without_a_word_about_what_was_shown_nothing_was(make_result, approve, monkeypatch, verdict):
    result = make_result()
    found = reviews.Verdict("lei", "status", "/funds/0/lei", "x", verdict, "m")
    monkeypatch.setattr(reviews, "check_data", lambda *_, **__: [found])
    for options in ({}, {"shown": []}, {"shown": ["/head"]}, {"shown": ["/funds/1"]}):
        with pytest.raises(ReasonRequired, match="Funds") as refusal:
            approve(result, reason="as it is" if verdict == "fail" else "", **options)
    assert refusal.value.detail["unseen"] == [{"place": "/funds", verdict: 1}]
    kept = approve(result, shown=["/funds/0/lei", "/funds/0"], reason="as it is")
    assert kept.displayed == {"places": ["/funds/0"], "values": 2, "of": 11}


def test_what_was_displayed_is_part_of_what_the_trail_vouches_for(make_result, approve):
    assert "displayed" in DECISION
    kept = approve(make_result(), shown=[""])
    assert f"decision:{kept.pk}" in fingerprints([kept])


def test_places_that_are_none_are_refused(make_result, approve):
    for place in ("/fundz", "funds", "/funds/99", "/funds/-", "/~2"):
        with pytest.raises(InvalidEdit):
            approve(make_result(), shown=["/head", place])
    assert not Decision.objects.exists()


@cases(
    ("reason", "named"),
    [
        ("see /funds/3", True),
        ("Funds were looked at elsewhere", True),
        ("FUNDS.", True),
        ("the fundsmanager", False),
        ("fine", False),
        ("", False),
    ],
)
def test_a_reason_names_a_part_by_its_label_or_a_pointer(reason, named):
    (part,) = unseen_parts([("/funds/3/lei", "fail"), ("", "fail"), ("/head", "pass")], ["/head"], {})
    assert part.is_named(reason) is named


def test_values_are_counted_once():
    data = {"a": [1, {"b": 2, "c": []}], "d": {}}
    places, faults = read_places(["/a/1", "/a", "/a/0", "/d"], data)

    assert (places, faults) == (["/a", "/d"], {})
    assert as_displayed(places, data) == {"places": ["/a", "/d"], "values": 4, "of": 4}


def test_many_places_are_read_quickly():
    data = {"a": list(range(12_000))}
    places, faults = read_places([f"/a/{number}" for number in range(12_000)], data)
    assert list(faults) == [""]
    assert len(places) == 12_000
