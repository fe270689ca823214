from itertools import product

import pytest
from django.urls import reverse

from config.urls import admin
from entities.models import EntityType, LeiPolicy, RegisterSelection, RegisterThreshold, ScreeningPolicy
from research import audit
from research.models import ModelPrice, ResearchResult, Watch, Webhook
from research.services.execution import execute_verbs
from research.services.memos import compose_memo
from research.services.reviews import approve_result
from tests.cases import cases
from tests.factories import ALL_RIGHTS, ResultFactory, RunFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db
OURS = [model for model in admin.site._registry if model._meta.app_label in ("research", "entities")]
# What models cost, how often a question is looked at again, what counts as a failure of an LEI, from which score on a
# rule may choose a line of a register, what entities can be, who is told what happens; and the page on which people
# choose a line themselves.
BY_PEOPLE = (
    ModelPrice,
    Watch,
    Webhook,
    LeiPolicy,
    RegisterThreshold,
    RegisterSelection,
    EntityType,
    ScreeningPolicy,
)
READ_ONLY = [model for model in OURS if model not in BY_PEOPLE]
HOSTILE = "<script>alert(1)</script>"


def name_of(part):
    return part if isinstance(part, str) else part._meta.model_name


@pytest.fixture
def house(client):
    """One of everything, made through the services, with hostile text wherever text comes from outside."""
    person = UserFactory(rights=ALL_RIGHTS, is_superuser=True)
    client.force_login(person)
    run = RunFactory(
        state="succeeded",
        session=SessionFactory(title=HOSTILE),
        params={"client_name": HOSTILE},
        error={"message": HOSTILE},
    )
    result = ResultFactory(run=run, limitations=[HOSTILE])
    run.steps.create(seq=1, kind="tool", name="lei_search", answer={"text": HOSTILE}, fence=1)
    result.checks.create(
        ordinal=1,
        kind="lei",
        code="name",
        verdict="fail",
        message=HOSTILE,
        subject=HOSTILE,
        checked_at=run.created_at,
    )
    decision = approve_result(result=result, reviewer=person, digest=result.digest)
    execute_verbs(decision=decision, actor=person)
    compose_memo(result=ResearchResult.objects.get(), actor=person)
    audit.record("tested", run, person, text=HOSTILE)
    return client


@cases("model", OURS, ids=name_of)
def test_it_lists_and_shows_every_kind_of_row(house, model):
    meta = model._meta
    listing = house.get(reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist"))
    assert listing.status_code == 200
    for row in model.objects.all()[:3]:
        page = house.get(
            reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[row.pk]), follow=True
        )
        assert page.status_code == 200
        assert HOSTILE not in page.content.decode()
    assert HOSTILE not in listing.content.decode()


@cases("model", OURS, ids=name_of)
def test_it_offers_a_search(house, model):
    meta = model._meta
    found = house.get(reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist"), {"q": "Allianz"})
    assert found.status_code == 200
    assert "searchbar" in found.content.decode()


@cases("model, action", product(READ_ONLY, ("add", "change", "delete")), ids=name_of)
def test_it_changes_nothing_through_the_stock_forms(house, model, action):
    meta = model._meta
    row = model.objects.first()
    if action != "add" and row is None:
        assert model.objects.count() == 0
        return
    args = [] if action == "add" else [row.pk]
    before = list(model.objects.values())
    answer = house.post(
        reverse(f"admin:{meta.app_label}_{meta.model_name}_{action}", args=args), {"post": "yes"}
    )
    to_the_gate = model is ResearchResult and action == "change"
    assert answer.status_code == (302 if to_the_gate else 403)
    assert list(model.objects.values()) == before


def test_it_sends_a_strict_policy_with_every_page(house):
    policy = house.get(reverse("admin:index")).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
