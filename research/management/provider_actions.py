"""``research providers | markets``: which search providers and market sources are set up, on the command line."""

from common.commands.base import Actions, Options
from common.commands.console import Part
from common.outside.client import Client
from entities.markets.sources import open_sources
from research.jsontext import JsonObject
from research.management.base import ResearchCommand
from research.web.search.setup import Status, statuses


class ProviderActions(ResearchCommand):
    """The actions on what is asked outside."""

    def add_provider_actions(self, actions: Actions) -> None:
        actions.add("providers", self.list_providers, "which search providers are set up, in their order")
        actions.add("markets", self.list_markets, "which market sources are set up")

    def list_providers(self, options: Options) -> None:
        found = statuses()
        self.answer_all(map(_document, found), map(_row, found), none="")

    def list_markets(self, options: Options) -> None:
        found = list(open_sources().values())
        self.answer_all(map(_market_document, found), map(_market_row, found), none="")


def _document(status: Status) -> JsonObject:
    return {
        "name": status.name,
        "state": _state(status)[0],
        "place": status.place or None,
        "missing": list(status.missing),
    }


def _row(status: Status) -> list[Part]:
    return [str(status.place or "-"), status.name, _state(status), " ".join(status.missing)]


def _market_document(source: Client) -> JsonObject:
    state = "asked" if not source.missing else "not set up"
    return {"name": source.name, "state": state, "missing": list(source.missing)}


def _market_row(source: Client) -> list[Part]:
    state = ("asked", "SUCCESS") if not source.missing else ("not set up", "WARNING")
    return [source.name, state, " ".join(source.missing)]


def _state(status: Status) -> tuple[str, str]:
    if not status.known:
        return "not known", "ERROR"
    if status.place:
        return "asked", "SUCCESS"
    return ("not set up", "WARNING") if status.missing else ("not asked", "NOTICE")
