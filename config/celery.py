"""Celery: a doorbell. Messages carry ids; the database is the truth."""

import os
from importlib import import_module
from typing import Any

from celery import Celery
from celery.signals import (
    after_task_publish,
    beat_init,
    heartbeat_sent,
    task_prerun,
    worker_init,
    worker_process_init,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from kombu.transport import TRANSPORT_ALIASES

from config import lane, signs
from config.worker import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

pools: Any = import_module("celery.concurrency")
pools.ALIASES["threads"] = "config.pool:TaskPool"
TRANSPORT_ALIASES["filesystem"] = "config.broker:Transport"
app = Celery("dossier")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
worker_ready.connect(settle)
worker_process_init.connect(settle)  # where each worker has processes of its own
worker_init.connect(signs.name_faults)
worker_ready.connect(lane.open_here)
worker_shutting_down.connect(lane.close)
worker_shutdown.connect(lane.wait)
heartbeat_sent.connect(signs.of_a_worker)
task_prerun.connect(signs.of_a_task)
worker_shutdown.connect(signs.end_of_a_worker)
beat_init.connect(lambda **_: after_task_publish.connect(signs.of_beat), weak=False)
