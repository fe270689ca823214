"""``/readyz`` says which models and search providers are set up, and whether one is left alone, without asking any."""

import pytest

from research.services import readiness
from research.web.search.base import SearchFault
from research.web.search.resilience import Rate, Resilience

pytestmark = pytest.mark.django_db
KEY = "a-secret-key-that-nobody-is-told"


class Broken:
    name = "tavily"

    def search(self, query, max_results, *, seconds):
        raise SearchFault("server_error", "tavily is in trouble (HTTP 500).")


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
    rules = Resilience(sleep=lambda seconds: None, rates={"tavily": Rate(1_000, 1_000)})
    monkeypatch.setattr(readiness, "SHARED", rules)
    for _ in range(5):
        with pytest.raises(SearchFault):
            rules.call(Broken(), "q", 5)
    assert told(client)["search"] == [
        {"name": "tavily", "configured": True, "breaker": "open"},
        {"name": "brave", "configured": False, "breaker": "closed"},
        {"name": "nobody", "configured": False, "breaker": "closed"},
    ]


def test_nothing_set_up_is_no_reason_not_to_work(client, settings):
    settings.DOSSIER_MODEL = ""
    assert told(client) == {
        "status": "ok",
        "models": [],
        "search": [{"name": "archive", "configured": True, "breaker": "closed"}],
        "register_names": "names alike are found",
    }
