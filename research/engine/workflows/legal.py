"""Legal research: understand → plan → search → verify → synthesize → deliver."""

from research.engine.ending import Ended
from research.engine.worker import Worker


class Legal:
    """See the module."""

    def perform(self, worker: Worker) -> None:
        raise Ended("unsupported", "Legal research is not ready here.")
