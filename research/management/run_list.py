"""``research list``: which runs there are, for a person who does not know an id yet."""

from argparse import ArgumentTypeError
from datetime import UTC, datetime, time, timedelta

from django.core.management.base import CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from common.commands.base import Options
from common.commands.console import Part
from common.durations import NotADuration, seconds_in
from common.program import typed
from research.management.report import state
from research.models import Macro, Run
from research.models.states import RunState
from research.services.spending import with_calls

NARROWING = ("state", "macro", "since")
MOST = 1_000


def add_list(parser: CommandParser) -> None:
    parser.add_argument(
        "--state", action="append", choices=RunState.values, help="may be given several times"
    )
    parser.add_argument("--macro", metavar="NAME", help="only runs of this macro")
    parser.add_argument(
        "--since",
        type=moment,
        metavar="WHEN",
        help="a date or time (2026-03-01), or how long ago (2 days, 12 h)",
    )
    parser.add_argument("--limit", type=count, default=20, metavar="N", help="how many at most (default: 20)")
    parser.add_argument("--all", action="store_true", help="also the runs that work for another run")


def narrowed(options: Options) -> list[Run]:
    """The newest runs that fit, of a family its head alone unless all are wanted."""
    runs = with_calls(Run.objects.select_related("macro", "subject", "requested_by", "result"))
    if not options["all"]:
        runs = runs.filter(parent=None)
    if options["state"]:
        runs = runs.filter(state__in=options["state"])
    if options["macro"]:
        runs = runs.filter(macro__name=options["macro"])
    if options["since"]:
        runs = runs.filter(created_at__gte=options["since"])
    return list(runs.order_by("-created_at")[: options["limit"]])


def list_row(run: Run) -> list[Part]:
    """One line: enough of the id to name it, how far it is, what it asks and when that was asked."""
    when = f"{run.created_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    result = getattr(run, "result", None)
    found = f"result {str(result.pk)[:8]} ({result.state})" if result else ""
    return [str(run.pk)[:8], state(run.state), when, run.macro.name, run.title[:60], found]


def nothing_listed(options: Options) -> str:
    """Why the list is empty, and what to do about it."""
    if options["macro"] and not Macro.objects.filter(name=options["macro"]).exists():
        return f"There is no macro {options['macro']!r}; these there are: {typed('macros list')}"
    if any(options[name] for name in NARROWING) and Run.objects.exists():
        return "No run fits; leave out --state, --macro or --since to see others."
    example = 'research run client-discovery client_name="Allianz SE"'
    return f"Nothing was asked yet. Ask: {typed(example)}"


def moment(text: str) -> datetime:
    """A point in time: a date or a time, of UTC where it names no zone, or a length of time before now."""
    try:
        day = parse_date(text)
        told = datetime.combine(day, time.min, UTC) if day else parse_datetime(text)
        if told is None:
            return timezone.now() - timedelta(seconds=seconds_in(text))
    except (ValueError, OverflowError, NotADuration):
        raise ArgumentTypeError(f"{text!r} is no date, no time and no length of time") from None
    return told if told.tzinfo else told.replace(tzinfo=UTC)


def count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST):
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST}")
    return int(text)
