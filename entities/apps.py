from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class EntitiesConfig(AppConfig):
    name = "entities"
    verbose_name = "Entities"

    def ready(self) -> None:
        post_migrate.connect(_prepare, sender=self)
        _let_the_register_use_the_database()


def _let_the_register_use_the_database() -> None:
    from entities.gleif import cache
    from entities.gleif.golden import lookup
    from entities.gleif.sources import stored

    stored.local, stored.keeper = lookup.imported_register, cache.configured


def _prepare(sender: EntitiesConfig, using: str, **kwargs: Any) -> None:
    """After every migrate: the shipped types, and what only the database can hold."""
    from entities import database
    from entities.memory import fill_types
    from entities.models import EntityType

    if EntityType._meta.db_table in connections[using].introspection.table_names():
        fill_types(using)
        database.install(connections[using])
