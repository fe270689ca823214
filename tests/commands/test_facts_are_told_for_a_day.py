"""``entities show --as-of --known-at`` and ``entities history``, and the same in REST and for agents."""

import json
from datetime import UTC, date, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from entities import memory
from entities.memory import ChangeLog, Origin
from research.tools.tool import REGISTRY as TOOLS
from research.tools.tool import ToolContext, run_tool
from tests.cases import cases
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
MARCH, MAY = (datetime(2026, month, 1, 12, tzinfo=UTC) for month in (3, 5))


@pytest.fixture(autouse=True)
def owned():
    child, parent = (
        EntityFactory(slug="child", name="Child Ltd"),
        EntityFactory(slug="parent", name="Parent plc"),
    )
    for share, at, day in ((70, MARCH, date(2025, 12, 31)), (40, MAY, date(2026, 4, 30))):
        log = ChangeLog(origin=Origin(kind="document", source=f"Report {day.year}", signed_by="ada"), at=at)
        memory.link(subject=child, object=parent, type="owned-by", percentage=share, as_of=day, log=log)
    return child


def told(*arguments):
    out = StringIO()
    call_command("entities", *arguments, stdout=out)
    return out.getvalue()


# (day, known on, what is told)
ASKED = [
    ("2026-03-01", "2026-03-05", ["Parent plc, 70 %"]),
    ("2026-03-01", None, ["Parent plc, 70 %"]),
    ("2026-05-05", "2026-03-05", ["Parent plc, 70 %"]),
    ("2026-05-05", None, ["Parent plc, 40 %"]),
    ("2026-05-05", "2026-02-28", []),
    (None, "2026-05-01", ["Parent plc, 40 %"]),
]


@cases("day, known, expected", ASKED)
def test_every_face_tells_the_same(day, known, expected, client):
    options = [f"--as-of={day}"] * bool(day) + [f"--known-at={known}"] * bool(known)
    document = json.loads(told("show", "child", "--json", *options))
    assert [fact["says"]["value"] for fact in document["facts"]] == expected
    people = told("show", "child", *options)
    assert all(value in people for value in expected or ["nothing was known of it for that day"])
    client.force_login(UserFactory(rights=["view_statement"]))
    query = {name: value for name, value in (("as_of", day), ("known_at", known)) if value}
    answer = client.get(reverse("api-entity-facts", args=["child"]), query).json()
    assert [fact["says"]["value"] for fact in answer["facts"]] == expected
    asked = {name: value for name, value in (("asOf", day), ("knownAt", known)) if value}
    tool = run_tool(TOOLS["get_entity_facts"], {"entityId": "child", **asked}, ToolContext(None))
    assert [fact["value"] for fact in tool["data"]["facts"]] == expected


def test_the_history_tells_all_that_was_said(client):
    lines = told("history", "child").splitlines()
    assert [("70 %" in line, "superseded" in line) for line in lines if "owned by" in line] == [
        (True, False),
        (False, False),
        (True, True),
    ]
    client.force_login(UserFactory(rights=["view_statement"]))
    rows = client.get(reverse("api-entity-statements", args=["child"])).json()["results"]
    assert sorted(row["share"]["text"] for row in rows) == ["40 %", "70 %", "70 %"]
    assert {row["signed_by"] for row in rows} == {"ada"}
    now = client.get(reverse("api-entity-statements", args=["child"]), {"current": "true"}).json()["results"]
    assert len(now) == 2


@cases("day", ["1 March", "2026-02-30", "2026"])
def test_a_day_that_is_none_is_refused(day, client):
    with pytest.raises(CommandError, match="no day such as 2026-03-01"):
        told("show", "child", f"--as-of={day}")
    client.force_login(UserFactory(rights=["view_statement"]))
    for name in ("as_of", "known_at"):
        answer = client.get(reverse("api-entity-facts", args=["child"]), {name: day})
        assert (answer.status_code, name in str(answer.json())) == (400, True)


def test_what_is_not_there_is_said():
    with pytest.raises(CommandError, match="none with the number 999999"):
        told("why", "999999")
    with pytest.raises(CommandError, match="none with the slug"):
        told("history", "nobody")
