"""What Django's models cannot say of entity memory, on both databases: a type is a word of the table of types, and what
a person did to an entity, or what was taken from a register for it, is never changed or removed. An LEI is only ever
looked up whole, so the index for LIKE that Django makes on PostgreSQL for every key that is text is dropped: each
import would pay for it.

Installed after every migrate, because SQLite loses the triggers of a table whenever a migration rebuilds it.
"""

# ruff: noqa: S608 - every name in these statements is written above
from django.db.backends.base.base import BaseDatabaseWrapper

from common.triggers import idle_triggers

ENTITY, TYPE = "entities_entity", "entities_entitytype"
APPEND_ONLY = (
    "entities_entityact",
    "entities_registerselection",
    "entities_importedfact",
    "entities_registercorrection",
)
KNOWN_TYPE = "entities_entity_type_known"

_FUNCTION = """
CREATE OR REPLACE FUNCTION dossier_acts_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END $$
"""

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
        if connection.vendor == "sqlite":
            for name in idle_triggers(connection, trigger_names("sqlite")):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        for statement in _postgres() if connection.vendor == "postgresql" else _sqlite():
            cursor.execute(statement)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers that keep rows from being removed, so that a test database on SQLite can be emptied."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for table in APPEND_ONLY:
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_delete")


def trigger_names(vendor: str) -> list[str]:
    """The triggers that ``install`` creates."""
    if vendor == "postgresql":
        return [f"{table}_append_only" for table in APPEND_ONLY]
    kept = [f"{table}_no_{event}" for table in APPEND_ONLY for event in ("update", "delete")]
    return [f"{KNOWN_TYPE}_insert", f"{KNOWN_TYPE}_update", *kept]


def _postgres() -> list[str]:
    known = f"SELECT 1 FROM pg_constraint WHERE conname = '{KNOWN_TYPE}'"
    return [
        f"DO $$ BEGIN IF NOT EXISTS ({known}) THEN ALTER TABLE {ENTITY} ADD CONSTRAINT {KNOWN_TYPE} "
        f"FOREIGN KEY (type) REFERENCES {TYPE} (word); END IF; END $$",
        _FUNCTION,
        _NO_LIKE_INDEX,
        *(_kept(table) for table in APPEND_ONLY),
    ]


def _kept(table: str) -> str:
    return (
        f"CREATE OR REPLACE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION dossier_acts_append_only()"
    )


def _sqlite() -> list[str]:
    unknown = f"WHEN NOT EXISTS (SELECT 1 FROM {TYPE} WHERE word = NEW.type)"
    known = [
        f"CREATE TRIGGER IF NOT EXISTS {KNOWN_TYPE}_{when.split()[0].lower()} BEFORE {when} ON {ENTITY} {unknown} "
        "BEGIN SELECT RAISE(ABORT, 'no such type of entity'); END"
        for when in ("INSERT", "UPDATE OF type")
    ]
    kept = [
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{event.lower()} BEFORE {event} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for table in APPEND_ONLY
        for event in ("UPDATE", "DELETE")
    ]
    return [*known, *kept]
