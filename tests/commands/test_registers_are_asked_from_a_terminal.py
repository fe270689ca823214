import pytest

from entities.models import RegisterCorrection, RegisterSelection
from tests.entities.registers.doubles import company
from tests.factories import EntityFactory
from tests.tools.registers import set_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(settings):
    with set_up(settings, "companies_house", "fca") as fakes:
        yield fakes["companies_house"]


@pytest.fixture
def lamps(house, admin):
    return EntityFactory(name="London Lamps Limited", slug="london-lamps")


def test_it_lists_registers_with_what_is_missing(run, house):
    outcome = run("registers", "list")
    assert outcome.code == 0
    assert "not set up: SEC_EDGAR_USER_AGENT" in outcome.out
    assert [one["name"] for one in run("registers", "list", "--json").documents if one["set_up"]] == [
        "companies_house",
        "fca",
    ]


def test_it_searches_and_says_what_the_rule_says(run, house):
    outcome = run("registers", "search", "London", "Lamps", "Ltd")
    assert outcome.code == 0
    assert "companies_house  auto" in outcome.out
    assert "00012345" in outcome.out
    assert run("registers", "search", "Nobody", "Whatsoever").code == 1


def test_trouble_of_one_register_stands_beside_the_other(run, house):
    house.routes.pop("/search/companies")
    documents = run("registers", "search", "Lamp Bank plc", "--json").documents
    assert [(one["register"], one["verdict"]) for one in documents] == [
        ("companies_house", "unknown"),
        ("fca", "auto"),
    ]
    assert documents[0]["code"] == "register_unavailable"


def test_without_any_register_it_says_what_to_do(run):
    outcome = run("registers", "search", "x")
    assert outcome.code == 1
    assert "registers list" in outcome.err


def test_it_shows_a_company_in_words(run, house):
    outcome = run("registers", "show", "companies_house", "12345")
    assert "status: active" in outcome.out
    assert "Ms Ada Lumen" in outcome.out


def test_hostile_text_of_a_register_is_only_text(run, house):
    house.route("/company/00012345", company("00012345", "EVIL\x1b[2J\u202e LTD"))
    outcome = run("registers", "show", "companies_house", "12345")
    assert "\x1b" not in outcome.out
    assert "\u202e" not in outcome.out


def test_a_number_that_is_none_is_a_mistake(run, house):
    assert run("registers", "show", "companies_house", "no number").code == 2
    assert run("registers", "show", "companies_house", "88888888").code == 1


def test_it_chooses_looks_and_takes_back(run, lamps):
    chosen = run("registers", "choose", "london-lamps", "companies_house", "--json").document
    assert chosen["verdict"] == "auto-selected"
    looked = run("registers", "correct", chosen["id"][:8])
    assert "Nothing has been done" in looked.out
    assert not RegisterCorrection.objects.exists()
    done = run("registers", "correct", chosen["id"][:8], "--reason", "another company")
    assert done.code == 0
    assert "taken back: 8 of 9 facts" in done.out
    assert RegisterCorrection.objects.get().reason == "another company"


def test_a_rule_that_takes_nothing_ends_with_1(run, lamps):
    EntityFactory(name="Twin Trading Limited", slug="twin")
    outcome = run("registers", "choose", "twin", "companies_house")
    assert outcome.code == 1
    assert "ambiguous" in outcome.out
    assert RegisterSelection.objects.get().number == ""


def test_none_of_these_is_a_decision(run, lamps):
    outcome = run("registers", "choose", "london-lamps", "companies_house", "--none", "--reason", "no")
    assert outcome.code == 0
    assert RegisterSelection.objects.get().verdict == "rejected"


def test_beside_the_rule_it_wants_a_reason(run, lamps):
    outcome = run("registers", "choose", "london-lamps", "companies_house", "--number", "SC77")
    assert outcome.code == 1
    assert "reason in words" in outcome.err
