from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection

from common import append_only
from research import audit
from research.append_only import GUARDED
from research.audit.verification import Report, verify_trail
from research.models import Decision, Memo, ResearchResult
from research.services.execution import execute_verbs
from research.services.memos import compose_memo
from research.services.reviews import approve_result, reject_result
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory


@dataclass(frozen=True)
class Case:
    """A result that was approved, executed and told in a memo, and one that was turned down."""

    decision: Decision
    rejected: ResearchResult
    memo: Memo


@pytest.fixture(autouse=True)
def elsewhere(trail_elsewhere):
    """Each test has heads of its own."""


@pytest.fixture
def case(db) -> Case:
    """All of it done by the services; the runs stand for what the engine records."""
    group = Group.objects.create(name="reviewers")
    group.permissions.add(Permission.objects.get(codename="view_entity"))
    person = UserFactory(rights=ALL_RIGHTS)
    person.groups.add(group)
    results = [ResultFactory(), ResultFactory()]
    for result in results:
        audit.record("run.succeeded", result.run, None, result, result.run.macro)
    good, bad = results
    decision = approve_result(
        result=good, reviewer=person, digest=good.digest, reason="As the register says."
    )
    execute_verbs(decision=decision, actor=person)
    reject_result(result=bad, reviewer=person, digest=bad.digest, reason="Another company.")
    return Case(decision, bad, compose_memo(result=good, actor=person))


@pytest.fixture
def sealed(case) -> Case:
    """The same, sealed and under a signed head."""
    audit.seal_all()
    audit.keep_head()
    connection.check_constraints()
    assert verify_trail().faults == []
    return case


@pytest.fixture
def forge() -> Callable[..., Report]:
    """Do something to the database as its owner would, triggers off and on again; what is said of the trail then."""

    def forge(*statements: str) -> Report:
        connection.check_constraints()  # PostgreSQL changes no table while it has them to check
        append_only.remove(connection, GUARDED)
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        connection.check_constraints()
        append_only.install(connection, GUARDED)
        return verify_trail()

    return forge
