"""Two that are one become one, as a person saw it beforehand, and the way back is kept."""

import pytest
from django.db import IntegrityError, transaction

from entities.admin.graph.tree import read_tree
from entities.api.serializers import EntityDetailSerializer
from entities.memory import (
    NotAllowed,
    OutOfDate,
    RefusedWrite,
    add_event,
    add_representation,
    by_slug,
    ensure_entity,
    link,
    merge_entities,
    plan_merge,
    relationships_of,
    resolve,
    search,
    store_research_results,
    undo_merge,
)
from entities.models import Entity, EntityAct, EntityEvent, EntityResearch, Relationship, Representation
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
LEI, OTHER_LEI = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


@pytest.fixture
def person():
    return UserFactory(rights=["merge_entity"])


@pytest.fixture
def pair():
    into = EntityFactory(name="Acme AG", slug="acme-ag", jurisdiction="DE", metadata={"a": 1})
    other = EntityFactory(
        name="ACME Aktiengesellschaft",
        slug="acme-long",
        lei=LEI,
        jurisdiction="CH",
        symbol="ACM",
        aliases=[{"name": "Acme"}, {"name": "Acme AG"}],
        metadata={"a": 2, "b": 3},
    )
    return into, other


@pytest.fixture
def furnished(pair):
    """Both have neighbours; one relationship both state, and one joins the two."""
    into, other = pair
    parent, child = EntityFactory(slug="parent"), EntityFactory(slug="child")
    for one in pair:
        link(subject=one, object=parent, type="owned-by")
    link(subject=child, object=other, type="owned-by")
    link(subject=other, object=into, type="member-of")
    link(subject=other, object=child, type="partner-of")
    add_representation(entity=other, type="lei", authority="GLEIF", key=LEI)
    add_event(entity=other, type="note", summary="of the other")
    add_event(entity=child, type="note", summary="mentions", related=[other])
    store_research_results(entity=other, findings={"summary": "x", "confidence": 1}, sources=TWO)
    return pair


def merge(pair, person, **changes):
    into, other = pair
    digest = plan_merge(into=into, other=other).digest
    given = {"into": into, "other": other, "actor": person, "reason": "the same company", "digest": digest}
    return merge_entities(**{**given, **changes})


def everything():
    """All rows that a merge may touch, but for what tells of it."""
    told = EntityEvent.objects.exclude(type__startswith="merge")
    return {
        "entities": list(
            Entity.objects.order_by("slug").values(
                "slug", "lei", "symbol", "jurisdiction", "aliases", "metadata", "merged_into"
            )
        ),
        "forms": list(Representation.objects.order_by("pk").values_list("pk", "entity__slug")),
        "links": list(Relationship.objects.order_by("pk").values_list("pk", "subject__slug", "object__slug")),
        "events": list(told.order_by("pk").values_list("pk", "entity__slug", "related__slug")),
        "research": list(EntityResearch.objects.values_list("pk", "entity__slug")),
    }


def test_the_plan_says_what_moves_and_what_conflicts(furnished):
    into, other = furnished
    plan = plan_merge(into=into, other=other)
    assert plan.counts == {
        "representations": 1,
        "relationships": 1,
        "related_from": 1,
        "events": 2,
        "mentions": 1,
        "research": 1,
        "pairs": 0,
        "pairs_as_other": 0,
    }
    assert plan.gains["lei"] == LEI
    assert plan.gains["symbol"] == "ACM"
    assert [alias["name"] for alias in plan.gains["aliases"]] == ["ACME Aktiengesellschaft", "Acme"]
    assert plan.gains["metadata"] == {"b": 3}
    told = " ".join(plan.conflicts)
    assert "jurisdiction stays 'DE'; acme-long says 'CH'" in told
    assert "2 relationships that both state" in told
    assert "stay as they are: a." in told
    assert plan.blockers == ()


def test_everything_moves_to_the_one_that_stays(furnished, person):
    into, other = furnished
    merge(furnished, person)
    into.refresh_from_db()
    other.refresh_from_db()
    assert (into.lei, into.symbol, into.jurisdiction, into.metadata) == (LEI, "ACM", "DE", {"a": 1, "b": 3})
    assert (other.merged_into, other.lei) == (into, "")
    assert not Representation.objects.filter(entity=other).exists()
    assert not EntityResearch.objects.filter(entity=other).exists()
    assert into.mentioned_in.filter(summary="mentions").exists()
    assert Relationship.objects.filter(subject__slug="child", object=into).exists()


@pytest.mark.parametrize("text", ["acme-long", LEI, "ACME Aktiengesellschaft", "Acme", "ACM"])
def test_whatever_named_the_other_leads_to_the_one_that_stays(furnished, person, text):
    merge(furnished, person)
    assert resolve(text).entity == furnished[0]
    assert by_slug("acme-long") == furnished[0]
    assert search(query="acme") == [furnished[0]]
    assert ensure_entity(name="ACME Aktiengesellschaft", lei=LEI) == furnished[0]


