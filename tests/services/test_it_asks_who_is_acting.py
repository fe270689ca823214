import pytest
from django.utils import timezone

from research.errors import NotPermitted
from research.models import Decision
from research.services.dismissals import dismiss_failure, dismiss_failures, show_failure_again
from research.services.execution import execute_verbs
from research.services.macros import publish_macro
from research.services.reviews import approve_result, reject_result, request_changes
from research.services.runs import cancel_run, resume_run, start_run
from tests.factories import ALL_RIGHTS, MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


def without(right):
    return UserFactory(rights=[name for name in ALL_RIGHTS if name != right])


def start(person):
    start_run(macro=MacroFactory().name, params={"client_name": "x"}, trigger="api", requested_by=person)


def decide(call, **more):
    def act(person):
        result = ResultFactory()
        call(result=result, reviewer=person, digest=result.digest, **more)

    return act


def execute(person):
    result = ResultFactory()
    decision = approve_result(result=result, reviewer=UserFactory(rights=ALL_RIGHTS), digest=result.digest)
    execute_verbs(decision=decision, actor=person)


CASES = [
    ("start_run", start),
    ("start_run", lambda person: resume_run(run=RunFactory(state="failed"), actor=person)),
    ("start_run", lambda person: cancel_run(run=RunFactory(), actor=person)),
    ("start_run", lambda person: dismiss_failure(run=RunFactory(state="failed"), actor=person)),
    ("start_run", lambda person: show_failure_again(run=RunFactory(state="failed"), actor=person)),
    ("start_run", lambda person: dismiss_failures(actor=person, until=timezone.now())),
    ("decide_researchresult", decide(approve_result)),
    ("decide_researchresult", decide(reject_result, reason="no")),
    ("decide_researchresult", decide(request_changes, feedback="again")),
    ("execute_verbs", execute),
    ("add_macro", lambda person: publish_macro(text=MacroFactory.build().text, actor=person)),
]


@pytest.mark.parametrize(("right", "act"), CASES)
def test_it_refuses_a_person_without_the_right_and_names_it(right, act):
    with pytest.raises(NotPermitted, match=right):
        act(without(right))


@pytest.mark.parametrize(("right", "act"), CASES)
def test_it_refuses_a_person_who_was_deactivated(right, act):
    person = UserFactory(rights=ALL_RIGHTS, is_active=False)
    with pytest.raises(NotPermitted):
        act(person)


def test_it_keeps_requester_and_approver_apart_under_four_eyes(settings):
    settings.DOSSIER_FOUR_EYES = True
    person, other = UserFactory(rights=ALL_RIGHTS), UserFactory(rights=ALL_RIGHTS)
    result = ResultFactory(run__requested_by=person)
    with pytest.raises(NotPermitted, match="four-eyes"):
        approve_result(result=result, reviewer=person, digest=result.digest)
    approve_result(result=result, reviewer=other, digest=result.digest)
    assert Decision.objects.get().reviewer == other
