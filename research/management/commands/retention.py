"""``manage.py retention``: how long what is kept, and letting go what has run out."""

from common.commands.base import Actions, Options
from research.management.base import ResearchCommand
from research.services.retention import PolicyRefused, apply_retention, policy


class Command(ResearchCommand):
    help = "Let go what has run out by the rules of DOSSIER_RETENTION."
    refusals: tuple[type[Exception], ...] = (*ResearchCommand.refusals, PolicyRefused)

    def add_actions(self, actions: Actions) -> None:
        actions.add("rules", self.rules, "the rules")
        apply = actions.add("apply", self.apply, "let go what has run out; beat does it once a day")
        apply.add_argument("--dry-run", action="store_true", help="count only")

    def rules(self, options: Options) -> None:
        rules = [[rule.what, rule.type or "any type", f"{rule.days} days"] for rule in policy()]
        documents = [{"what": rule.what, "type": rule.type, "days": rule.days} for rule in policy()]
        self.answer_all(documents, rules, none="no rule: everything is kept")

    def apply(self, options: Options) -> None:
        """Ended in the middle, it goes on the next time."""
        dry = options["dry_run"]
        tell = None if self.as_json else (lambda rule, count: self.say(f"{rule}: {count:,}"))
        done = apply_retention(dry_run=dry, tell=tell)
        word = "would go" if dry else "went"
        self.answer({"dry_run": dry, "done": done}, [f"{sum(done.values()):,} {word}"])
