"""``research providers``: who is asked, in which order, and what the others still need."""

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
