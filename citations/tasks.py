"""Celery tasks of citations: they take ids and call one service. A lost or repeated message does no harm."""

from celery import shared_task

from citations.services import bulk


@shared_task
def verify_bulk(pk: int) -> int:
    """Verify many citations; how many were verified."""
    return bulk.run_bulk(pk)


@shared_task
def sweep_bulk() -> int:
    """Ring again for what nobody has begun or was left."""
    return bulk.sweep_bulk()