def test_what_both_stated_is_told_once_from_the_other_side(furnished, person):
    into, _ = furnished
    parent = Entity.objects.get(slug="parent")
    assert relationships_of(parent).count() == 2
    merge(furnished, person)
    assert [row.subject for row in relationships_of(parent)] == [into]
    assert set(read_tree(parent).nodes) == {parent.pk, into.pk, Entity.objects.get(slug="child").pk}
    shown = EntityDetailSerializer(parent).data
    assert (len(shown["related_from"]), shown["counts"]["related_from"]) == (1, 1)


def test_undoing_it_leaves_everything_as_it_was(furnished, person):
    before = everything()
    act = merge(furnished, person)
    assert everything() != before
    undone = undo_merge(act=act, actor=person, reason="they are two")
    assert everything() == before
    assert (undone.undoes, undone.changes) == (act, {"left": []})
    kinds = list(furnished[0].events.values_list("type", flat=True))
    assert sorted(kinds) == ["merge-undone", "merged"]


def test_what_changed_since_stays_changed(furnished, person):
    into = furnished[0]
    act = merge(furnished, person)
    into.refresh_from_db()
    into.symbol, into.metadata = "NEW", {**into.metadata, "b": 4}
    into.save()
    undone = undo_merge(act=act, actor=person, reason="they are two")
    into.refresh_from_db()
    assert undone.changes["left"] == ["metadata.b", "symbol"]
    assert (into.symbol, into.metadata["b"]) == ("NEW", 4)


def test_it_is_undone_once(furnished, person):
    act = merge(furnished, person)
    undo_merge(act=act, actor=person, reason="they are two")
    with pytest.raises(OutOfDate):
        undo_merge(act=act, actor=person, reason="again")
    assert EntityAct.objects.filter(kind="merge-undone").count() == 1


def test_after_undoing_they_can_be_merged_again(furnished, person):
    undo_merge(act=merge(furnished, person), actor=person, reason="they are two")
    for one in furnished:
        one.refresh_from_db()
    assert merge(furnished, person).kind == "merged"


def test_a_chain_of_merges_leads_to_its_end_and_comes_apart_in_order(furnished, person):
    into = furnished[0]
    first = merge(furnished, person)
    last = EntityFactory(slug="last")
    into.refresh_from_db()
    merge((last, into), person)
    assert by_slug("acme-long") == last
    with pytest.raises(RefusedWrite, match="undo that first"):
        undo_merge(act=first, actor=person, reason="too early")


@pytest.mark.parametrize("change", ["event", "name", "form"])
def test_a_plan_that_is_out_of_date_is_refused(furnished, person, change):
    into, other = furnished
    digest = plan_merge(into=into, other=other).digest
    if change == "event":
        add_event(entity=other, type="note", summary="news")
    elif change == "form":
        add_representation(entity=other, type="bic", key="ACMEDEFF")
    else:
        Entity.objects.filter(pk=other.pk).update(name="Renamed")
    with pytest.raises(OutOfDate):
        merge(furnished, person, digest=digest)
    assert not EntityAct.objects.exists()


@pytest.mark.parametrize(
    ("into", "other", "message"),
    [
        ({"lei": LEI}, {"lei": OTHER_LEI}, "two LEIs"),
        ({}, {"verified": True, "verified_by": "team"}, "the other way round"),
    ],
)
def test_what_blocks_a_merge_blocks_it(person, into, other, message):
    with pytest.raises(RefusedWrite, match=message):
        merge((EntityFactory(**into), EntityFactory(**other)), person)


def test_nothing_goes_into_itself(pair, person):
    with pytest.raises(RefusedWrite, match="into itself"):
        merge((pair[0], pair[0]), person)


def test_it_needs_the_right_and_a_reason(pair, person):
    with pytest.raises(NotAllowed, match="merge_entity"):
        merge(pair, UserFactory())
    with pytest.raises(RefusedWrite, match="reason"):
        merge(pair, person, reason=" ")
    act = merge(pair, person)
    with pytest.raises(NotAllowed):
        undo_merge(act=act, actor=UserFactory(), reason="x")


@pytest.mark.parametrize("change", [lambda rows: rows.update(reason="x"), lambda rows: rows.delete()])
def test_what_was_done_cannot_be_rewritten(pair, person, change):
    act = merge(pair, person)
    with pytest.raises(IntegrityError), transaction.atomic():
        change(EntityAct.objects.filter(pk=act.pk))


def test_more_children_than_a_statement_takes_move_and_come_back(person):
    into, other = EntityFactory(), EntityFactory()
    children = [Entity(slug=f"c{n}", name=f"Child {n}", type="fund") for n in range(1_200)]
    Entity.objects.bulk_create(children, batch_size=1000)
    Relationship.objects.bulk_create(
        [Relationship(subject=child, object=other, type="fund-managed-by") for child in children],
        batch_size=1000,
    )
    act = merge((into, other), person)
    assert Relationship.objects.filter(object=into).count() == 1_200
    undo_merge(act=act, actor=person, reason="they are two")
    assert Relationship.objects.filter(object=other).count() == 1_200
