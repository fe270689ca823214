"""The interface of a workflow. How to write one: see ``research.engine.worker``."""

from typing import Protocol, runtime_checkable

from research.engine.stops import Ended
from research.engine.worker import Worker


class Workflow(Protocol):
    """Plain code over a worker's memoised primitives, run from its first line each time a worker takes the run."""

    def perform(self, worker: Worker) -> None:
        """Work until the run ends (``worker.conclude`` or ``worker.end``). A primitive that must wait raises."""


@runtime_checkable
class Salvaging(Protocol):
    """A workflow that can make a result of a run that ends early."""

    def salvage(self, worker: Worker, end: Ended) -> None:
        """Conclude with the results so far, or raise ``end`` again."""
