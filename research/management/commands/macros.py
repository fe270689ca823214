"""``manage.py macros``: list, show, publish and check macros."""

from pathlib import Path

from common.commands.base import Actions, Mistake, Options
from common.commands.console import Part
from common.program import typed
from research.api.macro_serializers import MacroDetailSerializer, MacroSerializer
from research.errors import Fault
from research.jsontext import Json, canonical_json
from research.macros.lint import lint_paths
from research.management.base import ResearchCommand
from research.models import Macro
from research.models.states import MacroStatus
from research.services.macros import active_macro, definition_of, sync_macros


class Command(ResearchCommand):
    help = "List, show, publish and check macros."

    def add_actions(self, actions: Actions) -> None:
        actions.add("list", self.list, "the active macros")
        show = actions.add("show", self.show, "one macro: its parameters and its text")
        show.add_argument("name")
        sync = actions.add("sync", self.sync, "publish the macros of a folder (default: those of Dossier)")
        sync.add_argument("directory", nargs="?", type=Path, metavar="DIR")
        lint = actions.add("lint", self.lint, "check macro files without storing anything")
        lint.add_argument("paths", nargs="+", type=Path, metavar="PATH")

    def list(self, options: Options) -> None:
        macros = Macro.objects.filter(status=MacroStatus.ACTIVE).order_by("name")
        rows: list[list[Part]] = [
            [(m.name, "MIGRATE_LABEL"), m.version, m.description.strip()] for m in macros
        ]
        self.answer_all(
            MacroSerializer(macros, many=True).data, rows, none=f"none; run: {typed('macros sync')}"
        )

    def show(self, options: Options) -> None:
        macro = active_macro(options["name"])
        if self.as_json:
            self.print_json(MacroDetailSerializer(macro).data)
            return
        self.say((str(macro), "MIGRATE_HEADING"), f"  {macro.description.strip()}")
        self.table(_parameter_rows(macro), indent="  ", none="  no parameters")
        self.say("")
        self.say_text(macro.text)

    def sync(self, options: Options) -> bool:
        """Publish what is new; a faulty file stays out, the rest goes in, and the exit code tells."""
        report = sync_macros(directory=options["directory"])
        document = {
            "published": report.published,
            "unchanged": report.unchanged,
            "faults": [fault.as_json() for fault in report.faults],
        }
        lines: list[list[Part]] = [[("published  ", "SUCCESS"), name] for name in report.published]
        lines += [["unchanged  ", name] for name in report.unchanged]
        self.answer(document, *lines, *map(_fault_line, report.faults))
        return not report.faults

    def lint(self, options: Options) -> bool:
        """Every fault with file, line and reason; warnings alone do not fail."""
        missing = [path for path in options["paths"] if not path.exists()]
        if missing:
            raise Mistake(f"there is no {missing[0]}")
        faults = lint_paths(options["paths"])
        if self.as_json:
            self.answer_all([fault.as_json() for fault in faults], [], none="")
        for fault in faults:
            self.say(*_fault_line(fault))
        if not faults:
            self.say(("no faults", "SUCCESS"))
        return not any(fault.level == "error" for fault in faults)


def _parameter_rows(macro: Macro) -> list[list[Part]]:
    """One row a parameter, and below an object one for each field that it declares."""
    declared = definition_of(macro).parameters
    return [
        [
            (part.name, "MIGRATE_LABEL"),
            (part.format or part.type) + (" *" if part.required else ""),
            f"default {_as_typed(part.default)}" if part.default is not None else "",
            " | ".join(map(str, part.enum)) or part.description,
        ]
        for parameter in declared
        for part in (parameter, *(field.within(parameter.name) for field in parameter.fields))
    ]


def _as_typed(value: Json) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _fault_line(fault: Fault) -> list[Part]:
    style = "ERROR" if fault.level == "error" else "WARNING"
    return [f"{fault.file or 'macro'}:{fault.line}: ", (f"{fault.level}: ", style), fault.message]
