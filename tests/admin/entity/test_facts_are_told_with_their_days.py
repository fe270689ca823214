"""The page tells what held on a day, as it was known on another, who signed for it, and why it is believed."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from entities import memory
from entities.memory import ChangeLog, Origin
from entities.models import Statement
from research.services.execution import execute_verbs
from tests.factories import ALL_RIGHTS, EntityFactory, UserFactory
from tests.services.rolling_back.conftest import approve

pytestmark = pytest.mark.django_db
MARCH, MAY = (datetime(2026, month, 1, 12, tzinfo=UTC) for month in (3, 5))


@pytest.fixture
def owned():
    """70 % by one report, then 40 % by the next."""
    child, parent = (
        EntityFactory(slug="child", name="Child Ltd"),
        EntityFactory(slug="parent", name="Parent plc"),
    )
    for share, at, day in ((70, MARCH, date(2025, 12, 31)), (40, MAY, date(2026, 4, 30))):
        origin = Origin(kind="document", source=f"Report of {day.year}", signed_by="ada", decision=7)
        log = ChangeLog(origin=origin, at=at)
        memory.link(subject=child, object=parent, type="owned-by", percentage=share, as_of=day, log=log)
    return child


def page(client, entity, **query):
    answer = client.get(reverse("admin:entities_entity_change", args=[entity.pk]), query)
    assert answer.status_code == 200
    return answer.context["facts"], answer.content.decode()


def said(facts):
    return [(line.about, line.value, [one["when"] for one in line.said]) for line in facts["lines"]]


def test_what_held_on_a_day_is_told(client, petra, owned):
    facts, html = page(client, owned)
    assert said(facts) == [("owned by", "Parent plc, 40 %", ["since 30 Apr 2026 or earlier"])]
    facts, html = page(client, owned, as_of="2026-01-01")
    assert said(facts) == [("owned by", "Parent plc, 70 %", ["until 30 Apr 2026 or earlier"])]
    facts, html = page(client, owned, as_of="2026-06-01", known_at="2026-03-01")
    assert said(facts) == [("owned by", "Parent plc, 70 %", ["since when is not known"])]
    assert "Facts on 1 Jun 2026, as known on 1 Mar 2026" in html
    facts, html = page(client, owned, known_at="2026-02-28")
    assert "Nothing was known of it for that day." in html


def test_all_that_was_ever_said_is_there_with_its_source(client, petra, owned):
    facts, html = page(client, owned)
    told = [(one["value"], one["source"], one["row"].signed_by) for one in facts["history"]]
    assert ("Parent plc, 70 %", "Report of 2025 (document, as of 2025-12-31)", "ada") in told
    assert ("Parent plc, 40 %", "Report of 2026 (document, as of 2026-04-30)", "ada") in told
    assert [str(one["day"]) for one in facts["moments"]] == ["2026-03-01", "2026-04-30", "2026-05-01"]
    assert "Signed for by ada" in html


def test_a_contradiction_is_marked(client, petra, owned):
    other = ChangeLog(origin=Origin(kind="register", source="Register"), at=MAY)
    parent = memory.by_slug("parent")
    memory.link(
        subject=owned, object=parent, type="owned-by", percentage=55, as_of=date(2026, 5, 1), log=other
    )
    own = ChangeLog(origin=Origin(kind="document", source="Letter"), at=timezone.now())
    memory.link(subject=owned, object=parent, type="owned-by", percentage=60, log=own)
    facts, html = page(client, owned)
    assert [line.contradicted for line in facts["lines"]] == [True, True]
    assert html.count("contradicted</span>") == 2


@pytest.mark.parametrize("day", ["1 March 2026", "2026-02-30", "9999-12-31", "0", "<b>"])
def test_a_day_that_is_none_is_named(client, petra, owned, day):
    facts, html = page(client, owned, as_of=day)
    assert len(facts["faults"]) == 1
    assert 'role="alert"' in html
    assert "<b>'" not in html


def test_right_after_its_creation_the_page_says_who_signed_and_what_was_recorded(client, petra):
    person = UserFactory(username="reviewer", rights=ALL_RIGHTS)
    decision = approve('(entity.ensure :entity-type "company" :name "New Ltd" :jurisdiction "GB")', person)
    execute_verbs(decision=decision, actor=person)
    facts, html = page(client, memory.by_slug("new-ltd"))
    assert {("name", "New Ltd"), ("jurisdiction", "GB")} <= {
        (line.about, line.value) for line in facts["lines"]
    }
    assert "Signed for by reviewer" in html
    assert "Nothing has been recorded" not in html


def test_why_is_told_of_its_own_entity_only(client, petra, owned):
    row = Statement.objects.filter(subject=owned).first()
    other = EntityFactory()
    assert client.get(reverse("admin:entities_entity_why", args=[other.pk, row.pk])).status_code == 404


def test_hostile_text_stays_text(client, petra):
    entity = EntityFactory(name="Plain")
    log = ChangeLog(origin=Origin(kind="document", source="<script>alert(1)</script>", signed_by="<i>x</i>"))
    memory.state(subject=entity, facts=[memory.Fact("alias", "k", "<img src=x>")], log=log)
    _, html = page(client, entity)
    why = client.get(
        reverse("admin:entities_entity_why", args=[entity.pk, Statement.objects.get().pk])
    ).content
    for text in (html, why.decode()):
        assert "<script>alert" not in text
        assert "<img src=x>" not in text
        assert "<i>x</i>" not in text
