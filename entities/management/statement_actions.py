"""``manage.py entities show --as-of``, ``history`` and ``why``: what was known, when, and why it is believed."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date

from common.commands.base import Actions, DossierCommand, Options, Refusal
from common.commands.console import Part
from entities.api.statements import StatementSerializer, facts_document
from entities.memory import by_slug, end_of, history_of, knowledge_of
from entities.memory.wording import period_of, property_of, source_of, value_of
from entities.models import Entity, Statement
from entities.reasons import reasons_for

MAX_SHOWN = 1_000


def add_statement_actions(command: DossierCommand, actions: Actions) -> None:
    """Add ``history`` and ``why`` to a command."""
    history = actions.add(
        "history", lambda options: _history(command, options), "everything that was ever said of an entity"
    )
    history.add_argument("slug", metavar="SLUG")
    history.add_argument("--limit", type=int, default=50)
    why = actions.add(
        "why",
        lambda options: _why(command, options),
        "why a statement is believed: what stands behind the value",
    )
    why.add_argument("statement", type=int, metavar="NUMBER", help="as history and show --as-of tell it")


def add_days(show: ArgumentParser) -> None:
    """Let an action ask for the two times."""
    day = "a day such as 2026-03-01"
    show.add_argument("--as-of", type=_day, metavar="DAY", help=f"what held then: {day}, by default today")
    show.add_argument("--known-at", type=_day, metavar="DAY", help=f"as it was known then: {day}")


def show_facts(command: DossierCommand, entity: Entity, options: Options) -> None:
    """What held on a day as it was known on another."""
    known_at = end_of(options["known_at"]) if options["known_at"] else None
    known = knowledge_of(entity, day=options["as_of"], known_at=known_at)
    title = f"{entity.name} on {known.day}, as known at {known.known_at:%Y-%m-%d %H:%M}"
    command.answer(facts_document(known), [title])
    if command.as_json:
        return
    rows = [
        [*_fact(told.statement), ("contradicted", "WARNING") if told.contradicted else ""]
        for told in known.facts
    ]
    command.table(rows, indent="  ", none="  nothing was known of it for that day")
    if known.left_out:
        command.say(f"  and {known.left_out:,} more")


def _history(command: DossierCommand, options: Options) -> None:
    entity = by_slug(options["slug"])
    if entity is None:
        raise Refusal(f"entity: there is none with the slug {options['slug'][:120]!r}", {"code": "not-found"})
    rows = history_of(entity)[: max(1, min(options["limit"], MAX_SHOWN))]
    told = [[f"{row.recorded_from:%Y-%m-%d %H:%M}", _standing(row), *_fact(row)] for row in rows]
    command.answer_all(StatementSerializer(rows, many=True).data, told, none="nothing was ever said of it")


def _why(command: DossierCommand, options: Options) -> None:
    number = options["statement"]
    row = Statement.objects.filter(pk=number).select_related("subject", "object").first()
    if row is None:
        raise Refusal(f"statement: there is none with the number {number}", {"code": "not-found"})
    chain = reasons_for(row, lambda permission: True)
    rows: list[list[Part]] = [
        [one.kind, f"{one.at:%Y-%m-%d %H:%M}" if one.at else "", one.who, one.verdict, one.text, one.quote]
        for one in chain
    ]
    command.answer_all([one.as_json() for one in chain], rows, none="")


def _fact(row: Statement) -> list[Part]:
    said = property_of(row), value_of(row)[:200], period_of(row), source_of(row)
    return [f"#{row.pk}", *said, row.signed_by and f"signed by {row.signed_by}"]


def _standing(row: Statement) -> str:
    return "believed" if row.recorded_to is None else "superseded" if row.superseded_by_id else "taken back"


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text[:40]!r} is no day such as 2026-03-01") from None
