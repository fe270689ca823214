"""National registers as tools: offered when they are set up, judged by thresholds, trouble told beside answers."""

import json

import pytest

from entities.registers.setup import configured, missing
from research.tools.tool import REGISTRY, get_tools
from tests.entities.registers.fake import Reply
from tests.tools.registers import set_up

pytestmark = pytest.mark.django_db
TOOLS = [
    "register_search",
    "register_record",
    "register_officers",
    "register_owners",
    "register_authorisation",
]


@pytest.fixture
def british(settings):
    with set_up(settings, "companies_house", "fca") as fakes:
        yield fakes


@pytest.fixture
def swiss(settings):
    with set_up(settings, "finma", "zefix", "lindas") as fakes:
        yield fakes


def only(answer):
    assert answer["success"], answer
    [told] = answer["data"]["registers"]
    return told


def test_they_are_not_offered_where_none_is_set_up():
    assert get_tools(TOOLS) == []


@pytest.mark.usefixtures("british")
def test_they_are_offered_as_soon_as_one_is_set_up():
    assert [tool.name for tool in get_tools(TOOLS)] == TOOLS
    assert {REGISTRY[name].effect for name in TOOLS} == {"read"}


def test_a_register_without_its_key_is_not_set_up(settings):
    settings.DOSSIER_REGISTERS = ["companies_house", "finma"]
    assert configured() == ("finma",)
    assert missing("companies_house") == ("COMPANIES_HOUSE_API_KEY",)


def test_registers_without_a_key_are_asked_only_when_they_are_named(settings):
    settings.SEC_EDGAR_USER_AGENT = "Example compliance@example.org"
    assert configured() == ("edgar",)


def test_asking_one_that_is_not_set_up_says_what_to_set(call):
    answer = call("register_record", register="companies_house", number="1")
    assert answer["error"]["code"] == "not_configured"
    assert "COMPANIES_HOUSE_API_KEY" in answer["error"]["message"]


@pytest.mark.usefixtures("british")
def test_a_company_is_found_for_sure(call):
    answer = call("register_search", name="London Lamps Ltd", register="companies_house")
    told = only(answer)
    assert (told["verdict"], told["chosen"]["number"], told["chosen"]["score"]) == ("auto", "00012345", 1.0)
    assert told["can"] == ["officers", "owners", "record", "search"]
    [source] = answer["sources"]
    assert source["kind"] == "register"
    assert json.loads(source["text"])["register"] == "companies_house"


@pytest.mark.usefixtures("british")
def test_the_same_name_twice_is_not_chosen(call):
    told = only(call("register_search", name="Twin Trading Limited", register="companies_house"))
    assert (told["verdict"], told["chosen"]) == ("ambiguous", None)
    assert [one["number"] for one in told["candidates"]] == ["00000001", "00000002"]


@pytest.mark.usefixtures("british")
def test_a_number_of_the_right_authority_decides(call):
    told = only(
        call(
            "register_search",
            name="London Lamps Limited",
            register="companies_house",
            number="12345",
            authority="RA000585",
        )
    )
    assert "the number 00012345 is the one given" in told["reason"]


@pytest.mark.usefixtures("british")
def test_a_number_of_another_authority_is_no_doubt(call):
    told = only(
        call(
            "register_search",
            name="London Lamps Limited",
            register="companies_house",
            number="00099999",
            authority="RA000602",
        )
    )
    assert (told["verdict"], told["chosen"]["number"]) == ("auto", "00012345")


@pytest.mark.usefixtures("british")
def test_a_number_of_another_name_is_for_a_person(call):
    told = only(
        call("register_search", name="London Lamps Limited", register="companies_house", number="00099999")
    )
    assert told["verdict"] == "ambiguous"


@pytest.mark.usefixtures("british")
def test_all_registers_of_the_place_are_asked_and_others_named(call):
    data = call("register_search", name="Lamp Bank plc", jurisdiction="United Kingdom")["data"]
    assert [one["register"] for one in data["registers"]] == ["companies_house", "fca"]
    assert [one["verdict"] for one in data["registers"]] == ["reject", "auto"]
    assert data["not_set_up"] == []


@pytest.mark.usefixtures("british")
def test_a_place_that_nobody_speaks_for_is_told(call):
    data = call("register_search", name="Laternen Bank AG", jurisdiction="CH")["data"]
    assert data["registers"] == []
    assert data["not_set_up"] == ["FINMA", "Zefix", "Zefix (linked data)"]


def test_trouble_of_one_stands_beside_the_answer_of_the_other(call, british):
    british["companies_house"].guard = lambda question: Reply({}, 403)
    told = call("register_search", name="Lamp Bank plc", jurisdiction="GB")["data"]["registers"]
    assert [(one["register"], one["verdict"]) for one in told] == [
        ("companies_house", "unknown"),
        ("fca", "auto"),
    ]
    assert told[0]["error"]["code"] == "register_denied"


@pytest.mark.usefixtures("british")
def test_owners_are_told_in_bands_and_never_in_percentages(call):
    answer = call("register_owners", register="companies_house", number="12345")
    owners = answer["data"]["owners"]["owners"]
    bands = [nature.get("band") for owner in owners for nature in owner.get("control", [])]
    assert bands == ["25–50 %", "50–75 %", "75–100 %", "", ""]
    assert "percentage" not in json.dumps(answer)


@pytest.mark.usefixtures("british")
def test_what_a_register_does_not_hold_is_said(call):
    answer = call("register_owners", register="fca", number="100001")
    assert answer["error"] == {
        "code": "not_offered",
        "message": "FCA register cannot be asked for owners.",
        "retryable": False,
    }


@pytest.mark.usefixtures("british")
@pytest.mark.parametrize(
    ("number", "code"), [("no number", "bad_number"), ("88888888", "not_found"), ("../x", "bad_number")]
)
def test_a_bad_number_and_an_absent_one_are_told_apart(call, number, code):
    answer = call("register_record", register="companies_house", number=number)
    assert answer["error"]["code"] == code


@pytest.mark.usefixtures("swiss")
def test_a_swiss_bank_is_found_everywhere(call):
    data = call("register_search", name="Laternen Bank AG", jurisdiction="CH", number="CHE123456788")["data"]
    assert [(one["register"], one["verdict"]) for one in data["registers"]] == [
        ("finma", "auto"),
        ("zefix", "auto"),
        ("lindas", "auto"),
    ]
    answer = call("register_authorisation", register="finma", number="CHE-123.456.788")
    assert answer["data"]["authorisation"]["types"] == ["Bank", "Securities firm"]


def test_a_registrant_of_the_sec_is_found(call, settings):
    with set_up(settings, "edgar"):
        told = only(call("register_search", name="Helios Lanterns Inc", jurisdiction="US-DE"))
        assert told["chosen"]["number"] == "0001234567"
        record = call("register_record", register="edgar", number="1234567")["data"]["record"]
    assert record["details"]["last_annual_report"] == "10-K of 2026-02-20"


@pytest.mark.usefixtures("british")
@pytest.mark.parametrize(
    "arguments", [{"register": "nowhere", "number": "1"}, {"number": "1"}, {"register": "fca"}]
)
def test_arguments_are_checked(call, arguments):
    assert call("register_record", **arguments)["error"]["code"] == "bad_arguments"


@pytest.mark.usefixtures("british")
def test_the_lei_register_answers_in_the_same_form(call):
    told = only(call("register_search", name="Allianz SE", register="gleif"))
    assert told["chosen"]["number"] == "529900K9B0N5BT694847"
