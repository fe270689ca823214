"""Ringing the workers. The database row is the truth; a lost ring is made good by the sweep."""

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def ring_on_commit(task: str, *args: object) -> None:
    """Send the task once the surrounding transaction is committed."""
    transaction.on_commit(partial(_ring, task, args))


def _ring(task: str, args: tuple[object, ...]) -> None:
    try:
        current_app.send_task(f"research.tasks.{task}", args=list(args), retry=False)
    except (OperationalError, OSError) as error:
        log.warning("the broker did not take %s%r (%s); the sweep will ring again", task, args, error)
