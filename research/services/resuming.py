"""Resuming all runs that one cause has failed, in one act: a provider was away for a day, a key was refused."""

from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from research.errors import DossierError
from research.models import Run
from research.models.states import RunState
from research.services.access import START, Person, require
from research.services.runs import resume_run

MAX_AT_ONCE = 1_000


@dataclass
class Resumed:
    """``count`` runs go on; ``left`` says of each other one why it does not."""

    count: int = 0
    left: dict[str, str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """ "12 runs go on. 1 does not: the person lacks the permission …" """
        told = f"{self.count} run{'s go' if self.count != 1 else ' goes'} on."
        if not self.left:
            return told
        whys = "; ".join(sorted(set(self.left.values())))
        return f"{told} {len(self.left)} {'do' if len(self.left) > 1 else 'does'} not: {whys}."


def cause_of(run: Run) -> str:
    """The code of what failed a run: that of its last reason, where there is one (``network``, ``auth``, …)."""
    error = run.error or {}
    return str(error.get("reason") or error.get("code") or "")


def failed_by(cause: str) -> QuerySet[Run]:
    """The failed runs of a cause, the oldest first; parts are resumed with the run that they work for."""
    named = Q(error__reason=cause) | Q(error__code=cause)
    return Run.objects.filter(named, state=RunState.FAILED, parent=None).order_by("created_at", "pk")


def resume_failed(*, cause: str, actor: Person) -> Resumed:
    """Resume what this cause has failed, at most a thousand runs; each in a transaction of its own.

    A run that the person may not steer, or whose case is busy with another one, is left.

    Raises:
        NotPermitted: without the permission to start runs.
    """
    require(actor, START)
    done = Resumed()
    for run in failed_by(cause)[:MAX_AT_ONCE]:
        try:
            resume_run(run=run, actor=actor)
            done.count += 1
        except DossierError as error:
            done.left[str(run.pk)] = error.message
    return done
