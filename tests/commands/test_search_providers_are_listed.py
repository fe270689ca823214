"""``research providers`` and ``research markets``: who is asked, and what the others still need."""

import json

import pytest

pytestmark = pytest.mark.django_db


def test_it_lists_all_when_nothing_is_set_up(run):
    outcome = run("research", "providers")
    assert outcome.code == 0
    assert "TAVILY_API_KEY" in outcome.out
    assert "GOOGLE_API_KEY GOOGLE_CSE_ID" in outcome.out


def test_it_shows_the_order_and_never_a_key(run, settings):
    settings.BRAVE_SEARCH_API_KEY, settings.SEARXNG_BASE_URL = "the-key", "http://127.0.0.1:1"
    settings.DOSSIER_SEARCH = ["searxng", "brave", "alta\x1bvista"]
    shown = run("research", "providers")
    listed = [json.loads(line) for line in run("research", "providers", "--json").out.splitlines()]
    assert [(each["name"], each["state"], each["place"]) for each in listed[:2]] == [
        ("searxng", "asked", 1),
        ("brave", "asked", 2),
    ]
    assert listed[-1]["state"] == "not known"
    assert {"name": "openalex", "state": "not asked", "place": None, "missing": []} in listed
    assert "the-key" not in shown.out + json.dumps(listed)
    assert "\x1b" not in shown.out


def test_market_sources_are_listed_without_their_keys(run, settings):
    settings.HELIUS_BASE_URL, settings.HELIUS_API_KEY = "http://127.0.0.1:1", "the-key"
    settings.RUGCHECK_BASE_URL, settings.X_BASE_URL = "http://127.0.0.1:1", "http://127.0.0.1:1"
    settings.X_BEARER_TOKEN = ""
    shown = run("research", "markets")
    listed = {each["name"]: each for each in run("research", "markets", "--json").documents}
    assert (listed["helius"]["state"], listed["rugcheck"]["state"]) == ("asked", "asked")
    assert listed["x"] == {"name": "x", "state": "not set up", "missing": ["X_BEARER_TOKEN"]}
    assert "the-key" not in shown.out + json.dumps(listed)
