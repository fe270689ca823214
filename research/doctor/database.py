"""The database: does it answer, is it of this version of Dossier, and does it guard what must not change."""

import os
from datetime import timedelta
from pathlib import Path

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from common import append_only
from common.program import typed
from entities import database as memory
from entities.gleif.name_search import name_search_state
from research.append_only import TABLES
from research.audit.keys import heads_file
from research.doctor.findings import Examination, Finding
from research.models import AuditEvent, AuditHead, AuditSeal

ROOM = "Database"
UNSEALED = timedelta(minutes=10)  # ten times what sealing takes to come round
OURS = ("citations", "entities", "research")
OLDEST_POSTGRESQL = 150_000
NEW_DATABASE = (
    "It was made by a version before 0.1.0, or by a newer one than this; neither can be used. Begin with a new one: "
    "move the old file away, or name an empty database in DATABASE_URL; then migrate."
)
RESTORE = (
    "Run: {migrate}, which makes them anew. Then ask who took them away: meanwhile decisions could be changed. "
    "{verify} says whether the trail is whole."
)


def examinations() -> list[Examination]:
    return [
        Examination(ROOM, "Connection", connected),
        Examination(ROOM, "Migrations", migrated),
        Examination(ROOM, "Append-only tables", guarded),
        Examination(ROOM, "Audit trail", sealed),
        Examination(ROOM, "Names of the LEI register", names_searchable),
    ]


def connected() -> Finding:
    """Whether it answers, in which version, and whether a file of SQLite can be written."""
    try:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        return Finding("broken", f"It does not answer: {said}", "Look at DATABASE_URL, and whether it runs.")
    return _sqlite() if connection.vendor == "sqlite" else _postgresql()


def _postgresql() -> Finding:
    version = int(getattr(connection, "pg_version", 0))
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        told = f"PostgreSQL {cursor.fetchone()[0]}"
    if version < OLDEST_POSTGRESQL:
        return Finding("warning", f"{told}.", "Dossier is tested with PostgreSQL 15 and newer.")
    return Finding("ok", f"{told}.")


def _sqlite() -> Finding:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()")
        version = cursor.fetchone()[0]
        cursor.execute("PRAGMA journal_mode")
        mode = cursor.fetchone()[0]
    file = Path(str(connection.settings_dict["NAME"])).resolve()
    told = f"SQLite {version}, {file}"
    if file.exists() and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        todo = "Give it and its folder to the user who runs Dossier."
        return Finding("broken", f"{told}: it cannot be written.", todo)
    if mode not in ("wal", "memory"):
        return Finding(
            "warning",
            f"{told}: its journal mode is {mode}, so that readers and writers wait for each other.",
            "Put it on a disk of this machine: a share of a network cannot do better.",
        )
    return Finding("ok", f"{told}.")


def migrated() -> Finding:
    """Whether all migrations are applied, and none that this version of Dossier has not."""
    try:
        unknown, behind = unknown_migrations(), pending_migrations()
    except DatabaseError:
        return Finding("skipped", "The database does not answer.")
    if unknown:
        return Finding("broken", unknown, NEW_DATABASE)
    if behind:
        return Finding("broken", f"{behind} migrations are not applied.", f"Run: {typed('migrate')}")
    return Finding("ok", "All are applied.")


def unknown_migrations() -> str:
    """A sentence about what another version of Dossier applied; empty where nothing was. Raises DatabaseError."""
    loader = MigrationLoader(connection)
    unknown = sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in OURS and (app, name) not in loader.disk_migrations
    )
    listed = ", ".join(unknown[:3]) + (", …" if len(unknown) > 3 else "")
    return f"The database holds migrations that are unknown here: {listed}." if unknown else ""


def pending_migrations() -> int:
    """How many are not applied. Raises DatabaseError."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def guarded() -> Finding:
    """Whether the triggers that keep decisions, audit trail and acts as they are do their work."""
    try:
        faults = [*append_only.faults(connection, TABLES), *memory.faults(connection)]
    except DatabaseError:
        return Finding("skipped", "The database does not answer.")
    if not faults:
        return Finding("ok", f"{len(TABLES) + len(memory.APPEND_ONLY)} tables are guarded by their triggers.")
    told = ", ".join(faults)
    return Finding(
        "broken", f"{told}.", RESTORE.format(migrate=typed("migrate"), verify=typed("audit verify"))
    )


def sealed() -> Finding:
    """Whether events are sealed in time, and the newest head of the log is kept outside the database."""
    try:
        newest = AuditHead.objects.order_by("-size").first()
        oldest = AuditEvent.objects.filter(seal__isnull=True).order_by("at").first()
        entries = AuditSeal.objects.count()
    except DatabaseError:
        return Finding("skipped", "The database does not answer.")
    if oldest and oldest.at < timezone.now() - UNSEALED:
        told = f"Events wait to be sealed since {oldest.at:%Y-%m-%d %H:%M} UTC."
        return Finding("warning", told, f"Worker and beat seal every minute; by hand: {typed('audit seal')}")
    if newest is None:
        return Finding("ok", "Nothing is sealed yet.")
    path = heads_file()
    if not path.is_file() or newest.note not in path.read_text(encoding="utf-8", errors="replace"):
        told = f"The newest head, of {newest.size} entries, is not in {path}."
        todo = "Put the file back from a backup; without it nothing shows that the end of the log is there."
        return Finding("broken", told, todo)
    told = f"{entries} entries are sealed, and the head of {newest.size} is kept in {path}."
    return Finding("ok", f"{told} Whether they are as they were sealed, {typed('audit verify')} says.")


def names_searchable() -> Finding:
    """Whether the names of an imported register are found by likeness, for which PostgreSQL wants an extension."""
    try:
        missing = name_search_state()
    except DatabaseError:
        return Finding("skipped", "The database does not answer.")
    if not missing:
        return Finding("ok", "Names alike are found.")
    told = f"Only whole names and their beginnings are found: {missing}"
    return Finding("warning", told, "docs/concepts/lei.md says how names are found.")
