"""``manage.py browse``: one object a line in, one answer a line out; and a small walk for people."""

import io
import json

import pytest
from django.core.management import call_command

pytestmark = pytest.mark.django_db


@pytest.fixture
def browse(monkeypatch):
    def run(*lines, **options):
        given = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(given) + "\n"))
        out = io.StringIO()
        call_command("browse", stdout=out, **options)
        return out.getvalue()

    return run


def asked(tool, **arguments):
    return {"tool": f"research_{tool}", "arguments": arguments}


def test_each_line_has_one_answer(browse, site):
    out = browse(
        asked("open", url=site.url()),
        asked("choose", menuItemId="m0", viewToken="v1"),
        asked("choose", menuItemId="m0", viewToken="v1"),
        "not json",
        "[]",
        {"tool": "rm"},
        asked("open"),
        asked("open", url="http://10.0.0.1/"),
        asked("search", query="Alpenblick"),
        asked("doc_get", url=site.url("/nowhere")),
        asked("external_links"),
        json=True,
    )
    opened, chosen, stale, nothing, listed, unknown, bad, blocked, found, missing, links = map(
        json.loads, out.splitlines()
    )
    assert (opened["viewToken"], chosen["viewToken"], chosen["title"]) == ("v1", "v2", "Companies")
    assert (stale["error"]["type"], stale["error"]["given"], stale["error"]["current"]) == (
        "stale_view_token",
        "v1",
        "v2",
    )
    kinds = [one["error"]["type"] for one in (nothing, listed, unknown, bad, blocked)]
    assert kinds == ["bad_request", "unknown_tool", "unknown_tool", "bad_arguments", "blocked"]
    assert all(set(one["error"]) >= {"type", "message", "current"} for one in (nothing, bad, blocked))
    assert found["hits"][0]["url"] == site.url("/companies")
    assert missing["state"] == "not_found"
    assert links["links"][0] == {
        "url": "https://canton.example.org/",
        "label": "The canton",
        "from": site.url(),
    }


def test_a_person_walks_by_numbers(browse, site):
    out = browse("0", "b", "9999", "t", "q", url=site.url())
    assert out.index("Town of Example") < out.index("Alpenblick AG") < out.index("There is no item 'm9999'")
    assert "kept by the town clerk" in out
