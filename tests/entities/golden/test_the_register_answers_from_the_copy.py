"""Where a golden copy is imported, the register answers from it, with its date; what it lacks is asked of the API."""

from datetime import date, timedelta

import pytest

from entities.gleif import register as module
from entities.gleif.checking import check_claims
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifNotFound, GleifUnavailable
from entities.gleif.register import open_register
from entities.gleif.verification import Claim, verify
from entities.models import LeiRecord
from tests.register_files import (
    MORNING,
    attributes_of,
    exception_of,
    lei_of,
    relationship_of,
    rich_attributes,
)

pytestmark = pytest.mark.django_db
UNKNOWN = lei_of(500)


@pytest.fixture
def api(settings):
    """The live API's stand-in, which tells what it was asked."""
    module._opened.clear()
    with DemoServer() as server:
        settings.GLEIF_BASE_URL, settings.GLEIF_PER_MINUTE = server.url, 0
        yield server
    module._opened.clear()


@pytest.fixture
def copy(load):
    """A parent (1) with a child (2) and a fund (3) that it manages, and an entity (4) that reports no parent."""
    load(
        [
            attributes_of(1, "Mutter AG"),
            rich_attributes(2),
            attributes_of(3, category="FUND"),
            attributes_of(4),
        ]
    )
    edges = [relationship_of(2, 1), relationship_of(3, 1, "IS_FUND-MANAGED_BY")]
    load([*edges, relationship_of(4, 1, "IS_ULTIMATELY_CONSOLIDATED_BY", status="INACTIVE")], kind="rr")
    load([exception_of(4, "NATURAL_PERSONS")], kind="repex")


@pytest.mark.parametrize("name", ["gleif", "auto", ""])
def test_it_comes_before_the_api_and_says_of_when_it_is(copy, api, settings, name):
    settings.DOSSIER_REGISTER = "auto"
    register = open_register(name)
    assert (register.name, register.local, register.as_of, register.size) == (
        "gleif",
        True,
        "2026-02-10T08:00:00Z",
        4,
    )
    assert register.label == "LEI register of GLEIF in this database, 4 records, golden copy of 2026-02-10"
    assert register.record(lei_of(1)).legal_name == "Mutter AG"
    assert api.requests == []


def test_the_demo_register_can_still_be_named(copy):
    assert open_register("demo").name == "demo"


def test_a_record_is_whole(copy, api):
    record = open_register("gleif").record(lei_of(2))
    assert [name.name for name in record.names] == [
        "Muster 2 GmbH",
        "Früher & Söhne",
        "Muster “M”",
        "Frueher",
    ]
    assert (record.jurisdiction, record.next_renewal) == ("DE", date(2027, 1, 5))
    assert record.attributes["entity"]["associatedEntity"] == {"lei": None, "name": None}
    assert record.url.endswith(f"/lei-records/{lei_of(2)}")


def test_relatives_and_exceptions_are_known_without_the_api(copy, api):
    register = open_register("gleif")
    parent = register.parent(lei_of(2), "direct")
    assert (parent.kind, parent.record.lei, parent.relationship.type) == (
        "record",
        lei_of(1),
        "IS_DIRECTLY_CONSOLIDATED_BY",
    )
    assert register.parent(lei_of(4), "direct").reason == "NATURAL_PERSONS"
    assert register.parent(lei_of(4), "ultimate").kind == "none"  # a relationship that has ended is no parent
    assert [one.lei for one in register.children(lei_of(1)).items] == [lei_of(2)]
    assert [one.lei for one in register.managed_funds(lei_of(1)).items] == [lei_of(3)]
    assert register.fund_manager(lei_of(3)).lei == lei_of(1)
    assert register.umbrella(lei_of(3)) is None
    assert api.requests == []


