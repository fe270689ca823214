"""Celery tasks of registers and lists: they call one service, and a repeated message does no harm."""

from celery import shared_task

from entities.gleif.golden import syncing
from entities.services.register_anomalies import look_for_anomalies
from entities.services.screening import update_lists


@shared_task
def sync_register() -> int:
    """Bring the imported register up to GLEIF's newest publish."""
    imported = syncing.sync_all()
    if imported:
        look_for_anomalies()
    return imported


@shared_task
def sync_lists() -> int:
    """Fetch the official lists, and screen all of memory again where one has changed; how many are new."""
    return sum(one.new for one in update_lists())


@shared_task
def find_anomalies() -> int:
    """Look for anomalies of all entities."""
    return look_for_anomalies()
