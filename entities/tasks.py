"""Celery tasks of the register: they call one service, and a repeated message does no harm."""

from celery import shared_task

from entities.gleif.golden import syncing


@shared_task
def sync_register() -> int:
    """Bring the imported register up to GLEIF's newest publish."""
    return syncing.sync_all()
