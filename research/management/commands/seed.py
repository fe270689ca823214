"""``manage.py seed``: an example to look at and to work with, made by the services themselves, without the network."""

import sys

from django.conf import settings
from django.core.management.base import CommandParser
from django.test import override_settings

from common.commands.base import Options, Refusal
from common.commands.progress import Bar
from common.program import typed
from entities.models import Entity, EntityEvent, Relationship
from research.management.base import ResearchCommand
from research.management.commands.demo import prepare
from research.management.seed.acts import Case, Cast
from research.management.seed.clock import days_ago
from research.management.seed.people import meet
from research.management.seed.story import STORY
from research.models import Memo, ResearchResult, Run, Watch
from research.models.states import ResultState, RunState

BEFORE = 41  # days ago, when the people of the example came
OFFLINE = {
    "DOSSIER_REGISTER": "demo",
    "DOSSIER_MODEL": "register",
    "DOSSIER_REGISTERS": [],
    "DOSSIER_FOUR_EYES": False,
}


class Command(ResearchCommand):
    help = "Fill the database with a small example: reviews that wait, facts with a timeline, refreshes, failed runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument(
            "--in-production", action="store_true", help="also where DOSSIER_ENV is production"
        )
        parser.set_defaults(run=self.seed)

    def seed(self, options: Options) -> bool:
        """Tell the story as far as it has not been told, and say where to look."""
        if settings.PRODUCTION and not options["in_production"]:
            raise Refusal(
                "This is production: the example would stand among your own cases, and nothing deletes it. "
                "If you want it all the same: --in-production"
            )
        self.say("Setting up the database, then telling the example. No network is used.")
        with override_settings(**OFFLINE):
            with days_ago(BEFORE):
                prepare()
                cast, passwords = meet()
            done = self._tell(cast)
        counts = count()
        if self.as_json:
            self.print_json({"done": done, "counts": counts, "passwords": passwords})
        else:
            self._show(done, counts, passwords)
        return True

    def _show(self, done: int, counts: dict[str, int], passwords: dict[str, str]) -> None:
        said = f"{done} steps of the example were made." if done else "The whole example is there already."
        self.say((said, "SUCCESS"), " In the database are now:")
        self.table([[f"{number:>5}", what] for what, number in counts.items()])
        if passwords:
            self.say(("They can log in; the passwords are shown this once:", "WARNING"))
            self.table([[name, password] for name, password in passwords.items()], indent="  ")
        self.say(
            (f"Next: {typed('up')}", "SUCCESS"),
            ". The start page shows what waits, “Entities” what is known.",
        )

    def _tell(self, cast: Cast) -> int:
        bar, done = Bar(sys.stderr), 0
        for number, moment in enumerate(STORY):
            bar.show(number, len(STORY), moment.case)
            with days_ago(moment.days):
                done += moment.act(Case(moment.case), cast)
        bar.close()
        return done


def count() -> dict[str, int]:
    """What is in the database now, and where the admin shows it."""
    results = ResearchResult.objects.all()
    return {
        **{f"results: {state.label.lower()}": results.filter(state=state).count() for state in ResultState},
        "failed runs": Run.objects.filter(state=RunState.FAILED, parent=None).count(),
        "runs that wait for a person": Run.objects.filter(state=RunState.AWAITING_CONFIRMATION).count(),
        "entities": Entity.objects.count(),
        "relationships": Relationship.objects.count(),
        "events": EntityEvent.objects.count(),
        "answers kept fresh": Watch.objects.count(),
        "memos": Memo.objects.count(),
    }
