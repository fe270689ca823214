"""``manage.py research``: start runs, follow them, decide about results, write memos, count the money."""

from common.commands.base import Actions
from research.management.enrich_actions import EnrichActions
from research.management.money_actions import MoneyActions
from research.management.provider_actions import ProviderActions
from research.management.refresh_actions import RefreshActions
from research.management.result_actions import ResultActions
from research.management.table_actions import TableActions


class Command(TableActions, ResultActions, ProviderActions, MoneyActions, EnrichActions, RefreshActions):
    help = "Start runs, follow them, decide about their results and write memos."

    def add_actions(self, actions: Actions) -> None:
        self.add_run_actions(actions)
        self.add_result_actions(actions)
        self.add_provider_actions(actions)
        self.add_money_actions(actions)
        self.add_enrich_actions(actions)
        self.add_refresh_actions(actions)
        self.add_table_actions(actions)
