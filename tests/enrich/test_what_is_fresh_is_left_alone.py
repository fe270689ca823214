"""Fresh findings are told; nobody outside is asked, and no run is made."""

from datetime import timedelta

import pytest
from django.utils import timezone

from entities.memory import add_representation, store_research_results
from entities.models import EntityResearch
from research.errors import InvalidParameters, NotPermitted
from research.models import Run
from research.services.enrichment import MAX_IDENTIFIERS, enrich
from tests.cases import cases
from tests.entities.markets.market import MINT
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


def known(name, *, age=timedelta(0), sources=TWO, **fields):
    entity = EntityFactory(name=name, **fields)
    findings = {"summary": f"{name} is known.", "confidence": 70}
    store_research_results(entity=entity, findings=findings, sources=sources, now=timezone.now() - age)
    return entity


def entries(*identifiers, **options):
    return enrich(identifiers=identifiers, trigger="cli", enqueue=False, **options)


def test_it_asks_nobody_and_makes_no_run(market, macro):
    for number in range(5):
        known(f"Mill {number}")
    done = entries(*(f"Mill {number}" for number in range(5)))
    assert done.run is None
    assert {entry["status"] for entry in done.entries} == {"fresh"}
    assert done.entries[0]["research"]["findings"]["summary"] == "Mill 0 is known."
    assert market.asked == []
    assert not Run.objects.exists()


def test_only_what_is_not_fresh_is_researched(macro):
    known("Mill")
    done = entries("Mill", "Allianz SE")
    assert [entry["status"] for entry in done.entries] == ["fresh", "queued"]
    assert done.run.params["identifiers"] == ["Allianz SE"]


def test_findings_grow_old_by_their_type(macro):
    known("Token", age=timedelta(hours=2), type="crypto-token")
    known("Company", age=timedelta(hours=2))
    assert [entry["status"] for entry in entries("Token", "Company").entries] == ["queued", "fresh"]


@pytest.mark.parametrize(("max_age", "status"), [(7_200, "fresh"), (600, "queued"), (0, "queued")])
def test_a_person_may_want_them_younger(macro, max_age, status):
    known("Company", age=timedelta(hours=1))
    assert entries("Company", max_age=max_age).entries[0]["status"] == status


def test_findings_that_were_poor_are_soon_looked_at_again(macro):
    known("Early", sources=TWO[:1])
    known("Late", sources=TWO[:1], age=timedelta(minutes=11))
    assert [entry["status"] for entry in entries("Early", "Late").entries] == ["fresh", "queued"]
    assert EntityResearch.objects.get(entity__name="Early").confidence == 20


def test_names_are_trimmed_and_each_is_taken_once(macro):
    mill = known("Mill")
    add_representation(entity=mill, type="spot-token", key=MINT, authority="solana", chain="solana")
    done = entries(" Mill ", "", "Mill", "  ", MINT, mill.slug)
    assert [(one["identifier"], one["status"]) for one in done.entries] == [
        ("Mill", "fresh"),
        (MINT, "duplicate"),
        (mill.slug, "duplicate"),
    ]
    assert done.entries[1]["of"] == "Mill"


def test_what_could_be_several_is_a_question_and_not_researched(macro):
    EntityFactory(name="Mill", slug="mill-1")
    EntityFactory(name="Mill", slug="mill-2")
    done = entries("Mill")
    assert done.run is None
    assert {one["slug"] for one in done.entries[0]["candidates"]} == {"mill-1", "mill-2"}


@cases(
    ("options", "name"),
    [
        ({"identifiers": []}, "identifiers"),
        ({"identifiers": ["  "]}, "identifiers"),
        ({"identifiers": ["x" * 301]}, "identifiers"),
        ({"identifiers": map(str, range(MAX_IDENTIFIERS + 1))}, "identifiers"),
        ({"summaries": ["x" * 2_001]}, "summaries"),
        ({"identifiers": ["x"], "max_age": -1}, "max_age"),
    ],
)
def test_what_cannot_be_is_refused_by_name(macro, options, name):
    with pytest.raises(InvalidParameters) as caught:
        enrich(trigger="cli", **options)
    assert [error.name for error in caught.value.errors] == [name]
    assert not Run.objects.exists()


def test_it_asks_who_is_acting(macro):
    known("Mill")
    with pytest.raises(NotPermitted):
        entries("Mill", requested_by=UserFactory())
    assert entries("Mill", requested_by=UserFactory(rights=["start_run"])).run is None