def test_a_parent_whose_record_the_copy_lacks_is_asked_of_the_api_and_never_taken_for_none(load, api):
    load([attributes_of(2)])
    load([relationship_of(2, 1)], kind="rr")
    load([exception_of(4)], kind="repex")
    register = open_register("gleif")
    api.fail("broken")
    register._client._live._retries = 0
    with pytest.raises(GleifUnavailable):
        register.parent(lei_of(2), "direct")
    [report] = check_claims([Claim(lei_of(2), parent=lei_of(1))], register=register)
    [parent] = [check for check in report.checks if check.code == "parent"]
    assert parent.verdict == "unknown"


def test_a_list_that_is_cut_says_so(load, api):
    load([attributes_of(number) for number in range(1, 6)])
    load([relationship_of(number, 1) for number in range(2, 6)], kind="rr")
    page = open_register("gleif").children(lei_of(1), limit=3)
    assert (len(page.items), page.total, page.truncated) == (3, 4, True)


def test_an_lei_that_the_copy_lacks_is_not_in_the_register(copy, api):
    register = open_register("gleif")
    with pytest.raises(GleifNotFound, match="golden copy of 2026-02-10"):
        register.record(UNKNOWN)
    assert list(register.records([lei_of(1), UNKNOWN, lei_of(3)])) == [lei_of(1), lei_of(3)]
    assert api.requests == []


def test_a_verdict_carries_the_date_of_the_copy(copy, api):
    (report,) = verify([Claim(lei_of(1), "Mutter AG", "DE")], open_register("gleif"), today=date(2026, 2, 11))
    assert (report.as_of, report.record.lei) == ("2026-02-10T08:00:00Z", lei_of(1))


@pytest.mark.parametrize("text", ["Mutter AG", "mutter ag", "Früher & Söhne", "FRUHER SOHNE", "Mutter"])
def test_any_name_of_a_record_finds_it(copy, api, text):
    found = open_register("gleif").search(text)
    assert found[0].record.lei == (lei_of(1) if "utter" in text else lei_of(2))


def test_a_search_can_be_narrowed(copy, api):
    register = open_register("gleif")
    assert [match.record.lei for match in register.search("Muster", category="FUND")] == [lei_of(3)]
    assert register.search("Muster", jurisdiction="CH") == []


def test_what_no_copy_holds_is_asked_of_the_api(copy, api):
    open_register("gleif").isins(lei_of(1))
    assert [path for path, _ in api.requests] == [f"/lei-records/{lei_of(1)}/isins"]


def test_relatives_that_were_not_imported_are_asked_of_the_api_and_never_taken_for_none(load, api):
    load([attributes_of(1)])
    register = open_register("gleif")
    api.fail("broken")
    register._client._live._retries = 0
    with pytest.raises(GleifUnavailable):
        register.parent(lei_of(1), "direct")
    with pytest.raises(GleifUnavailable):
        register.children(lei_of(1))


def test_a_new_import_is_seen_at_once(copy, load, api):
    assert open_register("gleif").record(lei_of(1)).legal_name == "Mutter AG"
    load([attributes_of(1, "Umbenannt AG")], scope="IntraDay", date=MORNING + timedelta(hours=8))
    register = open_register("gleif")
    assert (register.record(lei_of(1)).legal_name, register.as_of) == ("Umbenannt AG", "2026-02-10T16:00:00Z")


def test_without_an_import_the_api_is_asked(api):
    register = open_register("gleif")
    assert not register.local
    assert register.base_url == api.url


def test_rows_that_the_api_gave_are_not_taken_for_the_copy(copy, api):
    LeiRecord.objects.create(lei=UNKNOWN, legal_name="x", attributes={}, register="gleif")
    assert open_register("gleif").records([UNKNOWN]) == {}


@pytest.mark.parametrize(("country", "found"), [("DE", [1]), ("at", [2]), ("CH", [])])
def test_names_are_narrowed_by_the_country_of_the_address(load, api, country, found):
    abroad = {"country": "AT", "city": "Wien"}
    load([attributes_of(1, "Muster AG"), attributes_of(2, "Muster AG", jurisdiction="", legalAddress=abroad)])
    matches = open_register("gleif").search("Muster AG", jurisdiction=country)
    assert [match.record.lei for match in matches] == [lei_of(number) for number in found]
    assert api.requests == []
