"""What a workflow is. How to write one: see ``research.engine.worker``."""

from typing import Protocol, runtime_checkable

from research.engine.ending import Ended
from research.engine.worker import Worker


class Workflow(Protocol):
    """Plain code over a worker's memoised primitives, run from its first line each time a worker takes the run up."""

    def perform(self, worker: Worker) -> None:
        """Work until the run has ended (``worker.conclude`` or ``worker.end``); a primitive that must wait raises."""


@runtime_checkable
class Salvaging(Protocol):
    """A workflow that can make something of a run that ends before its time."""

    def salvage(self, worker: Worker, end: Ended) -> None:
        """Conclude with what there is, or raise ``end`` again."""
