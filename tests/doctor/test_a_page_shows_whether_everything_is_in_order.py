"""The page of the admin: what asks nobody at once, all others when the button is pressed."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    person = UserFactory(is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="view_auditevent"))
    client.force_login(person)
    return client


def test_it_is_for_those_who_may_see_the_audit_trail(client):
    client.force_login(UserFactory(is_staff=True))
    assert client.get(reverse("admin:doctor")).status_code == 403
    assert client.post(reverse("admin:doctor")).status_code == 403
    assert reverse("admin:doctor") not in client.get(reverse("admin:index")).content.decode()


def test_it_is_led_to_from_the_start_page(operator):
    assert reverse("admin:doctor") in operator.get(reverse("admin:index")).content.decode()


def test_it_asks_nobody_outside_before_the_button_is_pressed(operator, house):
    page = operator.get(reverse("admin:doctor")).content.decode()
    assert house.questions == []
    assert "tables are guarded by their triggers" in page
    assert "Ask models and sources" in page


def test_answers_are_added_to_the_page_as_they_come(operator, house):
    house.change = lambda path, body: {"data": []} if "fuzzycompletions" in path else body
    response = operator.post(reverse("admin:doctor"))
    pieces = [piece.decode() for piece in response.streaming_content]
    page = "".join(pieces)
    assert len(pieces) > 25
    assert "doctor-spinner" in pieces[0]
    assert "doctor-done" in pieces[-2]
    assert "data is an empty list" in page
    assert page.count("<section") == page.count("</section>")
    assert page.count("<ul") == page.count("</ul>")
    assert page.count("<div") == page.count("</div>")
    assert page.rstrip().endswith("</html>")
