"""``research owners-table``: the owners in a spreadsheet, from a terminal."""

from datetime import date
from pathlib import Path

from common.commands.base import Actions, Mistake, Options
from common.tables import MAX_BYTES, BadTable
from entities.ownership.table import OWNER_TYPES, ROLES
from research.management.base import add_person, requesting_person
from research.management.run_actions import RunActions
from research.models.states import Trigger
from research.services.runs import start_run
from research.services.tables import OWNERS, keep_table, kept_table, suggest_reading


class TableActions(RunActions):
    """The action on spreadsheets."""

    def add_table_actions(self, actions: Actions) -> None:
        parser = actions.add("owners-table", self.read_owners_table, "read owners out of an XLSX or CSV file")
        parser.add_argument("file", type=Path)
        parser.add_argument("--source", required=True, metavar="TEXT", help="who sent it")
        parser.add_argument(
            "--stated-on",
            type=date.fromisoformat,
            required=True,
            metavar="DAY",
            help="the day for which it speaks",
        )
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="WHAT=N",
            help=f"column N, from 1, holds {', '.join(ROLES)}; 0: none does (default: by its name)",
        )
        parser.add_argument(
            "--owned", default=None, metavar="NAME", help="the company, where no column names it"
        )
        parser.add_argument(
            "--owner-type", choices=OWNER_TYPES, help="what an owner is where no cell says it"
        )
        parser.add_argument("--unit", choices=("percent", "fraction"), help="what 0.25 means")
        parser.add_argument(
            "--day-order", choices=("day first", "month first"), help="how 03/04/2025 is meant"
        )
        parser.add_argument("--header-row", type=int, metavar="N", help="the row with the names; 0: none")
        parser.add_argument("--detach", action="store_true", help="leave the work to a worker")
        add_person(parser)

    def read_owners_table(self, options: Options) -> bool:
        """Keep the file and start the run that reads it; unless ``--detach``, work on it here."""
        person = requesting_person(options)
        try:
            with options["file"].open("rb") as file:
                kept = keep_table(content=file.read(MAX_BYTES + 1), name=options["file"].name, actor=person)
        except (OSError, BadTable) as error:
            raise Mistake(f"{options['file']}: {error}") from None
        suggested = suggest_reading(kept_table(kept))
        columns = {**suggested.pop("columns"), **_columns(options["column"])}
        given = {name: options[name] for name in ("owned", "owner_type", "unit", "day_order", "header_row")}
        params = {
            "source": options["source"],
            "stated_on": options["stated_on"].isoformat(),
            "table": kept.digest,
            **suggested,
            **{name: value for name, value in given.items() if value is not None},
            "columns": {role: place for role, place in columns.items() if place},
        }
        run = start_run(
            macro=OWNERS,
            params=params,
            trigger=Trigger.CLI.value,
            requested_by=person,
            enqueue=options["detach"],
        )
        return self.work_on(run, detach=options["detach"])


def _columns(pairs: list[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for pair in pairs:
        role, _, place = pair.partition("=")
        if role not in ROLES or not place.isascii() or not place.isdigit():
            raise Mistake(
                f"--column {pair}: write WHAT=N, for example owner=2; WHAT is one of {', '.join(ROLES)}."
            )
        columns[role] = int(place)
    return columns
