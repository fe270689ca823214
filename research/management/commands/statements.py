"""``manage.py statements fill``: entities that are older than statements get theirs."""

from common.commands.base import Actions, Options
from research.management.base import ResearchCommand
from research.services.retelling import retell_memory

MOST = 10_000_000


class Command(ResearchCommand):
    help = (
        "Write statements for entities that are older than statements, with the history of their verb calls."
    )

    def add_actions(self, actions: Actions) -> None:
        fill = actions.add(
            "fill", self.fill, "run it once after an upgrade; it may be ended at any moment and goes on"
        )
        fill.add_argument("--limit", type=int, default=MOST, help="at most so many entities")

    def fill(self, options: Options) -> None:
        limit = max(0, min(options["limit"], MOST))
        entities, statements = retell_memory(limit=limit, tell=lambda done: self.say(f"{done:,} entities"))
        document = {"entities": entities, "statements": statements}
        self.answer(document, [f"{statements:,} statements of {entities:,} entities were written"])
