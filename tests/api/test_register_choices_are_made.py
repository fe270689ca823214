import pytest

from entities.models import RegisterSelection
from tests.entities.registers.fake import Reply
from tests.factories import EntityFactory, UserFactory
from tests.tools.registers import set_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(settings):
    with set_up(settings, "companies_house", "fca") as fakes:
        yield fakes["companies_house"]


@pytest.fixture
def decider(client_of):
    return client_of(UserFactory(rights=("decide_register", "view_registerselection")))


@pytest.fixture
def lamps():
    return EntityFactory(name="London Lamps Limited", slug="london-lamps")


@pytest.fixture
def chosen(decider, url, house, lamps):
    return decider.post(url("entity-selections", "london-lamps"), {"register": "companies_house"}).json()


def test_it_says_which_registers_can_be_asked(client, url, house):
    by_name = {one["name"]: one for one in client.get(url("registers")).json()}
    assert by_name["companies_house"]["set_up"] is True
    assert by_name["edgar"]["missing"] == ["SEC_EDGAR_USER_AGENT"]
    assert by_name["companies_house"]["answers"] == ["officers", "owners", "record", "search"]


@pytest.mark.usefixtures("house")
def test_it_looks_a_company_up(client, url):
    answer = client.get(url("register-candidates", "companies_house"), {"name": "Twin Trading Limited"})
    assert answer.json()["verdict"] == "ambiguous"
    assert [one["number"] for one in answer.json()["candidates"]] == ["00000001", "00000002"]


@pytest.mark.usefixtures("house")
def test_it_reads_everything_of_a_company(client, url):
    document = client.get(url("register-record", "companies_house", "12345")).json()
    assert document["record"]["number"] == "00012345"
    assert document["owners"]["owners"][0]["control"][0]["low"] == "25"
    assert len(document["officers"]["officers"]) == 3


@pytest.mark.parametrize(
    ("register", "number", "status", "code"),
    [
        ("companies_house", "88888888", 404, "not-found"),
        ("companies_house", "x", 400, "bad-number"),
        ("edgar", "1", 503, "not-configured"),
        ("nowhere", "1", 503, "not-configured"),
    ],
)
@pytest.mark.usefixtures("house")
def test_refusals_are_told_apart(client, url, register, number, status, code):
    answer = client.get(url("register-record", register, number))
    assert (answer.status_code, answer.json()["type"]) == (status, f"urn:dossier:{code}")


def test_a_refused_key_is_our_trouble(client, url, house):
    house.guard = lambda question: Reply({}, 401)
    answer = client.get(url("register-record", "companies_house", "1"))
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:dossier:register-denied")


def test_the_rule_chooses_and_what_it_imports_is_shown(chosen, client_of, url, decider):
    assert (chosen["verdict"], chosen["number"], chosen["entity"]) == (
        "auto-selected",
        "00012345",
        "london-lamps",
    )
    assert len(chosen["facts"]) == 9
    assert decider.get(url("selection", chosen["id"])).json()["facts"] == chosen["facts"]
    [listed] = decider.get(url("entity-selections", "london-lamps")).json()["results"]
    assert listed["id"] == chosen["id"]
    assert decider.get(url("selections"), {"register": "fca"}).json()["results"] == []


def test_none_of_these_is_recorded(decider, url, house, lamps):
    body = {"register": "companies_house", "none_of_these": True, "reason": "another one"}
    answer = decider.post(url("entity-selections", "london-lamps"), body)
    assert (answer.status_code, answer.json()["verdict"]) == (201, "rejected")


def test_a_second_choice_is_a_conflict(chosen, decider, url):
    answer = decider.post(url("entity-selections", "london-lamps"), {"register": "companies_house"})
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:refused")


def test_whoever_may_not_decide_is_refused(client, url, house, lamps):
    answer = client.post(url("entity-selections", "london-lamps"), {"register": "companies_house"})
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:dossier:not-permitted")
    assert not RegisterSelection.objects.exists()


def test_a_correction_is_looked_at_and_then_made(chosen, decider, url):
    path = url("selection-correction", chosen["id"])
    plan = decider.get(path).json()
    assert len(plan["steps"]) == 9
    body = {"kind": "wrong-entity", "reason": "the other", "digest": plan["digest"], "number": "99999"}
    answer = decider.post(path, body)
    assert answer.status_code == 201
    assert len(answer.json()["undone"]) == 9
    new = decider.get(url("selection", answer.json()["replacement"])).json()
    assert (new["number"], new["chooser"], new["reason"]) == ("00099999", "person", "the other")
    again = decider.post(path, body)
    assert again.status_code == 409


def test_a_stale_plan_is_refused(chosen, decider, url):
    body = {"kind": "unlink", "reason": "x", "digest": "0" * 64}
    answer = decider.post(url("selection-correction", chosen["id"]), body)
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:out-of-date")


@pytest.mark.parametrize("body", [{}, {"register": 5, "number": {}}, {"register": "x" * 41}])
def test_a_malformed_choice_is_refused(decider, url, lamps, body):
    assert decider.post(url("entity-selections", "london-lamps"), body).status_code == 400


def test_an_entity_that_is_not_there_gets_no_selection(decider, url):
    answer = decider.post(url("entity-selections", "nobody"), {"register": "companies_house"})
    assert answer.status_code == 404
