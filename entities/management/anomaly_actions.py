"""``manage.py entities anomalies``: what looks wrong about entities."""

from common.commands.base import Actions, DossierCommand, Options
from entities.api.anomalies import AnomalySerializer
from entities.models import Anomaly
from entities.services.register_anomalies import look_for_anomalies

SHOWN = 200


def add_anomaly_actions(command: DossierCommand, actions: Actions) -> None:
    """Add ``anomalies`` to a command."""
    found = actions.add(
        "anomalies", lambda options: _list(command, options), "what looks wrong about entities"
    )
    found.add_argument("--look", action="store_true", help="look at every entity first")
    found.add_argument("--kind", choices=Anomaly.Kind.values)
    found.add_argument("--state", choices=Anomaly.State.values, default=Anomaly.State.OPEN)


def _list(command: DossierCommand, options: Options) -> None:
    if options["look"]:
        fresh = look_for_anomalies()
        if not command.as_json:
            command.say(f"{fresh:,} new or changed")
    rows = Anomaly.objects.filter(state=options["state"]).select_related("entity", "assigned_to")
    rows = rows.filter(kind=options["kind"]) if options["kind"] else rows
    shown = list(rows[:SHOWN])
    table = [[f"{row.found_at:%Y-%m-%d}", row.kind, row.entity.slug, row.summary] for row in shown]
    command.answer_all(AnomalySerializer(shown, many=True).data, table, none="no anomalies")
