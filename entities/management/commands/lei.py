"""``manage.py lei``: verify LEIs against the register, find them by name, fill the register from files."""

from django.conf import settings
from django.core.management.base import CommandParser

from common.commands.base import Actions, Options, verdict
from entities.gleif.checking import check_claims
from entities.gleif.claims import Claim
from entities.gleif.errors import GleifError
from entities.gleif.finding import find_by_name
from entities.gleif.policy import BadPolicy
from entities.gleif.records import Record
from entities.gleif.register import Register, open_register
from entities.gleif.verification import LeiReport
from entities.management.golden_actions import REFUSALS, GoldenActions

STATED = ("name", "jurisdiction", "registered_as", "registered_at", "legal_form", "category", "parent")


class Command(GoldenActions):
    help = "Verify LEIs against the register, find them by name, and fill the register from GLEIF's files."
    refusals = (GleifError, BadPolicy, *REFUSALS)

    def add_actions(self, actions: Actions) -> None:
        check = actions.add(
            "check", self.check_leis, "form, check digits, existence, status, successor, name ..."
        )
        check.add_argument("leis", nargs="+", metavar="LEI")
        check.add_argument("--name", help="the name that goes with it")
        check.add_argument("--jurisdiction", help="the jurisdiction that goes with it, such as DE or US-DE")
        check.add_argument("--registered-as", metavar="NUMBER", help="its number in a business register")
        check.add_argument("--registered-at", metavar="CODE", help="GLEIF's code of that register: RA000242")
        check.add_argument("--legal-form", metavar="FORM", help="an ELF code (ISO 20275) or a form in words")
        check.add_argument("--category", help="what is meant: GENERAL, FUND, BRANCH, SOLE_PROPRIETOR ...")
        check.add_argument("--parent", metavar="LEI|NAME", help="who is said to be its parent")
        search = actions.add("search", self.search, "records by name, the best first")
        search.add_argument("name", metavar="NAME", nargs="+")
        search.add_argument(
            "--jurisdiction", help="only records of this country or subdivision: DE, US-DE or Germany"
        )
        search.add_argument("--limit", type=int, default=10)
        for parser in (check, search):
            _add_register(parser)
        self.add_golden_actions(actions)

    def check_leis(self, options: Options) -> bool:
        """False when a verdict is fail; a register that cannot be asked gives unknown."""
        stated = {field: options[field] for field in STATED}
        register = _register(options)
        reports = check_claims([Claim(lei.strip(), **stated) for lei in options["leis"]], register=register)
        if self.as_json:
            self.answer_all([report.as_json() for report in reports], [], none="")
        else:
            self.say(register.label)
            for report in reports:
                self._show(report)
        return all(report.verdict != "fail" for report in reports)

    def search(self, options: Options) -> bool:
        """False when nobody can have been meant; several are an answer."""
        name = " ".join(options["name"])
        limit = max(1, min(options["limit"], 100))
        found = find_by_name(
            name, register=_register(options), limit=limit, jurisdiction=options["jurisdiction"]
        )
        self.answer(found.as_json(), [(f"{found.outcome.kind}: ", "MIGRATE_HEADING"), found.outcome.message])
        if not self.as_json:
            self.table([f"{m.score:3.0f}", *_cells(m.record), m.explanation] for m in found.matches)
        return found.outcome.kind != "none"

    def _show(self, report: LeiReport) -> None:
        self.say("")
        name = report.record.legal_name if report.record else ""
        self.say((report.lei, "MIGRATE_HEADING"), f"  {name}  ", verdict(report.verdict))
        self.table(([verdict(c.verdict), c.code, c.message] for c in report.checks), indent="  ")
        if report.skipped:
            self.say(f"  not checked: {', '.join(check.code for check in report.skipped)}")
        for suggestion in report.suggestions:
            self.say(f"  perhaps {suggestion.lei}  {suggestion.name}  ({suggestion.why})")


def _add_register(parser: CommandParser) -> None:
    parser.add_argument(
        "--register",
        choices=("auto", "gleif", "demo"),
        default=settings.DOSSIER_REGISTER,
        help="which LEI register to ask",
    )


def _register(options: Options) -> Register:
    return open_register(options["register"])


def _cells(record: Record) -> list[str]:
    return [record.lei, record.legal_name, record.jurisdiction, record.registration_status]
