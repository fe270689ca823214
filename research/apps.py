from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class ResearchConfig(AppConfig):
    name = "research"
    verbose_name = "Research"

    def ready(self) -> None:
        from research import access_log
        from research.services import system_checks  # noqa: F401 - importing it registers them

        access_log.listen()
        post_migrate.connect(_restore, sender=self)


def _restore(sender: ResearchConfig, using: str, **kwargs: Any) -> None:
    """After every migrate: what only triggers hold. SQLite loses those of a table that a migration makes anew."""
    from common import append_only
    from research.append_only import TABLES
    from research.web.archive.search_sqlite import SqliteIndex

    connection = connections[using]
    append_only.install(connection, TABLES)
    if connection.vendor == "sqlite":
        SqliteIndex().restore(connection)
