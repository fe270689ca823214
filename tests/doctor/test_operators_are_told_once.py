"""Somebody is told that a component is broken: after a minute, once, again after hours, and when it is well again."""

from datetime import UTC, datetime, timedelta

import pytest
import requests
from django.core.management import CommandError, call_command

from research.doctor.alarms import Quiet, look
from research.doctor.findings import Finding
from research.management.commands import alarms

WELL, BROKEN = Finding("ok", "Fine."), Finding("broken", "It is down.", "Start it.")
DAY, NIGHT = datetime(2026, 11, 23, 12, tzinfo=UTC), datetime(2026, 11, 23, 23, tzinfo=UTC)
NEVER, NIGHTLY = Quiet(), Quiet.read("22:00-06:00")


def watched(minutes, name="workers", *, begin=DAY, quiet=NEVER):
    """What is told when the component is as ``minutes`` say: (minute, finding)."""
    standing, told = {}, []
    for minute, finding in minutes:
        standing, messages = look(standing, {name: finding}, begin + timedelta(minutes=minute), quiet)
        told += [(minute, message["type"]) for message in messages]
    return told


@pytest.mark.parametrize(
    ("minutes", "told"),
    [
        ([(0, BROKEN)], []),
        ([(0, BROKEN), (0.5, WELL), (1, BROKEN), (1.5, WELL)], []),
        ([(0, BROKEN), (1, BROKEN), (2, BROKEN), (239, BROKEN)], [(1, "health.broken")]),
        ([(0, BROKEN), (1, BROKEN), (241, BROKEN)], [(1, "health.broken"), (241, "health.broken")]),
        ([(0, BROKEN), (1, BROKEN), (2, WELL), (3, WELL)], [(1, "health.broken"), (2, "health.well")]),
    ],
)
def test_it_is_told_when_it_lasts_and_not_again_and_again(minutes, told):
    assert watched(minutes) == told


def test_in_quiet_times_only_what_people_wait_for_is_told():
    night = [(0, BROKEN), (2, BROKEN), (8 * 60, BROKEN)]
    assert watched(night, "seals", begin=NIGHT, quiet=NIGHTLY) == [(480, "health.broken")]
    assert watched(night[:2], "workers", begin=NIGHT, quiet=NIGHTLY) == [(2, "health.broken")]


@pytest.mark.parametrize(
    ("text", "hour", "holds"),
    [
        ("22:00-06:00", 23, True),
        ("22:00-06:00", 5, True),
        ("22:00-06:00", 6, False),
        ("12:00-13:00", 12, True),
        ("", 0, False),
    ],
)
def test_quiet_times_may_go_over_midnight(text, hour, holds):
    assert Quiet.read(text).holds(datetime(2026, 1, 1, hour, tzinfo=UTC)) == holds


@pytest.fixture
def posted(monkeypatch, settings):
    """What was posted, where ``refuse`` says how often the other side refuses first."""
    sent, refuse = [], [0]

    def post(url, json, timeout):
        if refuse[0]:
            refuse[0] -= 1
            raise requests.ConnectionError("away")
        sent.append((url, json))
        answer = requests.Response()
        answer.status_code = 200
        return answer

    settings.DOSSIER_ALERT_URL = "https://alerts.example/hook"
    monkeypatch.setattr(alarms.requests, "post", post)
    monkeypatch.setattr(alarms.VITALS, "now", lambda: {"workers": BROKEN})
    moments = iter(DAY + timedelta(minutes=minute) for minute in range(100))
    monkeypatch.setattr(alarms.timezone, "now", lambda: next(moments))
    monkeypatch.setattr(alarms.Command.keep_watch, "__defaults__", (lambda seconds: None,))
    return sent, refuse


def test_the_command_posts_a_sentence_and_tries_again_when_nobody_took_it(posted, capsys):
    sent, refuse = posted
    refuse[0] = 1
    call_command("alarms", times=6)
    ((url, message),) = sent
    assert url == "https://alerts.example/hook"
    assert message["component"] == "workers"
    assert message["text"].startswith(
        "Dossier: workers is broken since 2026-11-23 12:00 UTC. It is down. Start it."
    )


def test_a_quiet_time_that_is_none_is_named(settings):
    settings.DOSSIER_ALERT_QUIET = "at night"
    with pytest.raises((CommandError, SystemExit)):
        call_command("alarms", times=1)
