from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate, pre_migrate

if TYPE_CHECKING:
    from entities.models import Entity


class ResearchConfig(AppConfig):
    name = "research"
    verbose_name = "Research"
    lost: Sequence[str] = ()  # what was wrong with triggers before this process migrates

    def ready(self) -> None:
        from entities.memory.findings import read_sources_from
        from entities.memory.vouching import vouch_with
        from entities.services.export import add_export_format, add_export_parts
        from research import access_log, audit
        from research.services import system_checks  # noqa: F401 - importing it registers them
        from research.services.reasons import tell_reasons

        access_log.listen()
        tell_reasons()
        read_sources_from(_sources_about)
        add_export_parts(_export_parts)
        vouch_with(audit.record_written)
        add_export_format("pdf", _export_as_pdf)
        _erase_research_too()
        pre_migrate.connect(_look, sender=self)
        post_migrate.connect(_restore, sender=self)


def _export_as_pdf(**asked: Any) -> bytes:
    from research.services.entity_export import export_entity_as_pdf  # with the compiler, which few need

    return export_entity_as_pdf(**asked)


def _erase_research_too() -> None:
    from entities.services.erasure import Beyond, erase_beyond
    from entities.services.sweeping import leave_out
    from research.services import erasure

    leave_out("research.macro", "research.memotemplate", "research.modelprice", "research.memo")
    leave_out("research.auditseal", "research.audithead", "research.webhook", "research.factor")
    erase_beyond(Beyond(erasure.wipes, erasure.follow, erasure.blockers, erasure.settle))


def _export_parts(ids: Sequence[UUID], lei: str) -> Sequence[Any]:
    from research.services.export import parts_of_research

    return parts_of_research(ids, lei)


def _sources_about(run: str, entity: "Entity") -> Sequence[Mapping[str, Any]]:
    from research.engine.entity.account import (
        sources_about,
    )  # with the tools, which many commands do not need

    return sources_about(run, entity)


def _look(sender: ResearchConfig, using: str, **kwargs: Any) -> None:
    """Before every migrate: what is wrong with triggers of tables that are there. Afterwards nobody could tell."""
    from common import append_only
    from research.append_only import GUARDED

    connection = connections[using]
    there = set(connection.introspection.table_names())
    sender.lost = append_only.faults(connection, [table for table in GUARDED if table in there])


def _restore(sender: ResearchConfig, using: str, **kwargs: Any) -> None:
    """After every migrate: what only triggers hold. SQLite loses those of a table that a migration makes anew."""
    from common import append_only
    from research import audit
    from research.append_only import TABLES
    from research.models import AuditEvent
    from research.web.archive.search_sqlite import SqliteIndex

    connection = connections[using]
    append_only.install(connection, TABLES)
    if connection.vendor == "sqlite":
        SqliteIndex().restore(connection)
    lost, sender.lost = sender.lost, ()
    if lost and AuditEvent._meta.db_table in connection.introspection.table_names():
        audit.record_restored(lost)
