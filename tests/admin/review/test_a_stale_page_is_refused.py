import pytest

from research.models import Decision
from research.services.reviews import approve_result, reject_result
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague():
    return UserFactory(username="carl", rights=ALL_RIGHTS)


@pytest.mark.parametrize("action", ["preview", "confirm", "approve", "reject", "rerun", "to-raw"])
def test_it_answers_409_when_somebody_else_was_first(page, result, colleague, action):
    reject_result(result=result, reviewer=colleague, digest=result.digest, reason="not this company")

    page.press(action, {"/head/name": "My edit"}, reason="x", reject_reason="x", feedback="x")

    assert page.page.status_code == 409
    assert Decision.objects.count() == 1


def test_it_says_what_changed_and_keeps_the_edits_visible(page, result, colleague):
    edits = [{"op": "replace", "path": "/head/name", "value": "Their name"}]
    approve_result(
        result=result,
        reviewer=colleague,
        digest=result.digest,
        edits=edits,
        reason="better",
        shown=[""],
    )

    page.press("approve", {"/head/name": "My name"})

    for text in ("carl", "better", "Their name", "My name", "Nothing was stored"):
        assert text in page.text
    assert '"value": "My name"' in page.fields[None]


@pytest.mark.parametrize("digest", ["", "0" * 64])
def test_it_refuses_a_page_that_was_made_for_other_data(page, digest):
    page.press("reject", {"/head/name": "My name"}, digest=digest, reject_reason="x")

    assert page.page.status_code == 409
    assert not Decision.objects.exists()


def test_it_shows_the_fields_that_the_page_showed_otherwise(page):
    page.press("preview", digest="0" * 64, **{"shown:/head/name": "Old name", "leaf:/head/name": "Old name"})

    assert [(row.pointer, text) for row, text in page.page.context["moved"]] == [("/head/name", "Old name")]
    assert ">Old name</del>" in page.text


def test_it_opens_the_current_page_with_the_edits(page, result):
    page.press("preview", {"/head/name": "My name"}, digest="0" * 64)
    assert page.fields["digest"] == result.digest

    page.post({**page.fields, "action": "preview"})

    assert page.page.status_code == 200
    assert page.fields["leaf:/head/name"] == "My name"
    assert page.view.edits == [{"op": "replace", "path": "/head/name", "value": "My name"}]


def test_it_does_not_decide_twice_when_the_button_is_pressed_twice(page, result):
    page.press("confirm")
    fields = page.fields

    first = page.post({**fields, "action": "approve"})
    second = page.post({**fields, "action": "approve"})

    assert (first.status_code, second.status_code) == (302, 409)
    assert Decision.objects.filter(result=result).count() == 1
