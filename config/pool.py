"""Celery's pool of threads, with threads of their own for each kind of work.

People wait for what ``-c`` threads do: verbs that they want executed. Neither an import of an hour nor an address that
takes no webhooks holds that up, or what finds lost work and seals the trail. Runs have threads of their own again, see
``research/engine/lane.py``. A message is only a doorbell, so a worker takes all that come (no prefetch limit): what it
has not begun when it ends is rung for again.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

from celery.concurrency.base import apply_target

PROMPT, LONG, POST = "prompt", "long", "post"
THREADS: Mapping[str, int] = {PROMPT: 2, LONG: 4, POST: 4}
LANES: Mapping[str, str] = {  # of tasks that nobody waits for
    "research.tasks.perform_run": PROMPT,
    "research.tasks.sweep_runs": PROMPT,
    "research.tasks.sweep_executions": PROMPT,
    "research.tasks.sweep_watches": PROMPT,
    "research.tasks.seal_audit": PROMPT,
    "research.tasks.send_webhooks": PROMPT,
    "research.tasks.forget_lockouts": PROMPT,
    "research.tasks.deliver": POST,
    "research.tasks.apply_retention": LONG,
    "research.tasks.index_archive": LONG,
    "research.tasks.recheck_watches": LONG,
    "research.tasks.refresh_findings": LONG,
    "citations.tasks.verify_bulk": LONG,
    "citations.tasks.sweep_bulk": PROMPT,
    "entities.tasks.find_anomalies": LONG,
    "entities.tasks.sync_lists": LONG,
    "entities.tasks.sync_register": LONG,
}


_threads: Any = import_module("celery.concurrency.thread")  # its types know little of it


class TaskPool(_threads.TaskPool):  # type: ignore[misc]
    """As ``-P threads``; a task that ``LANES`` names goes to the threads of its lane."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lanes = {name: ThreadPoolExecutor(size, name) for name, size in THREADS.items()}

    def on_stop(self) -> None:
        for lane in self.lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)
        for lane in self.lanes.values():
            lane.shutdown()
        super().on_stop()

    def on_apply(
        self,
        target: Any,
        args: Any = None,
        kwargs: Any = None,
        callback: Any = None,
        accept_callback: Any = None,
        **_: Any,
    ) -> Any:
        """The first of ``args`` is the name of the task."""
        lane = self.lanes.get(LANES.get(args[0], "") if args else "")
        future = (lane or self.executor).submit(apply_target, target, args, kwargs, callback, accept_callback)
        return _threads.ApplyResult(future)
