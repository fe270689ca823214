"""Whether triggers that rows rest on are there and do their work, on both databases."""

from collections.abc import Iterable

from django.db.backends.base.base import BaseDatabaseWrapper

_POSTGRES = """
SELECT t.tgname, t.tgenabled, p.prosrc FROM pg_trigger t
JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND pg_table_is_visible(c.oid)
"""
_SQLITE = "SELECT name, 'O', sql FROM sqlite_master WHERE type = 'trigger'"


def idle_triggers(connection: BaseDatabaseWrapper, names: Iterable[str]) -> dict[str, str]:
    """Those of ``names`` that would refuse nothing: each with ``missing``, ``disabled`` or ``changed``."""
    postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(_POSTGRES if postgres else _SQLITE)
        there = {name: (enabled, text) for name, enabled, text in cursor.fetchall()}
        if postgres:
            cursor.execute("SHOW session_replication_role")
        fires = "RA" if postgres and cursor.fetchone()[0] == "replica" else "OA"
    found: dict[str, str] = {}
    for name in names:
        enabled, text = there.get(name, ("", ""))
        if not enabled:
            found[name] = "missing"
        elif enabled not in fires:
            found[name] = "disabled"
        elif "RAISE" not in text.upper():
            found[name] = "changed"
    return found
