"""A memo tells what its decision recorded of two entities, and for when; later decisions change nothing."""

import pytest
from django.utils import timezone

from research.memo.content import build
from research.memo.labels import labels_for
from research.services.execution import execute_verbs
from tests.factories import ALL_RIGHTS, UserFactory
from tests.services.rolling_back.conftest import approve

pytestmark = pytest.mark.django_db
BOTH = '(entity.ensure :entity-type "company" :name "Child")(entity.ensure :entity-type "company" :name "Parent")'
OWN = '(ownership.record :owner "parent" :owned "child" :percentage {} :as-of "{}" :source "report {}")'


def recorded(decision):
    return [
        line.changed
        for line in build(decision.result, {}, labels_for("en")).verbs
        if "owned-by" in line.changed
    ]


def test_it_tells_the_share_the_days_and_when_it_was_recorded():
    person = UserFactory(rights=ALL_RIGHTS)

    def decide(text):
        decision = approve(text, person)
        execute_verbs(decision=decision, actor=person)
        return decision

    decide(BOTH)
    first = decide(OWN.format(70, 2024, 2024))
    [told] = recorded(first)
    assert told.endswith(f"child owned-by parent 70 %: … – …, recorded {timezone.now().date()}")
    second = decide(OWN.format(40, 2025, 2025))
    assert recorded(first) == [told]
    assert "parent 40 %: 2025-12-31 – …" in recorded(second)[0]
