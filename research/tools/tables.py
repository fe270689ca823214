"""Owners out of a table that somebody uploaded, as a tool. It reads what is kept in the archive and asks nobody."""

from common.tables import CSV, numbered, parse_csv
from entities.ownership.table import OWNER_TYPES, ROLES, Owners, Reading, as_record, read_owners
from research.jsontext import JsonObject
from research.models import Document
from research.tools.tool import Answer, ToolContext, ToolError, tool, under

MAX_OWNERS = 2_000  # the verbs of more would be longer than a program may be
PLACE = {"type": "integer", "minimum": 1, "maximum": 100}


@tool(
    "owners_table",
    "Read who owns what out of a table that was uploaded. Gives one interest for each row that can be read, and each "
    "row that cannot be read with the reason.",
    {
        "required": ["table", "columns"],
        "properties": {
            "table": {
                "type": "string",
                "pattern": "^[0-9a-f]{64}$",
                "description": "The digest of the table",
            },
            "header_row": {"type": "integer", "minimum": 0, "maximum": 1_000, "default": 1},
            "columns": {
                "type": "object",
                "additionalProperties": False,
                "required": ["owner"],
                "properties": dict.fromkeys(ROLES, PLACE),
                "description": "Which column, from 1, holds what",
            },
            "owned": {
                "type": "string",
                "maxLength": 500,
                "description": "The company, where no column names it",
            },
            "owner_type": {"type": "string", "enum": [*OWNER_TYPES]},
            "unit": {"type": "string", "enum": ["percent", "fraction"], "description": "What 0.25 means"},
            "day_order": {"type": "string", "enum": ["day first", "month first"]},
        },
    },
    found=under("owners", "faults"),
)
def owners_table(arguments: JsonObject, context: ToolContext) -> Answer:
    kept, owners = read_kept(arguments)
    data: JsonObject = {
        "owners": [as_record(row) for row in owners.rows],
        "faults": [
            {"row": each.number, "column": each.column, "text": each.text, "reason": each.reason}
            for each in owners.faults
        ],
        "notes": owners.notes,
    }
    source: JsonObject = {
        "kind": "table",
        "key": kept.digest,
        "title": kept.title,
        "text": kept.text,
        "mime": CSV,
    }
    return Answer(data, (source,))


def read_kept(arguments: JsonObject) -> tuple[Document, Owners]:
    """The kept table and its owners, by the arguments of ``owners_table``. Raises ToolError."""
    kept = Document.objects.filter(digest=arguments["table"], mime=CSV).first()
    if kept is None:
        raise ToolError("not_found", "No table with this digest is kept. Upload it first.")
    table = parse_csv(kept.text)
    rows = list(numbered(table, after=arguments.get("header_row", 1)))
    if len(rows) > MAX_OWNERS:
        raise ToolError("too_large", f"The table has more than {MAX_OWNERS:,} rows; split it.")
    places = {role: place - 1 for role, place in arguments["columns"].items()}
    if max(places.values()) >= len(table.rows[0]):
        raise ToolError("bad_request", f"The table has only {len(table.rows[0])} columns.")
    reading = Reading(
        places,
        owned=arguments.get("owned", ""),
        owner_type=arguments.get("owner_type", ""),
        unit=arguments.get("unit"),
        day_order=arguments.get("day_order"),
    )
    return kept, read_owners(rows, reading)
