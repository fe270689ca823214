"""Looking into a register, choosing, and taking a choice back in the admin; nothing changes by looking."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from entities.models import RegisterCorrection, RegisterSelection, RegisterThreshold
from entities.services.selection import select_company
from tests.entities.registers.doubles import company
from tests.entities.registers.fake import Reply
from tests.factories import EntityFactory, UserFactory
from tests.tools.registers import set_up

pytestmark = pytest.mark.django_db
ADD = "admin:entities_registerselection_add"
VIEWS = ["view_registerselection", "view_importedfact", "view_registercorrection", "view_entity"]
THRESHOLDS = [f"{verb}_registerthreshold" for verb in ("view", "add", "change", "delete")]


@pytest.fixture
def house(settings):
    with set_up(settings, "companies_house", "fca") as fakes:
        yield fakes["companies_house"]


@pytest.fixture
def person(client):
    person = UserFactory(rights=["decide_register", *VIEWS, *THRESHOLDS])
    client.force_login(person)
    return person


@pytest.fixture
def lamps():
    return EntityFactory(name="London Lamps Limited", slug="london-lamps")


@pytest.fixture
def chosen(house, person, lamps):
    return select_company(entity=lamps, register="companies_house", by=person)


def look(client, **asked):
    known = {"entity": "london-lamps", "register": "companies_house", "name": "", "number": ""}
    return client.get(reverse(ADD), {**known, **asked})


def choose(client, **posted):
    known = {"entity": "london-lamps", "register": "companies_house", "name": "", "number": "", "reason": ""}
    return client.post(reverse(ADD), {**known, **posted})


def correct(client, selection, **posted):
    path = reverse("admin:entities_registerselection_correct", args=[selection.pk])
    page = client.get(path).content.decode()
    digest = re.search(r'name="digest" value="(\w+)"', page)[1]
    return client.post(path, {"kind": "unlink", "reason": "wrong", "digest": digest, **posted})


@pytest.mark.usefixtures("house", "person", "lamps")
def test_looking_shows_candidates_and_writes_nothing(client):
    page = look(client).content.decode()
    assert "the rule would take it" in page
    assert "LONDON LAMPS (EXPORT) LIMITED" in page
    assert re.search(r'value="00012345"[^>]*checked', page)
    assert not RegisterSelection.objects.exists()


@pytest.mark.usefixtures("house", "person", "lamps")
def test_before_a_look_the_page_says_what_is_not_set_up(client):
    page = client.get(reverse(ADD)).content.decode()
    assert "SEC_EDGAR_USER_AGENT" in page
    assert 'name="choice"' not in page


@pytest.mark.usefixtures("house", "person", "lamps")
def test_taking_the_chosen_line_puts_it_on_record(client):
    answer = choose(client, action="choose", choice="00012345")
    selection = RegisterSelection.objects.get()
    assert answer.url == reverse("admin:entities_registerselection_change", args=[selection.pk])
    assert (selection.verdict, selection.number) == ("user-confirmed", "00012345")
    page = client.get(answer.url).content.decode()
    assert "CANDLE WORKS LIMITED" in page
    assert "Take back" in page


@pytest.mark.usefixtures("house", "person", "lamps")
@pytest.mark.parametrize(
    ("posted", "said"),
    [
        ({"action": "choose"}, "pick the line that you mean"),
        ({"action": "choose", "choice": "SC000077"}, "reason in words"),
        ({"action": "none"}, "reason in words"),
        ({"action": "choose", "choice": "00012345", "entity": "nobody"}, "no entity with this slug"),
        ({"action": "choose", "choice": "../x", "reason": "y"}, "is not a company number"),
    ],
)
def test_what_is_refused_is_said_on_the_page(client, posted, said):
    answer = choose(client, **posted)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not RegisterSelection.objects.exists()


@pytest.mark.usefixtures("house", "person", "lamps")
def test_none_of_these_is_recorded_with_its_reason(client):
    choose(client, action="none", reason="another company")
    assert RegisterSelection.objects.get().verdict == "rejected"


@pytest.mark.usefixtures("person", "lamps")
def test_trouble_is_said_and_is_not_absence(client, house):
    house.guard = lambda question: Reply({}, 401)
    answer = look(client)
    assert answer.status_code == 400
    assert "does not accept the key or our address" in answer.content.decode()


@pytest.mark.usefixtures("person", "lamps")
def test_hostile_text_of_a_register_is_shown_as_text(client, house):
    house.route(
        "/search/companies",
        {
            "items": [
                {
                    "title": "LONDON LAMPS <script>alert(1)</script>",
                    "company_number": "1",
                    "company_status": "<b>",
                }
            ],
            "total_results": 1,
        },
    )
    page = look(client).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;" in page


def test_whoever_may_not_decide_does_not_look(client, house, lamps, chosen):
    client.force_login(UserFactory(rights=VIEWS))
    assert look(client).status_code == 403
    assert choose(client, action="choose", choice="00012345").status_code == 403
    path = reverse("admin:entities_registerselection_correct", args=[chosen.pk])
    assert client.get(path).status_code == 403
    page = client.get(reverse("admin:entities_registerselection_change", args=[chosen.pk])).content.decode()
    assert "Take back" not in page


def test_the_list_tells_what_is_in_force(client, chosen):
    page = client.get(reverse("admin:entities_registerselection_changelist")).content.decode()
    assert "in force" in page
    assert "auto selected" in page


def test_a_correction_shows_its_plan_first(client, chosen):
    path = reverse("admin:entities_registerselection_correct", args=[chosen.pk])
    page = client.get(path).content.decode()
    assert "the number 00012345" in page
    assert "without the names CANDLE WORKS LIMITED" in page
    assert not RegisterCorrection.objects.exists()


def test_a_correction_is_made_and_told(client, chosen):
    answer = correct(client, chosen)
    done = RegisterCorrection.objects.get()
    assert answer.url == reverse("admin:entities_registercorrection_change", args=[done.pk])
    assert "the number 00012345" in client.get(answer.url).content.decode()
    page = client.get(reverse("admin:entities_registerselection_changelist")).content.decode()
    assert "taken back" in page
    again = client.get(reverse("admin:entities_registerselection_correct", args=[chosen.pk]), follow=True)
    assert "corrected already" in again.content.decode()


def test_a_correction_may_name_the_right_line(client, chosen):
    correct(client, chosen, kind="wrong-entity", number="99999")
    assert RegisterCorrection.objects.get().replacement.number == "00099999"


@pytest.mark.parametrize(
    "posted",
    [{"reason": ""}, {"kind": "unlink", "number": "99999"}, {"into": "nobody"}, {"digest": "0" * 64}],
)
def test_an_unsound_correction_changes_nothing(client, chosen, posted):
    answer = correct(client, chosen, **posted)
    assert answer.status_code == 400
    assert not RegisterCorrection.objects.exists()


def test_a_line_that_was_dissolved_meanwhile_can_be_read_again(client, chosen, house):
    house.route("/company/00012345", company("00012345", "LONDON LAMPS LIMITED", company_status="dissolved"))
    correct(client, chosen, kind="stale-data", number="12345")
    entity = RegisterCorrection.objects.get().replacement.entity
    assert entity.metadata["registers"]["companies_house"]["standing"] == "ended"


@pytest.mark.usefixtures("person")
def test_thresholds_are_edited_by_people(client):
    row = RegisterThreshold.objects.get(register="companies_house")
    path = reverse("admin:entities_registerthreshold_change", args=[row.pk])
    values = {"register": "companies_house", "auto": "0.95", "ambiguous": "0.8", "reject": "0.5"}
    assert client.post(path, values).status_code == 302
    row.refresh_from_db()
    assert (row.auto, row.ambiguous) == (Decimal("0.950"), Decimal("0.800"))


@pytest.mark.usefixtures("person")
def test_thresholds_out_of_order_are_refused_on_the_page(client):
    path = reverse("admin:entities_registerthreshold_add")
    values = {"register": "fca", "auto": "0.5", "ambiguous": "0.8", "reject": "0.1"}
    answer = client.post(path, values)
    assert answer.status_code == 200
    assert "0 ≤ reject ≤ ambiguous ≤ auto ≤ 1" in answer.content.decode()
    assert not RegisterThreshold.objects.filter(register="fca").exists()


@pytest.mark.usefixtures("person")
def test_a_register_whose_thresholds_are_removed_follows_all_others(client):
    row = RegisterThreshold.objects.get(register="companies_house")
    path = reverse("admin:entities_registerthreshold_delete", args=[row.pk])
    assert client.post(path, {"post": "yes"}).status_code == 302
    assert not RegisterThreshold.objects.filter(register="companies_house").exists()
