"""What was found is true for a while; then it has to be found again before anybody signs for it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.errors import ResultExpired
from research.models import Decision
from research.services.reviews import approve_result, reject_result, request_changes
from tests.factories import ResultFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def old():
    return ResultFactory(expires_at=timezone.now() - timedelta(seconds=1))


def test_it_refuses_an_approval_and_says_what_to_do(old, reviewer):
    with pytest.raises(ResultExpired, match="run it again") as refusal:
        approve_result(result=old, reviewer=reviewer, digest=old.digest)
    old.refresh_from_db()
    assert (old.state, Decision.objects.count()) == ("pending_review", 0)
    assert refusal.value.detail["expired_at"] == f"{old.expires_at:%Y-%m-%dT%H:%M:%SZ}"


def test_it_may_still_be_rejected(old, reviewer):
    assert reject_result(result=old, reviewer=reviewer, digest=old.digest, reason="old").verdict == "rejected"


def test_it_may_still_be_run_again(old, reviewer):
    run = request_changes(result=old, reviewer=reviewer, digest=old.digest, feedback="as of today")
    assert run.rerun_of == old


@pytest.mark.parametrize("expires_at", [None, timezone.now() + timedelta(days=1)])
def test_it_may_be_approved_before(expires_at, reviewer):
    result = ResultFactory(expires_at=expires_at)
    assert approve_result(result=result, reviewer=reviewer, digest=result.digest).verdict == "approved"
