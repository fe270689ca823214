"""What the verbs of entity memory write, argument by argument."""

from decimal import Decimal

import pytest

from entities.models import Entity, EntityEvent, Relationship, Representation
from research.verbs.handlers import VerbRefused
from tests.cases import cases
from tests.factories import EntityFactory

ALLIANZ = "529900K9B0N5BT694847"
COMPANY = '(entity.ensure :entity-type "limited-company" :name "{0}" :as @{0})'

pytestmark = pytest.mark.django_db


@cases(
    ("kind", "stored"),
    [
        ("limited-company", "legal-entity"),
        ("partnership", "legal-entity"),
        ("trust", "legal-entity"),
        ("holding_company", "legal-entity"),
        ("fund", "fund"),
        ("branch", "branch"),
        ("person", "person"),
        ("proper-person", "person"),
        ("client-group", "client-group"),
    ],
)
def test_entity_ensure_knows_what_it_makes(do, kind, stored):
    do(f'(entity.ensure :entity-type "{kind}" :name "A")')
    assert Entity.objects.get().type == stored


def test_entity_ensure_keeps_every_particular(do):
    do(
        f'(entity.ensure :entity-type "company" :name "A \\"B\\" & C" :lei "{ALLIANZ}" :jurisdiction "US-DE"'
        ' :company-number "HRB 1")'
    )
    entity = Entity.objects.get()
    assert (entity.name, entity.lei, entity.jurisdiction, entity.verified) == (
        'A "B" & C',
        ALLIANZ,
        "US-DE",
        False,
    )
    number = Representation.objects.get(type="register-number")
    assert (number.key, number.authority) == ("HRB 1", "US-DE")


def test_entity_ensure_puts_a_person_together(do):
    do(
        '(entity.ensure :entity-type "person" :first-name "Ada" :last-name "Lovelace" :date-of-birth "1815-12-10"'
        ' :nationality "GB")'
    )
    person = Entity.objects.get()
    assert person.name == "Ada Lovelace"
    assert person.metadata["date-of-birth"] == "1815-12-10"
    assert person.metadata["nationality"] == "GB"


def test_entity_ensure_twice_is_one_entity(do):
    do(COMPANY.format("A"))
    do(COMPANY.format("A"))
    assert Entity.objects.count() == 1


def test_fund_ensure_links_manager_and_umbrella(do):
    do(
        COMPANY.format("M") + '(fund.ensure :name "U" :as @u)(fund.ensure :name "F" :manager @M :umbrella @u'
        ' :fund-type "ucits" :structure "sicav" :isin "LU0256839274" :jurisdiction "LU" :client-type "fund")'
    )
    fund = Entity.objects.get(name="F")
    assert (fund.type, fund.jurisdiction) == ("fund", "LU")
    assert (fund.metadata["fund-type"], fund.metadata["structure"]) == ("ucits", "sicav")
    links = set(Relationship.objects.filter(subject=fund).values_list("type", "object__name"))
    assert links == {("fund-managed-by", "M"), ("subfund-of", "U")}
    assert Representation.objects.filter(entity=fund, type="isin", key="LU0256839274").exists()


def test_cbu_ensure_ensures_a_fund(do):
    do('(cbu.ensure :name "F" :jurisdiction "LU" :client-type "fund" :as @cbu_0)')
    assert Entity.objects.get().type == "fund"


@cases("kind", [kind for kind in Relationship.Type.values if kind != "owned-by"])
def test_entity_link_states_any_relationship_but_ownership(do, kind):
    link = f'(entity.link :subject @A :type "{kind}" :object @B :source "its report")'
    do(COMPANY.format("A") + COMPANY.format("B") + link)
    relationship = Relationship.objects.get()
    assert (relationship.subject.name, relationship.object.name) == ("A", "B")
    assert (relationship.type, relationship.source) == (kind, "its report")


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("direct_ownership", "owned-by"),
        ("indirect", "owned-by"),
        ("voting_rights", "controlled-by"),
        ("trust_settlor", "controlled-by"),
    ],
)
def test_ownership_record_tells_ownership_from_control(do, kind, stored):
    parties = ':owner-name "A" :owner-type "company" :owned-name "B"'
    do(f'(ownership.record {parties} :ownership-type "{kind}" :source "its report")')
    relationship = Relationship.objects.get()
    assert (relationship.subject.name, relationship.object.name, relationship.type) == ("B", "A", stored)
    assert relationship.source == "its report"


@pytest.mark.parametrize(
    ("written", "stored"),
    [("25", "25"), ("33.333333333333336", "33.3333"), ("0", "0"), ("100.0", "100")],
)
def test_ownership_record_keeps_the_percentage(do, written, stored):
    text = f'(ubo.add-ownership :owner-lei "{ALLIANZ}" :owned-entity-name "B" :percentage {written})'
    do(text)
    relationship = Relationship.objects.get()
    assert relationship.percentage == Decimal(stored)
    assert relationship.object.lei == ALLIANZ


def test_ownership_record_finds_the_parties_by_reference(do):
    do(COMPANY.format("A") + COMPANY.format("B") + "(ownership.record :owner @A :owned @B)")
    assert Relationship.objects.get().percentage is None
    assert Entity.objects.count() == 2


@pytest.mark.parametrize(
    ("severity", "importance"), [("SOFT", 5), ("low", 5), ("high", 8), ("ESCALATE", 8), ("critical", 10)]
)
def test_red_flag_raise_puts_a_warning_on_the_timeline(do, severity, importance):
    flag = f'(red-flag.raise :cbu-id @A :flag-type "SANCTIONS_HIT" :severity "{severity}"'
    do(COMPANY.format("A") + flag + ' :description "On a list." :source-url "https://list.example")')
    event = EntityEvent.objects.get(type="red-flag")
    assert event.entity.name == "A"
    assert event.importance == importance
    assert "SANCTIONS_MATCH" in event.summary
    assert "On a list." in event.summary
    assert event.source == "https://list.example"


def test_a_reference_to_nobody_is_refused_in_words(do):
    with pytest.raises(VerbRefused, match="no entity is known as 'nobody'"):
        do('(red-flag.raise :entity-id "nobody" :flag-type "OTHER" :severity "SOFT")')


def test_a_part_of_one_name_is_not_several_entities(do):
    do(COMPANY.format("Acmeholding"))
    with pytest.raises(VerbRefused, match=r"no entity is known as 'acmeho'; the nearest is Acmeholding \("):
        do('(entity.link :subject "acmeho" :type "member-of" :object "acmeho")')


def test_two_entities_of_one_name_are_several(do):
    EntityFactory(name="Twin"), EntityFactory(name="twin")
    with pytest.raises(VerbRefused, match=r"could mean several entities: .*Twin.*twin"):
        do('(entity.link :subject "twin" :type "member-of" :object "twin")')
