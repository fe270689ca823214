"""The Celery application of these trials: Dossier's own, with the tool of the measurements."""

from bench import dossier

dossier.prepare()

from config.celery import app  # noqa: E402 - the tool is known first

__all__ = ["app"]
