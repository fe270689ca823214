import threading

import pytest
from django.db import connection

from research.errors import DossierError, InvalidTransition
from research.models import AuditEvent, Decision, ResearchResult
from research.services import reviews
from research.services.reviews import approve_result, reject_result, request_changes
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory


def approve(result, reviewer):
    return approve_result(result=result, reviewer=reviewer, digest=result.digest)


def reject(result, reviewer):
    return reject_result(result=result, reviewer=reviewer, digest=result.digest, reason="wrong company")


def send_back(result, reviewer):
    return request_changes(result=result, reviewer=reviewer, digest=result.digest, feedback="look in Austria")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("decide", "state", "verdict"),
    [
        (approve, "approved", "approved"),
        (reject, "rejected", "rejected"),
        (send_back, "superseded", "needs_changes"),
    ],
)
def test_it_moves_the_result_and_keeps_who_and_why(result, reviewer, decide, state, verdict):
    decide(result, reviewer)
    result.refresh_from_db()
    decision = Decision.objects.get(result=result)
    assert (result.state, decision.verdict, decision.reviewer) == (state, verdict, reviewer)
    assert AuditEvent.objects.filter(action=f"result.{verdict}", actor=reviewer).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("first", [approve, reject, send_back])
@pytest.mark.parametrize("second", [approve, reject, send_back])
def test_it_refuses_a_second_decision_and_says_who_was_first(result, reviewer, first, second):
    first(result, reviewer)
    with pytest.raises(InvalidTransition, match=reviewer.username):
        second(result, reviewer)
    assert Decision.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_it_lets_one_of_twenty_reviewers_win(monkeypatch):
    """All twenty have seen the result waiting before the first of them decides."""
    result = ResultFactory()
    people = [UserFactory(rights=ALL_RIGHTS) for _ in range(20)]
    start, outcomes, first_look = threading.Barrier(20), [], reviews._may_decide

    def look_and_wait(*args):
        first_look(*args)
        connection.close()  # twenty waiting threads must not hold the pool's connections
        start.wait(timeout=30)

    def decide(person, number):
        try:
            mine = ResearchResult.objects.get(pk=result.pk)
            (approve if number % 2 else reject)(mine, person)
            outcomes.append("won")
        except DossierError as error:
            outcomes.append(error.code)
        finally:
            connection.close()

    monkeypatch.setattr(reviews, "_may_decide", look_and_wait)
    threads = [threading.Thread(target=decide, args=(person, n)) for n, person in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["invalid-transition"] * 19 + ["won"]
    assert Decision.objects.count() == 1
    assert AuditEvent.objects.filter(object_type="researchresult").count() == 1
