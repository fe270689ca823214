"""Agents that come with wrong tokens, and those that call too often."""

import httpx2
import pytest
from django.core.cache import caches
from django.utils import timezone

from research.models import AuditEvent, Lockout
from research.services.lockouts import knock_with
from research.services.tokens import issue_token
from tests.factories import UserFactory
from tests.mcp.test_agents_come_with_a_token import address

__all__ = ["address"]
WRONG = {"Authorization": "Bearer " + "0" * 64}


def ask(address, headers):
    return httpx2.post(f"{address}/mcp", json={}, headers=headers)


@pytest.mark.django_db(transaction=True)
def test_wrong_tokens_are_counted_together_with_rest_and_a_good_one_is_let_through(address, settings, client):
    settings.LOCKOUT_TOKENS = 4
    good = {"Authorization": f"Bearer {issue_token(user=UserFactory())[1]}"}
    first = [ask(address, WRONG).status_code for _ in range(2)]
    by_rest = [client.get("/api/v1/macros", headers=WRONG).status_code for _ in range(2)]
    then = [ask(address, WRONG) for _ in range(3)]
    assert (first, by_rest, [answer.status_code for answer in then]) == ([401] * 2, [401] * 2, [429] * 3)
    assert 0 < int(then[0].headers["Retry-After"]) <= 900
    assert "too many failed attempts" in then[0].json()["error"]
    assert client.get("/api/v1/macros", headers=WRONG).status_code == 429
    assert ask(address, good).status_code == 400  # it was let in, and said nothing that can be understood
    assert AuditEvent.objects.filter(action="lockout.began").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_request_without_a_token_counts_for_nothing(address):
    for _ in range(12):
        assert ask(address, {}).status_code == 401
    assert not Lockout.objects.exists()


@pytest.mark.django_db
def test_addresses_are_counted_apart_and_zero_never_shuts(settings):
    now = timezone.now()
    for _ in range(11):
        knock_with(Lockout.Scope.TOKEN, "1.1.1.1", now)
    assert knock_with(Lockout.Scope.TOKEN, "1.1.1.1", now)
    assert knock_with(Lockout.Scope.TOKEN, "2.2.2.2", now) is None
    settings.LOCKOUT_TOKENS = 0
    assert not any(knock_with(Lockout.Scope.TOKEN, "3.3.3.3", now) for _ in range(50))


def test_calls_of_a_minute_are_bounded_for_each_person(ask, settings, db):
    settings.DOSSIER_MCP_CALLS_PER_MINUTE = 3
    other = UserFactory(rights=["view_macro"])
    answers = [ask("research_list") for _ in range(5)]
    codes = [answer.get("error", {}).get("code", "done") for answer in answers]
    assert codes == ["done"] * 3 + ["rate_limited"] * 2
    assert answers[-1]["error"]["retryable"]
    assert ask("research_list", by=other)["success"]


def test_processes_that_share_a_cache_count_calls_together(ask, person, settings, db):
    settings.CACHES = {
        **settings.CACHES,
        "shared": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "shared"},
    }
    settings.DOSSIER_MCP_CALLS_PER_MINUTE = 1
    caches["shared"].clear()
    caches["default"].set(f"mcp:{person.pk}:{timezone.now():%Y%m%d%H%M}", 99)
    assert ask("research_list")["success"]
    assert ask("research_list")["error"]["code"] == "rate_limited"
