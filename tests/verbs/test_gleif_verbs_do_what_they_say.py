"""Every argument of every gleif verb is honoured: each test has one that makes a difference."""

from datetime import timedelta

import pytest
from django.utils import timezone

from entities.models import Entity, GleifImport, LeiRecord, Relationship
from research.verbs.handlers import VerbRefused
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"
AGI = "OJ2TIQSVQND4IZYYK658"
AGI_RETIRED = "529900FAHFDMSXCPII15"
MONEYTECH = "984500501A1B1045PB30"  # has a child, which has a child

pytestmark = pytest.mark.django_db


def leis() -> set[str]:
    return set(Entity.objects.values_list("lei", flat=True))


def test_enrich_takes_a_record_and_its_parents_into_memory(do):
    output = do(f'(gleif.enrich :lei "{AGI}")')
    assert output["lei"] == AGI
    assert output["parent_relationships_added"] == 2
    assert {ALLIANZ, AGI} <= leis()
    assert Relationship.objects.filter(subject__lei=AGI, type="directly-consolidated-by").count() == 1


def test_enrich_of_an_entity_reads_the_record_of_its_lei(do):
    text = f'(entity.ensure :entity-type "company" :name "Stated" :lei "{ALLIANZ}" :as @a)(gleif.enrich :entity-id @a)'
    assert do(text)["name"] == "Allianz SE"
    assert Entity.objects.filter(lei=ALLIANZ).count() == 1


def test_enrich_gives_an_entity_without_an_lei_the_lei_beside_it(do):
    text = f'(entity.ensure :entity-type "company" :name "Stated" :as @a)(gleif.enrich :entity-id @a :lei "{ALLIANZ}")'
    do(text)
    assert Entity.objects.get(lei=ALLIANZ).slug == "stated"


def test_enrich_refuses_an_entity_that_has_another_lei(do):
    with pytest.raises(VerbRefused, match=f"has the LEI {AGI}"):
        do(f'(gleif.enrich :lei "{AGI}" :as @a)(gleif.enrich :entity-id @a :lei "{ALLIANZ}")')


def test_search_finds_by_name_and_narrows(do):
    found = do('(gleif.search :name "Allianz" :limit 3)')["candidates"]
    assert len(found) == 3
    luxembourg = do('(gleif.search :name "Allianz" :jurisdiction "LU")')["candidates"]
    assert luxembourg
    assert {candidate["jurisdiction"] for candidate in luxembourg} == {"LU"}
    funds = do('(gleif.search :name "Allianz" :category "FUND")')["candidates"]
    assert {candidate["category"] for candidate in funds} == {"FUND"}


def test_search_tells_active_from_inactive(do):
    search = '(gleif.search :name "Allianz Global Investors GmbH" :status "{}" :limit 100)'
    active, inactive = (
        {c["lei"] for c in do(search.format(s))["candidates"]} for s in ("ACTIVE", "INACTIVE")
    )
    assert AGI in active - inactive
    assert AGI_RETIRED in inactive - active


def test_a_search_writes_nothing(do):
    do('(gleif.search :name "Allianz")')
    assert not Entity.objects.exists()


@pytest.mark.parametrize(
    ("direction", "present", "absent"),
    [("UP", {AGI, ALLIANZ}, set()), ("DOWN", {AGI}, {ALLIANZ}), ("BOTH", {AGI, ALLIANZ}, set())],
)
def test_import_tree_goes_where_it_is_told(do, direction, present, absent):
    output = do(f'(gleif.import-tree :root-lei "{AGI}" :direction "{direction}")')
    assert output["root_lei"] == AGI
    assert present <= leis()
    assert not absent & leis()


@pytest.mark.parametrize(("depth", "entities"), [(1, 2), (2, 3), (10, 3)])
def test_import_tree_goes_as_deep_as_it_is_told(do, depth, entities):
    output = do(f'(gleif.import-tree :root-lei "{MONEYTECH}" :max-depth {depth})')
    assert output["entities_created"] == Entity.objects.count() == entities
    assert Relationship.objects.filter(type="directly-consolidated-by").count() == entities - 1
    assert GleifImport.objects.get().kind == "tree"


