"""Celery: a doorbell. Messages carry ids; the database is the truth."""

import os

from celery import Celery
from celery.signals import worker_process_init, worker_ready
from kombu.transport import TRANSPORT_ALIASES

from config.worker import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["filesystem"] = "config.broker:Transport"
app = Celery("dossier")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
worker_ready.connect(settle)
worker_process_init.connect(settle)  # where each worker has processes of its own
