"""Take a run, perform its workflow, and leave it in a state that says what comes next."""

import logging
from uuid import UUID

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from research.engine import lease
from research.engine.lease_renewal import HEART
from research.engine.pauses import hand_over, stop
from research.engine.stops import Cancelled, Ended, HandedOver, Parked
from research.engine.worker import OnStep, Worker
from research.engine.workflows import WORKFLOWS
from research.engine.workflows.workflow import Salvaging
from research.models.states import RunState

log = logging.getLogger(__name__)
MAX_FRUITLESS = 20  # give up a run that crashes every worker


def perform_run(run_id: UUID, *, on_step: OnStep | None = None) -> None:
    """Work on a run until it ends or waits. No-op if another worker holds it."""
    run = lease.take(run_id)
    if run is None:
        return
    try:
        with HEART.holding(run_id, run.fence) as held:
            work(Worker(run, held, on_step))
    except lease.LeaseLost:
        log.info("run %s was taken over", run_id)


def work(worker: Worker) -> None:
    """Perform the workflow. An unexpected exception ends the run as ``failed`` and keeps the journal."""
    try:
        _perform(worker)
    except lease.LeaseLost:
        raise
    except Parked:
        return
    except Cancelled:
        stop(worker.run, worker.journal)
    except HandedOver:
        hand_over(worker.run, worker.journal)
    except Ended as end:
        worker.fail(end.error)
    except KeyboardInterrupt:  # a person at a terminal: release the lease, so that the run can be resumed
        worker.leave(RunState.CANCELLED, "run.interrupted", finished_at=timezone.now())
        raise
    except (OperationalError, InterfaceError) as error:
        # the sweep queues the run again after its lease has lapsed
        log.warning("run %s is left: the database is away (%s)", worker.run.pk, type(error).__name__)
    except Exception as error:
        log.exception("run %s failed", worker.run.pk)
        worker.fail(
            {
                "code": "internal",
                "message": f"An unforeseen fault ended the run ({type(error).__name__}); the log says more.",
                "retryable": True,
            }
        )


def _perform(worker: Worker) -> None:
    workflow = WORKFLOWS[worker.run.workflow]
    if worker.journal.fruitless > MAX_FRUITLESS:
        message = (
            f"The run was taken up {MAX_FRUITLESS} times without coming any further; the log may say why."
        )
        raise Ended("stuck", message, retryable=True)
    try:
        if worker.run.cancel_requested:
            raise Cancelled
        workflow.perform(worker)
    except Ended as end:
        if not isinstance(workflow, Salvaging):
            raise
        workflow.salvage(worker, end)
