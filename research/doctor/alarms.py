"""When somebody is told that a component is broken, and that it is well again. Values in, values out.

A component that was broken for a minute is told once, then every four hours for as long as it stays so, and once when
it is well again. In quiet times only what people wait for is told; the rest follows when they are over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from research.doctor.findings import Finding
from research.jsontext import JsonObject

LASTING = timedelta(minutes=1)
AGAIN = timedelta(hours=4)
URGENT = frozenset(("database", "workers", "broker", "queue"))


@dataclass(frozen=True)
class Alarm:
    """A component that is broken: since when, and when somebody was last told."""

    since: datetime
    told: datetime | None = None


Alarms = dict[str, Alarm]


@dataclass(frozen=True)
class Quiet:
    """A time of each day in UTC in which only what is urgent is told; over midnight where it ends before it begins."""

    begin: time = time()
    end: time = time()

    @classmethod
    def read(cls, text: str) -> "Quiet":
        """``22:00-06:00``, or nothing for never. Raises ValueError for anything else."""
        if not text.strip():
            return cls()
        begin, _, end = text.partition("-")
        return cls(time.fromisoformat(begin.strip()), time.fromisoformat(end.strip()))

    def holds(self, now: datetime) -> bool:
        moment = now.astimezone(UTC).time()
        if self.begin <= self.end:
            return self.begin <= moment < self.end
        return moment >= self.begin or moment < self.end


def look(
    before: Alarms, findings: Mapping[str, Finding], now: datetime, quiet: Quiet
) -> tuple[Alarms, list[JsonObject]]:
    """The alarms from now on, and the messages to send."""
    broken = {name for name, finding in findings.items() if finding.state == "broken"}
    alarms = {name: before.get(name) or Alarm(now) for name in sorted(broken)}
    due = [name for name, alarm in alarms.items() if _is_due(name, alarm, now, quiet)]
    messages = [
        *(_message("broken", name, alarms[name].since, findings[name]) for name in due),
        *_well_again(before, findings, broken),
    ]
    return {**alarms, **{name: replace(alarms[name], told=now) for name in due}}, messages


def untold(before: Alarms, after: Alarms) -> Alarms:
    """The alarms where a message did not arrive: it is told at the next look."""
    kept = {
        name: replace(alarm, told=before[name].told if name in before else None)
        for name, alarm in after.items()
    }
    return {**before, **kept}


def _is_due(name: str, alarm: Alarm, now: datetime, quiet: Quiet) -> bool:
    if now - alarm.since < LASTING or (quiet.holds(now) and name not in URGENT):
        return False
    return alarm.told is None or now - alarm.told >= AGAIN


def _well_again(before: Alarms, findings: Mapping[str, Finding], broken: set[str]) -> Iterator[JsonObject]:
    for name, alarm in before.items():
        if alarm.told and name not in broken and name in findings:
            yield _message("well", name, alarm.since, findings[name])


def _message(state: str, name: str, since: datetime, finding: Finding) -> JsonObject:
    """``text`` is the whole of it in a sentence, which Slack, Mattermost and the like show."""
    moment = f"{since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    if state == "well":
        text = f"Dossier: {name} is well again. It had been broken since {moment}."
    else:
        text = f"Dossier: {name} is broken since {moment}. {finding.seen} {finding.todo}".strip()
    return {
        "type": f"health.{state}",
        "component": name,
        "since": since.astimezone(UTC).isoformat(),
        "seen": finding.seen,
        "todo": finding.todo,
        "text": text,
    }
