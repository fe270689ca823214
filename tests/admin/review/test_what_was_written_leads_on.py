"""After the verbs have run, the page leads to what they wrote."""

import re
from html import unescape

import pytest
from django.urls import reverse

from entities.models import Entity
from research.services.execution import execute_verbs
from research.services.reviews import approve_result
from research.services.rollback import roll_back_verbs

pytestmark = pytest.mark.django_db


@pytest.fixture
def review(client, make_result, reviewer):
    """``review(result)`` is the text of its page, as the reviewer sees it."""
    reviewer.is_staff = True
    reviewer.save()
    client.force_login(reviewer)
    return lambda result: client.get(
        reverse("admin:research_researchresult_review", args=[result.pk])
    ).content.decode()


def test_it_links_every_entity_once_it_is_written(review, make_result, reviewer):
    result = make_result()
    assert "Written to memory" not in review(result)
    decision = approve_result(result=result, reviewer=reviewer, digest=result.digest, reason="because")
    assert "Written to memory" not in review(result)

    execute_verbs(decision=decision, actor=reviewer)
    shown = review(result)
    assert Entity.objects.exists()
    for entity in Entity.objects.all():
        link = reverse("admin:entities_entity_change", args=[entity.pk])
        assert shown.count(f'<li><a href="{link}">{entity.name}</a></li>') == 1
    assert shown.index("Written to memory") < shown.index('class="toolbar"')


def test_what_changed_is_told_in_words(review, make_result, reviewer):
    result = make_result()
    decision = approve_result(result=result, reviewer=reviewer, digest=result.digest, reason="because")
    execute_verbs(decision=decision, actor=reviewer)
    shown = unescape(review(result))
    assert re.search(r"<strong>created</strong> <ins>[^<]*\bName: Allianz", shown)
    assert not re.search(r"[{\[]'\w+'[:,\]]|>None<|: None\b|>True<|>False<", shown)


def test_what_was_taken_back_is_not_offered(review, make_result, reviewer):
    result = make_result()
    decision = approve_result(result=result, reviewer=reviewer, digest=result.digest, reason="because")
    execute_verbs(decision=decision, actor=reviewer)
    roll_back_verbs(result=result, actor=reviewer, reason="the wrong company")
    assert "Written to memory" not in review(result)


def test_who_may_not_look_at_entities_gets_no_links(review, make_result, reviewer):
    result = make_result()
    decision = approve_result(result=result, reviewer=reviewer, digest=result.digest, reason="because")
    execute_verbs(decision=decision, actor=reviewer)
    reviewer.user_permissions.remove(*reviewer.user_permissions.filter(codename="view_entity"))
    assert "Written to memory" not in review(result)
