"""``manage.py demo``: the main job once, from nothing, without a key: who is this company?"""

import os
import shlex

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandParser

from common.commands.base import Options, Refusal
from common.program import installed, typed
from entities.gleif.register import open_register
from research.api.serializers import ResultDetailSerializer, RunSerializer
from research.doctor.database import NEW_DATABASE, unknown_migrations
from research.errors import InvalidMacro
from research.jsontext import JsonObject
from research.management.base import add_person, find, requesting_person
from research.management.report import error_lines, review_path
from research.management.result_actions import ResultActions
from research.management.run_actions import RunActions
from research.models import ResearchResult, Run
from research.models.states import Trigger
from research.services.macros import sync_macros
from research.services.runs import start_run
from research.services.trouble import explain_end

MACRO = "client-discovery"
COMPANY = "Allianz SE"
OFFLINE = "DOSSIER_REGISTER=demo "  # before a command: the register that comes with Dossier


class Command(RunActions, ResultActions):
    help = "Set up what is missing, research a company in the LEI register and show what was found."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("company", nargs="?", help=f"default: COMPANY, else {COMPANY}")
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument(
            "--register", choices=("auto", "gleif", "demo"), default=settings.DOSSIER_REGISTER
        )
        add_person(parser)
        parser.set_defaults(run=self.demonstrate)

    def demonstrate(self, options: Options) -> bool:
        """Migrate, sync, run, show. False when the company is not found, or cannot be looked for."""
        company = options["company"] if options["company"] is not None else os.environ.get("COMPANY", COMPANY)
        prepare()
        register = open_register(options["register"])
        self.say((f"Who is {company}?", "MIGRATE_HEADING"))
        self.say(f"Register: {register.label}" + (" (live)" if register.name == "gleif" else ""))
        run = start_run(
            macro=MACRO,
            params={"client_name": company},
            trigger=Trigger.CLI.value,
            requested_by=requesting_person(options),
            register=register.name,
            enqueue=False,
        )
        self.perform(run)
        return self._report(find(Run, str(run.pk), "macro", "requested_by"))

    def _report(self, run: Run) -> bool:
        result = ResearchResult.objects.filter(run=run).select_related("run__macro").first()
        if result is None:
            return self._report_failure(run)
        if self.as_json:
            self.print_json({"run": RunSerializer(run).data, "result": ResultDetailSerializer(result).data})
            return True
        self.say("")
        self.show_result(result)
        self.say("")
        self.say(f"run {run.pk}   result {result.pk}")
        self.say(
            (f"Next: {typed('up')}", "SUCCESS"),
            f". Log in with the name and the password that it prints, then review this result: {review_path(result)}",
        )
        return True

    def _report_failure(self, run: Run) -> bool:
        """Nothing was found: no result, no session; the failed run stays as a record with its reason."""
        error = run.error or {"code": run.state, "message": f"The run is {run.state}."}
        if self.as_json:
            self.print_json({"run": RunSerializer(run).data, "result": None})
            return False
        for line in error_lines(error):
            self.say(*line)
        missing = error.get("code") == "not_found"
        if missing and (told := explain_end(run)):
            self.say(told.advice)
        way_on = ask_nearest(error) if missing else OFFLINE + typed("demo")
        raise Refusal(f"{'Not found' if missing else 'No result'}: {run.title}\nNext: {way_on}")


def ask_nearest(error: JsonObject) -> str:
    """The command that asks for the nearest name there is; safe to paste into a shell."""
    nearest = [str(one["name"]) for one in error.get("nearest", []) if one.get("name")]
    name = shlex.quote((nearest or [COMPANY])[0])
    return typed(f"demo {name}" if installed() else f"demo COMPANY={name}")


def prepare() -> None:
    """A database that is up to date, and the macros that come with Dossier. Safe to repeat.

    Raises Refusal for a database that another version of Dossier has made.
    """
    if unknown := unknown_migrations():
        raise Refusal(f"{unknown} {NEW_DATABASE}")
    call_command("migrate", verbosity=0, interactive=False)
    report = sync_macros()
    if report.faults:
        raise InvalidMacro(report.faults)
