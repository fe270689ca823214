import pytest

from entities.services.correction import correct_selection
from entities.services.selection import select_company
from research.models import AuditEvent
from tests.factories import EntityFactory, UserFactory
from tests.tools.registers import set_up

pytestmark = pytest.mark.django_db


def test_a_choice_and_its_correction_stand_in_the_audit_trail(settings):
    person = UserFactory(rights=["decide_register"])
    lamps = EntityFactory(name="London Lamps Limited", slug="london-lamps")
    with set_up(settings, "companies_house"):
        selection = select_company(entity=lamps, register="companies_house", by=person)
    correction = correct_selection(selection=selection, kind="unlink", reason="wrong", by=person)
    chosen, corrected = AuditEvent.objects.filter(action__startswith="register.").order_by("id")
    assert (chosen.action, chosen.actor_id, chosen.object_id) == (
        "register.chosen",
        person.pk,
        str(selection.pk),
    )
    assert (
        f"registerselection:{selection.pk}" in chosen.witnessed
    )  # its words stay in the row, which can be erased
    assert (corrected.action, corrected.object_id) == ("register.corrected", str(correction.pk))
    assert corrected.detail == {"selection": str(selection.pk), "kind": "unlink"}
    assert f"registercorrection:{correction.pk}" in corrected.witnessed
