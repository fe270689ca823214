"""``research providers``: which search providers are set up, on the command line."""

from entities.management.base import Actions, Options
from entities.management.console import Part
from research.jsontext import JsonObject
from research.management.base import ResearchCommand
from research.web.search.setup import Status, statuses


class ProviderActions(ResearchCommand):
    """The action on search providers."""

    def add_provider_actions(self, actions: Actions) -> None:
        actions.add("providers", self.list_providers, "which search providers are set up, in their order")

    def list_providers(self, options: Options) -> None:
        found = statuses()
        self.answer_all(map(_document, found), map(_row, found), none="")


def _document(status: Status) -> JsonObject:
    return {
        "name": status.name,
        "state": _state(status)[0],
        "place": status.place or None,
        "missing": list(status.missing),
    }


def _row(status: Status) -> list[Part]:
    return [str(status.place or "-"), status.name, _state(status), " ".join(status.missing)]


def _state(status: Status) -> tuple[str, str]:
    if not status.known:
        return "not known", "ERROR"
    if status.place:
        return "asked", "SUCCESS"
    return ("not set up", "WARNING") if status.missing else ("not asked", "NOTICE")
