"""Tables that people upload: kept in the archive as text, and read by the run of a macro."""

from django.db import transaction
from django.utils import timezone

from common.tables import CSV, Table, header_row, parse_csv, read_table
from entities.ownership.table import Owners, guess_columns
from research import audit
from research.errors import InvalidParameters, ParamError
from research.jsontext import JsonObject
from research.models import Document, Run
from research.services.access import START, Person, require
from research.tools.tables import read_kept
from research.tools.tool import ToolError
from research.web.archive.store import keep

OWNERS = "owners-from-table"
MAX_REMEMBERED = 20


def keep_table(*, content: bytes, name: str, actor: Person | None) -> Document:
    """Keep a spreadsheet file in the archive; the same table is kept once. ``actor`` None is the machine.

    Raises:
        NotPermitted: without the right to start research.
        BadTable: for a file that is no table; nothing is stored.
    """
    if actor is not None:
        require(actor, START)
    table = read_table(content)
    with transaction.atomic():
        document = keep(text=table.as_csv(), url="", title=name, mime=CSV, fetched_at=timezone.now())
        audit.record("table.kept", document, actor, name=name[:200], rows=len(table.rows))
    return document


def kept_table(document: Document) -> Table:
    return parse_csv(document.text)


def suggest_reading(table: Table) -> JsonObject:
    """``header_row`` and ``columns`` (from 1): as the same header was read last, else as its names suggest."""
    number = header_row(table)
    header = table.rows[number - 1]
    runs = Run.objects.filter(workflow="table", macro__name=OWNERS).order_by("-created_at")[:MAX_REMEMBERED]
    texts = dict(
        Document.objects.filter(digest__in=[run.params["table"] for run in runs]).values_list(
            "digest", "text"
        )
    )
    for run in runs:
        rows = parse_csv(texts.get(run.params["table"], "")).rows
        at = run.params["header_row"]
        if 0 < at <= len(rows) and rows[at - 1] == header:
            told = ("columns", "unit", "day_order", "owner_type")
            return {"header_row": number, **{name: run.params[name] for name in told}}
    return {
        "header_row": number,
        "columns": {role: place + 1 for role, place in guess_columns(header).items()},
    }


def preview_owners(params: JsonObject) -> Owners:
    """What a run with these parameters would read. Raises InvalidParameters where it would read nothing."""
    given = {name: value for name, value in params.items() if value not in (None, "")}
    try:
        return read_kept(given)[1]
    except ToolError as error:
        raise InvalidParameters([ParamError("table", error.message)]) from None
