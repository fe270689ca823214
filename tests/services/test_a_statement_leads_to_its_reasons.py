"""Why do we believe this? From a value to its statement, verb call, decision, check, quote and archived page."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from entities.models import Statement
from entities.reasons import reasons_for
from research.models import Decision, VerbCall
from research.services.execution import execute_verbs
from research.services.rollback import roll_back_verbs
from research.verbs.calls import planned_calls
from tests.factories import ALL_RIGHTS, DocumentFactory, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db
TEXT = (
    '(ownership.record :owner-name "Parent plc" :owner-type "company" :owned-name "Child Ltd" :percentage 70)'
)


@pytest.fixture
def person():
    return UserFactory(username="reviewer", rights=ALL_RIGHTS)


@pytest.fixture
def document():
    return DocumentFactory(url="https://example.org/report", title="Annual report")


@pytest.fixture
def decision(person, document):
    """An approval that rests on a quote, with a check on another place, executed."""
    evidence = {"quote": "Parent plc holds 70 per cent", "document": document.pk, "start": 5, "end": 33}
    quote = {"kind": "quote", "pointer": "/owners/0/share", "verdict": "pass", "message": "It stands there."}
    other = {"kind": "lei", "pointer": "/agent", "verdict": "fail", "message": "Of something else."}
    result = ResultFactory(state="approved")
    made = Decision.objects.create(
        result=result,
        verdict="approved",
        reviewer=person,
        reason="The report says so.",
        result_digest=result.digest,
        macro=result.run.macro,
        data={"owners": [{"name": "parent PLC", "share": 70.0}], "agent": "Somebody"},
        checks=[{**quote, "evidence": evidence}, other],
        digest=result.digest,
        verbs=TEXT,
    )
    for ordinal, call in enumerate(planned_calls(TEXT), start=1):
        VerbCall.objects.create(
            decision=made, ordinal=ordinal, verb=call.verb, text=call.text, arguments=call.arguments
        )
    execute_verbs(decision=made, actor=person)
    return made


@pytest.fixture
def stated(decision):
    return Statement.objects.select_related("subject", "object").get(property="owned-by")


def test_the_chain_ends_at_the_archived_page(stated, document):
    chain = reasons_for(stated, lambda permission: True)
    assert [one.kind for one in chain] == ["statement", "source", "call", "decision", "quote", "page"]
    said, _, call, decided, quote, page = chain
    assert said.text == "Child Ltd: owned by Parent plc, 70 %, since when is not known"
    assert (call.who, call.verdict) == ("reviewer", "succeeded")
    assert (decided.who, decided.text.endswith("The report says so.")) == ("reviewer", True)
    assert quote.quote == "Parent plc holds 70 per cent"
    assert quote.path.endswith(f"/{document.pk}/change/?from=5&to=33#passage")
    assert (page.text, page.address) == ("Annual report", "https://example.org/report")


def test_what_a_person_may_not_see_is_left_out(stated):
    def kinds(*allowed):
        return [
            one.kind
            for one in reasons_for(stated, {f"research.view_{each}" for each in allowed}.__contains__)
        ]

    assert kinds() == ["statement", "source"]
    assert kinds("verbcall") == ["statement", "source", "call"]
    assert kinds("decision", "check") == ["statement", "source", "decision", "quote"]


def test_what_was_taken_back_says_so(stated, decision, person):
    roll_back_verbs(result=decision.result, actor=person, reason="misread")
    chain = reasons_for(stated, lambda permission: True) if stated.subject.pk else []
    [back] = [one for one in chain if one.kind == "rollback"]
    assert (back.who, back.text) == ("reviewer", "misread")


def test_a_statement_without_a_call_has_its_source_alone(stated):
    stated.call = None
    assert [one.kind for one in reasons_for(stated, lambda permission: True)] == ["statement", "source"]


def test_the_command_and_rest_tell_the_chain(stated, client):
    out = StringIO()
    call_command("entities", "why", str(stated.pk), "--json", stdout=out)
    told = [json.loads(line)["kind"] for line in out.getvalue().splitlines()]
    assert told == ["statement", "source", "call", "decision", "quote", "page"]
    client.force_login(UserFactory(rights=["view_statement", "view_decision"]))
    answer = client.get(reverse("api-statement-reasons", args=[stated.pk]))
    assert [one["kind"] for one in answer.json()] == ["statement", "source", "decision"]


def test_the_page_of_an_entity_names_the_decision_that_wrote_its_owner(stated, client):
    rights = ["view_entity", "view_statement", "view_run", "view_verbcall", "view_decision"]
    client.force_login(UserFactory(rights=rights))
    page = client.get(reverse("admin:entities_entity_change", args=[stated.object_id])).content.decode()
    assert "no decision has written it" not in page
    assert "ownership.record" in page
    url = reverse("admin:entities_entity_why", args=[stated.subject_id, stated.pk])
    assert [one.kind for one in client.get(url).context["chain"]][-1] == "decision"
