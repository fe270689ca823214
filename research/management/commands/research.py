"""``manage.py research``: start runs, follow them, decide about results, write memos."""

from entities.management.base import Actions
from research.management.result_actions import ResultActions
from research.management.run_actions import RunActions


class Command(RunActions, ResultActions):
    help = "Start runs, follow them, decide about their results and write memos."

    def add_actions(self, actions: Actions) -> None:
        self.add_run_actions(actions)
        self.add_result_actions(actions)