def test_import_tree_without_creating_touches_known_entities_only(do):
    output = do(f'(gleif.import-tree :root-lei "{ALLIANZ}" :create-entities false)')
    assert output["entities_created"] == 0
    assert not Entity.objects.exists()


def test_import_managed_funds_takes_the_funds_and_their_manager(do):
    output = do(f'(gleif.import-managed-funds :manager-lei "{AGI}")')
    assert output["total"] == 24
    assert Relationship.objects.filter(object__lei=AGI, type="fund-managed-by").count() == 24


def test_import_managed_funds_takes_no_more_than_the_limit(do):
    do(f'(gleif.import-managed-funds :manager-lei "{AGI}" :limit 5)')
    assert Relationship.objects.filter(type="fund-managed-by").count() == 5


def test_import_managed_funds_takes_only_names_that_fit(do):
    do(f'(gleif.import-managed-funds :manager-lei "{AGI}" :name-pattern "*premium*")')
    names = list(Entity.objects.filter(type="fund").values_list("name", flat=True))
    assert names
    assert all("premium" in name.lower() for name in names)


def test_import_managed_funds_makes_the_funds_members_of_the_clients_group(do):
    do(f'(gleif.import-managed-funds :manager-lei "{AGI}" :ultimate-client-lei "{ALLIANZ}" :limit 3)')
    assert Relationship.objects.filter(object__lei=ALLIANZ, type="member-of").count() == 3


def test_import_managed_funds_without_creating_takes_no_unknown_fund(do):
    do(f'(gleif.import-managed-funds :manager-lei "{AGI}" :create-cbus false)')
    assert not Entity.objects.filter(type="fund").exists()


def test_a_dry_run_lists_the_funds_and_writes_nothing(do):
    output = do(f'(gleif.import-managed-funds :manager-lei "{AGI}" :dry-run true)')
    assert len(output["funds"]) == 24
    assert not Entity.objects.exists()
    assert not GleifImport.objects.exists()


def test_refresh_reads_one_entity_again(do):
    do(f'(gleif.enrich :lei "{ALLIANZ}")')
    LeiRecord.objects.update(legal_name="old")
    assert do('(gleif.refresh :entity-id "allianz-se")')["refreshed"] == [ALLIANZ]
    assert LeiRecord.objects.get(lei=ALLIANZ).legal_name == "Allianz SE"


def test_refresh_reads_what_is_stale_oldest_first(do):
    do(f'(gleif.enrich :lei "{AGI}")')
    now = timezone.now()
    LeiRecord.objects.filter(lei=ALLIANZ).update(fetched_at=now - timedelta(days=50))
    LeiRecord.objects.filter(lei=AGI).update(fetched_at=now - timedelta(days=40))
    assert do("(gleif.refresh :limit 1)")["refreshed"] == [ALLIANZ]
    assert do("(gleif.refresh :stale-days 45)")["refreshed"] == []
    assert do("(gleif.refresh)")["refreshed"] == [AGI]


def test_trace_ownership_ends_where_the_register_does(do):
    output = do(f'(gleif.trace-ownership :lei "{AGI}")')
    assert [step["lei"] for step in output["chain"]] == [AGI, ALLIANZ]
    assert (output["start_lei"], output["total_depth"]) == (AGI, 1)
    assert output["terminus"]


def test_trace_ownership_starts_from_an_entity_too(do):
    do(f'(gleif.enrich :lei "{AGI}")')
    slug = Entity.objects.get(lei=AGI).slug
    assert do(f'(gleif.trace-ownership :entity-id "{slug}")')["start_lei"] == AGI


