"""``manage.py doctor``: look at everything a set-up needs, and say what to do."""

import sys

from django.core.management.base import CommandParser

from common.commands.base import Options
from common.commands.console import Part
from common.commands.progress import Bar
from research.doctor.all import as_json, everything, to_do
from research.doctor.findings import GROUPS, Finding, Found, worst
from research.management.base import ResearchCommand

STYLES = {"ok": "SUCCESS", "warning": "WARNING", "broken": "ERROR", "skipped": "NOTICE"}


class Command(ResearchCommand):
    help = "Look at everything a set-up needs, ask each source once, and say what to do. Exit 1: something is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument("--offline", action="store_true", help="ask nobody outside this machine")
        parser.set_defaults(run=self.look)

    def look(self, options: Options) -> bool:
        """False when something is broken."""
        order, coming = everything(offline=options["offline"])
        bar, found = Bar(sys.stderr), []
        for number, (one, finding) in enumerate(coming, start=1):
            found.append((one, finding))
            bar.show(number, len(order), f"{one.name}: {finding.state}", always=number == len(order))
        bar.close()
        found.sort(key=lambda pair: order.index(pair[0]))
        if self.as_json:
            self.print_json(as_json(found))
        else:
            self._show(found)
        return worst([finding for _, finding in found]) != "broken"

    def _show(self, found: list[Found]) -> None:
        for group in GROUPS:
            self.say((group, "MIGRATE_HEADING"))
            self.table([_row(one.name, finding) for one, finding in found if one.group == group], indent="  ")
        self.say("")
        urgent = to_do(found)
        if not urgent:
            self.say(("Everything that is set up works.", "SUCCESS"))
            return
        self.say(("What to do, the most urgent first", "MIGRATE_HEADING"))
        for number, each in enumerate(urgent, start=1):
            self.say(f"{number:3}. ", (", ".join(each.names), STYLES[each.state]), f": {each.todo}")


def _row(name: str, finding: Finding) -> list[Part]:
    seen = f"{finding.seen} {finding.todo}" if finding.state == "skipped" else finding.seen
    seconds = f"{finding.seconds:.1f} s" if finding.seconds >= 0.05 else ""
    return [name, (finding.state, STYLES[finding.state]), seconds, seen]
