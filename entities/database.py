"""What Django's models cannot say of entity memory, on both databases: a type is a word of the table of types, and what
a person did to an entity, or what was taken from a register for it, is never changed or removed. An LEI is only ever
looked up whole, so the index for LIKE that Django makes on PostgreSQL for every key that is text is dropped: each
import would pay for it. The index of names by pieces finds names alike; without it only whole names are found.

Installed after every migrate, because SQLite loses the triggers of a table whenever a migration rebuilds it.
"""

# ruff: noqa: S608 - every name in these statements is written above
from django.db.backends.base.base import BaseDatabaseWrapper

from common import append_only
from entities.names.index import MEMORY, name_index

ENTITY, TYPE = "entities_entity", "entities_entitytype"
APPEND_ONLY = (
    "entities_entityact",
    "entities_registerselection",
    "entities_importedfact",
    "entities_registercorrection",
    "entities_statement",
    "entities_screeningdecision",
    "entities_anomalyact",
    "entities_erasure",
    "entities_erasedrow",
)
append_only.erased_rows_in("entities_erasedrow")  # rows that an erasure names, of any table
append_only.may_end("entities_statement", "recorded_to", "superseded_by_id")  # what it says never changes
KNOWN_TYPE = "entities_entity_type_known"
_TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger'"

_NO_LIKE_INDEX = """
DO $$ DECLARE name text; BEGIN
FOR name IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = 'entities_leirecord'::regclass AND c.relname LIKE 'entities_leirecord_lei_%_like'
LOOP EXECUTE format('DROP INDEX %I', name); END LOOP; END $$
"""


def install(connection: BaseDatabaseWrapper) -> None:
    """Create what is not there, disabled or changed; safe to repeat."""
    with connection.cursor() as cursor:
        if not {ENTITY, TYPE, *APPEND_ONLY} <= set(connection.introspection.table_names(cursor)):
            return
        for statement in _postgres() if connection.vendor == "postgresql" else _sqlite():
            cursor.execute(statement)
    append_only.install(connection, APPEND_ONLY)
    index = name_index(MEMORY, connection)
    if index.missing():
        index.install(connection)


def faults(connection: BaseDatabaseWrapper) -> list[str]:
    """What of it is missing or does not do its work, in sentences."""
    catalogue = "SELECT conname FROM pg_constraint" if connection.vendor == "postgresql" else _TRIGGERS
    with connection.cursor() as cursor:
        cursor.execute(catalogue)
        there = {name for (name,) in cursor.fetchall()}
    endings = ("",) if connection.vendor == "postgresql" else ("_insert", "_update")
    lost = [f"{KNOWN_TYPE}{ending} is missing" for ending in endings if f"{KNOWN_TYPE}{ending}" not in there]
    return [*append_only.faults(connection, APPEND_ONLY), *lost]


def _postgres() -> list[str]:
    known = f"SELECT 1 FROM pg_constraint WHERE conname = '{KNOWN_TYPE}'"
    return [
        f"DO $$ BEGIN IF NOT EXISTS ({known}) THEN ALTER TABLE {ENTITY} ADD CONSTRAINT {KNOWN_TYPE} "
        f"FOREIGN KEY (type) REFERENCES {TYPE} (word); END IF; END $$",
        _NO_LIKE_INDEX,
    ]


def _sqlite() -> list[str]:
    unknown = f"WHEN NOT EXISTS (SELECT 1 FROM {TYPE} WHERE word = NEW.type)"
    return [
        f"CREATE TRIGGER IF NOT EXISTS {KNOWN_TYPE}_{when.split()[0].lower()} BEFORE {when} ON {ENTITY} {unknown} "
        "BEGIN SELECT RAISE(ABORT, 'no such type of entity'); END"
        for when in ("INSERT", "UPDATE OF type")
    ]
