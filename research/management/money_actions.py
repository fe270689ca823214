"""``research spending | prices``: what research costs, on the command line."""

from argparse import ArgumentTypeError
from datetime import date
from pathlib import Path

from common.commands.base import Actions, Mistake, Options
from common.commands.console import Part
from common.program import typed
from research.api.serializers import PriceSerializer
from research.api.spending import spending_document
from research.jsontext import JsonObject
from research.management.base import ResearchCommand, add_person, deciding_person
from research.models import ModelPrice
from research.services.prices import (
    find_price,
    import_prices,
    models_without_price,
    read_price,
    remove_price,
    set_price,
)
from research.services.spending import BY

AMOUNTS = {
    "input": "per million input tokens",
    "output": "per million output tokens",
    "cached": "per million input tokens read from the cache (default: as input)",
    "cache_write": "per million input tokens written to the cache (default: as input)",
    "search": "per thousand searches of the provider (default: 0)",
}
NO_PRICES = f"""\
no price has been entered yet; Dossier comes without any.
Enter for each model what its provider's price list says, in USD:
  {typed("research prices")} --set MODEL --input N --output N [--cached N] [--cache-write N] [--search N]
Enter 0 for a model on a machine of your own. Until then its calls cost an unknown amount, and a run with a
budget in USD is refused."""


class MoneyActions(ResearchCommand):
    """The actions on money."""

    def add_money_actions(self, actions: Actions) -> None:
        spending = actions.add("spending", self.show_spending, "what research cost, by day, macro or model")
        spending.add_argument("--by", choices=BY, default="day")
        spending.add_argument(
            "--from", dest="first", type=_day, metavar="DATE", help="default: thirty days back"
        )
        spending.add_argument("--to", dest="last", type=_day, metavar="DATE", help="default: today")
        prices = actions.add("prices", self.prices, "what models cost: list, enter, import, remove")
        act = prices.add_mutually_exclusive_group()
        act.add_argument("--set", dest="model", metavar="MODEL", help="enter what a model costs")
        act.add_argument(
            "--import", dest="file", type=Path, metavar="FILE.yaml", help="enter those of a file"
        )
        act.add_argument("--remove", metavar="MODEL", help="take back the price that begins on --from")
        for name, words in AMOUNTS.items():
            prices.add_argument(f"--{name.replace('_', '-')}", metavar="N", help=f"USD {words}")
        prices.add_argument(
            "--from", dest="day", type=_day, metavar="DATE", help="from which day (default: today)"
        )
        add_person(prices)

    def show_spending(self, options: Options) -> None:
        if options["first"] and options["last"] and options["last"] < options["first"]:
            raise Mistake("--to is before --from")
        document = spending_document(options["first"], options["last"], options["by"])
        if self.as_json:
            self.print_json(document)
            return
        self.table(
            [_cells(row, options["by"]) for row in document["rows"]], none="nothing was asked in this time"
        )
        self.say(f"{document['from']} to {document['to']}: ", *_sum(document["total"]))

    def prices(self, options: Options) -> None:
        if options["file"]:
            import_prices(text=_text(options["file"]), actor=deciding_person(options))
        elif options["remove"]:
            if options["day"] is None:
                raise Mistake("--remove needs --from: the day on which the price begins")
            gone = find_price(model=options["remove"], valid_from=options["day"])
            remove_price(price=gone, actor=deciding_person(options))
        elif options["model"] is not None:
            price = read_price({name: options[name] for name in AMOUNTS})
            set_price(
                model=options["model"], price=price, valid_from=options["day"], actor=deciding_person(options)
            )
        elif any(options[name] is not None for name in AMOUNTS):
            raise Mistake("Say which model costs that: --set MODEL")
        self._list_prices()

    def _list_prices(self) -> None:
        prices = list(ModelPrice.objects.all())
        heads = ["model", "from", *(name.replace("_", " ") for name in AMOUNTS)]
        rows = [
            [p.model, str(p.valid_from), *(f"{getattr(p, name + '_usd')}" for name in AMOUNTS)]
            for p in prices
        ]
        if not self.as_json and not prices:
            self.say_text(NO_PRICES)
        else:
            self.answer_all(PriceSerializer(prices, many=True).data, [heads, *rows], none="")
        for name in models_without_price():
            self.say(("without a price today: ", "WARNING"), name)


def _cells(row: JsonObject, by: str) -> list[Part]:
    return [str(row[by]), f"{row['calls']} calls", "".join(map(str, _sum(row, counted=False)))]


def _sum(row: JsonObject, *, counted: bool = True) -> list[Part]:
    unknown = row["unknown_calls"]
    words = f"{row['spent']} USD" if row["spent"] is not None else "unknown"
    words += f" and {unknown} of unknown cost" * bool(unknown and row["spent"] is not None)
    words += f"; possibly paid {row['possibly_paid']} USD" * (float(row["possibly_paid"]) > 0)
    return [f"{words}, {row['calls']} calls" if counted else words]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Mistake(f"{path}: the file is not UTF-8") from None
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror}") from None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a date such as 2026-11-21") from None