def test_resolve_successor_finds_the_lei_of_today(do):
    output = do(f'(gleif.resolve-successor :lei "{AGI_RETIRED}")')
    assert (output["current_lei"], output["was_merged"]) == (AGI, True)
    assert output["chain"] == [AGI_RETIRED, AGI]


@cases(
    ("target", "lei", "key", "expected"),
    [
        ("record", ALLIANZ, "records", [ALLIANZ]),
        ("parent", AGI, "records", [ALLIANZ]),
        ("parent", ALLIANZ, "records", []),
        ("manager", "4KT8DCRLAREP7C35MW05", "records", None),
        ("umbrella", "4KT8DCRLAREP7C35MW05", "records", []),
        ("master-fund", "4KT8DCRLAREP7C35MW05", "records", []),
    ],
)
def test_lookup_answers_one_kind_of_question(do, target, lei, key, expected):
    answer = do(f'(gleif.lookup :target-type "{target}" :lei "{lei}")')[key]
    found = [record["lei"] for record in answer]
    assert found == expected if expected is not None else len(found) == 1


@pytest.mark.parametrize(("target", "lei"), [("children", ALLIANZ), ("managed-funds", AGI)])
def test_lookup_gives_as_many_as_asked_and_says_that_there_are_more(do, target, lei):
    answer = do(f'(gleif.lookup :target-type "{target}" :lei "{lei}" :limit 2)')
    assert len(answer["records"]) == 2
    assert answer["total"] > 2
    assert answer["truncated"]


@pytest.mark.parametrize("resolve", ["true", "false"])
def test_lookup_names_the_umbrellas_of_funds_if_asked(do, resolve):
    text = f'(gleif.lookup :target-type "managed-funds" :lei "{AGI}" :limit 3 :resolve-umbrellas {resolve})'
    assert all(("umbrella" in fund) == (resolve == "true") for fund in do(text)["records"])


def test_lookup_starts_from_an_isin(do, register, monkeypatch):
    monkeypatch.setattr(register, "by_isin", lambda isin: [register.record(AGI)])
    assert do('(gleif.lookup :target-type "isin" :isin "DE0008404005")')["records"][0]["lei"] == AGI
    assert do('(gleif.lookup :target-type "parent" :isin "DE0008404005")')["records"][0]["lei"] == ALLIANZ


def test_lookup_refuses_an_isin_that_is_nobodys(do, register, monkeypatch):
    monkeypatch.setattr(register, "by_isin", lambda isin: [])
    with pytest.raises(VerbRefused, match="belongs to 0 records"):
        do('(gleif.lookup :target-type "record" :isin "DE0008404005")')


@pytest.mark.parametrize(("depth", "members"), [(1, 2), (3, 3)])
def test_import_to_client_group_makes_members(do, depth, members):
    group = '(entity.ensure :entity-type "client-group" :name "Clients" :as @g)'
    do(f'{group}(gleif.import-to-client-group :group-id @g :root-lei "{MONEYTECH}" :max-depth {depth})')
    assert Relationship.objects.filter(object__slug="clients", type="member-of").count() == members


def test_import_to_client_group_takes_no_funds_unasked(do):
    group = '(entity.ensure :entity-type "client-group" :name "Clients" :as @g)'
    output = do(f'{group}(gleif.import-to-client-group :group-id @g :root-lei "{AGI}")')
    assert (output["members"], output["funds"]) == (1, 0)


def test_import_to_client_group_takes_funds_if_asked_up_to_the_limit(do):
    group = '(entity.ensure :entity-type "client-group" :name "Clients" :as @g)'
    text = f'{group}(gleif.import-to-client-group :group-id @g :root-lei "{AGI}" :include-funds true'
    assert do(f"{text} :max-funds-per-manco 4)")["funds"] == 4
    assert do(f"{text})")["funds"] == 24


def test_an_lei_that_the_register_does_not_know_is_refused_in_words(do):
    with pytest.raises(VerbRefused, match="not in the register"):
        do('(gleif.enrich :lei "00000000000000000098")')
