"""``/readyz`` says which models and search providers are set up, and whether one is left alone, without asking any."""

import pytest

from common.outside.client import Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Rate
from research.doctor.vitals import COMPONENTS, VITALS
from research.services import readiness
from research.services.tokens import issue_token
from research.web.search.search import web_search
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
KEY = "a-secret-key-that-nobody-is-told"


class Broken:
    name = "tavily"

    def search(self, query, max_results, *, seconds):
        raise SourceFault("tavily", "server_error", "is in trouble (HTTP 500)")


@pytest.fixture(autouse=True)
def somebody(client):
    """Who may see the doctor's page."""
    person = UserFactory(rights=["view_auditevent"])
    client.force_login(person)
    VITALS.forget()
    yield person
    VITALS.forget()


def behind(monkeypatch):
    monkeypatch.setattr("research.doctor.vitals.pending_migrations", lambda: 3)
    VITALS.forget()


def told(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert KEY not in answer.content.decode()
    return answer.json()


def test_it_says_which_models_can_be_asked(client, settings):
    settings.DOSSIER_MODEL = "anthropic:m,openai:n,openai-chat:local,register,nonsense"
    settings.ANTHROPIC_API_KEY, settings.OPENAI_API_KEY = KEY, ""
    settings.OPENAI_CHAT_BASE_URL = "http://127.0.0.1:1/v1"
    assert told(client)["models"] == [
        {"name": "anthropic:m", "configured": True},
        {"name": "openai:n", "configured": False},
        {"name": "openai-chat:local", "configured": True},
        {"name": "register", "configured": True},
        {"name": "nonsense", "configured": False},
    ]


def test_it_says_which_search_providers_are_asked_and_which_are_left_alone(client, settings, monkeypatch):
    settings.DOSSIER_SEARCH, settings.TAVILY_API_KEY = ["tavily", "brave", "nobody"], KEY
    rules = Traffic(sleep=lambda seconds: None, rates={"tavily": Rate(0, 0)})
    monkeypatch.setattr(readiness, "TRAFFIC", rules)
    for _ in range(5):
        assert web_search(["q"], 5, [Broken()], traffic=rules).failed
    assert told(client)["search"] == [
        {"name": "tavily", "configured": True, "breaker": "open"},
        {"name": "brave", "configured": False, "breaker": "closed"},
        {"name": "nobody", "configured": False, "breaker": "closed"},
    ]


def test_nothing_set_up_is_no_reason_not_to_work(client, settings):
    settings.DOSSIER_MODEL = ""
    answer = told(client)
    assert set(answer.pop("components")) == set(COMPONENTS)
    assert answer == {
        "status": "ok",
        "models": [],
        "search": [{"name": "archive", "configured": True, "breaker": "closed"}],
        "register_names": "names alike are found",
    }


def test_strangers_are_told_only_whether_it_is_ready(client, monkeypatch):
    client.force_login(UserFactory())
    for known in (client.logout, lambda: None):
        assert client.get("/readyz").json() == {"status": "ok"}
        known()
    assert client.get("/readyz", headers={"Authorization": "Bearer wrong"}).json() == {"status": "ok"}
    behind(monkeypatch)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})


def test_a_token_of_somebody_who_may_see_it_is_enough(client, somebody, monkeypatch):
    client.logout()
    headers = {"Authorization": f"Bearer {issue_token(user=somebody)[1]}"}
    behind(monkeypatch)
    answer = client.get("/readyz", headers=headers)
    assert (answer.status_code, answer.json()["components"]["database"]["seen"]) == (
        503,
        "3 migrations are not applied.",
    )
