"""A text in Markdown is shown as a person would read it; the text itself stays at hand, to be edited."""

import pytest

from research.admin.gate.changes import field_id
from research.services.reviews import approve_result
from tests.admin.review.conftest import ALLIANZ

pytestmark = pytest.mark.django_db
REPORT = """\
# What was found

The head is **listed** <script>alert(1)</script>.

- one
- two

| a | b |
|---|---|
| 1 | 2 |
"""


@pytest.fixture
def result(make_result):
    return make_result({"head": {"name": "Allianz SE", "lei": ALLIANZ}, "note": REPORT})


def test_it_shows_headings_lists_and_tables(browse, result, reviewer):
    text = browse(result, reviewer).text

    for shown in (
        "<h3><bdi>What was found</bdi></h3>",
        "<strong><bdi>listed</bdi></strong>",
        "<td><bdi>1</bdi></td>",
    ):
        assert shown in text
    assert f'id="{field_id("/note")}-r"' in text


def test_it_acts_on_nothing_that_stands_in_it(browse, result, reviewer):
    assert "<script>alert(1)" not in browse(result, reviewer).text


def test_it_keeps_the_text_to_be_edited(browse, result, reviewer):
    page = browse(result, reviewer)
    assert page.fields["leaf:/note"].replace("\r\n", "\n").strip() == REPORT.strip()


def test_it_opens_the_text_once_it_is_edited(browse, result, reviewer):
    page = browse(result, reviewer)
    assert '<details class="prose-text">' in page.text
    page.press("preview", {"/note": REPORT + "\nMore."})
    assert '<details class="prose-text" open>' in page.text


def test_it_leaves_other_long_texts_alone(browse, make_result, reviewer):
    page = browse(make_result({"head": {"name": "Allianz SE"}, "note": "Long. " * 60 + "\n#hash"}), reviewer)
    assert "prose-text" not in page.text


def test_it_is_read_the_same_after_the_decision(browse, result, reviewer):
    approve_result(result=result, reviewer=reviewer, digest=result.digest)
    text = browse(result, reviewer).text
    assert "<h3><bdi>What was found</bdi></h3>" in text
    assert "prose-text" not in text


def test_an_edit_far_down_in_it_is_seen_before_it_is_signed(browse, make_result, reviewer):
    filling = "Nothing here was changed. " * 400
    result = make_result({"head": {"name": "Allianz SE"}, "note": f"# Report\n\n{filling}\nIt is listed.\n"})
    page = browse(result, reviewer)
    page.press("confirm", {"/note": f"# Report\n\n{filling}\nIt was listed.\n"})
    assert "<del>is</del><ins>was</ins>" in page.text
