"""The review page of a refreshed result: the old values beside the new, the rest out of the way."""

import pytest
from django.urls import reverse

from research.services.reviews import reject_result
from research.services.watches import settle
from tests.factories import CheckFactory, ResultFactory

pytestmark = pytest.mark.django_db
CHECKED = 'id="show-changed" value="changed" class="visually-hidden" checked'


@pytest.fixture
def page(client, person):
    client.force_login(person)

    def page(result):
        answer = client.get(reverse("admin:research_researchresult_review", args=[result.pk]))
        assert answer.status_code == 200
        return answer.content.decode()

    return page


def test_it_shows_the_old_value_beside_the_new(watch, look_again, later, page):
    result = look_again({**watch.decision.data, "confidence": "low"})
    settle(watch, now=later)
    html = page(result)
    assert "1 difference to" in html
    assert CHECKED in html
    assert (
        '<span class="mark mark-since">changed</span> approved was <del class="is-value">high</del>' in html
    )
    assert html.count("is-changed") == 1


def test_it_marks_what_is_new_and_names_what_is_gone(watch, look_again, later, page):
    data = {**watch.decision.data, "funds": [{"name": "Alpha", "size": 3}]}
    del data["jurisdiction"]
    result = look_again(data)
    settle(watch, now=later)
    html = page(result)
    assert '<span class="mark mark-since">new</span>' in html
    assert '<span class="change-word">removed</span> Jurisdiction' in html
    assert "2 differences to" in html


def test_it_shows_everything_when_only_a_check_is_worse(watch, look_again, later, page):
    result = look_again(watch.decision.data)
    CheckFactory(result=result, verdict="warn", subject="X")
    settle(watch, now=later)
    html = page(result)
    assert "The same as" in html
    assert CHECKED not in html


def test_it_escapes_what_was_approved(watch, look_again, later, page):
    watch.decision.data["name"] = "<script>alert(1)</script>"
    html = page(look_again({**watch.decision.data, "name": "<b>new</b>"}))
    assert "<script>alert" not in html
    assert "<b>new" not in html


def test_it_compares_nothing_on_a_first_answer(page, db):
    html = page(ResultFactory())
    assert 'id="since"' not in html
    assert "show-changed" not in html


def test_it_still_shows_the_differences_after_the_decision(watch, look_again, later, page, person):
    result = look_again({**watch.decision.data, "confidence": "low"})
    settle(watch, now=later)
    reject_result(result=result, reviewer=person, digest=result.digest, reason="No.")
    assert "1 difference to" in page(result)
