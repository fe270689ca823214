"""``research refresh``: what is kept fresh, and looking again at what is due."""

import argparse

from django.db.models import Q, QuerySet
from django.utils import timezone

from common.commands.base import Actions, Options, Refusal
from common.commands.console import Part
from entities.memory import resolve
from research.api.serializers import WatchSerializer
from research.errors import DossierError
from research.management.base import ResearchCommand, add_person, requesting_person
from research.management.family import follow_family
from research.models import Watch
from research.models.states import WatchState
from research.services.rechecks import recheck
from research.services.watches import due_watches, refresh, settle_run

NONE = "Nothing is kept fresh yet: what is approved is, from then on."
STYLES = {WatchState.CHANGED: "WARNING", WatchState.PAUSED: "NOTICE"}


class RefreshActions(ResearchCommand):
    """The action on what is kept fresh."""

    def add_refresh_actions(self, actions: Actions) -> None:
        parser = actions.add("refresh", self.refresh, "what is kept fresh; look again at what is due")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--due", action="store_true", help="look again at what is due now")
        which.add_argument("--entity", metavar="SLUG", help="look again at what was approved about an entity")
        parser.add_argument("--limit", type=_positive, default=20, metavar="N", help="at most (default: 20)")
        parser.add_argument(
            "--checks", action="store_true", help="only ask the registers again about what was approved"
        )
        parser.add_argument("--detach", action="store_true", help="leave the work to a worker")
        add_person(parser)

    def refresh(self, options: Options) -> bool:
        watches = _chosen(options)
        if not (options["due"] or options["entity"] or options["checks"]):
            return self._show(watches)
        chosen = list(watches[: options["limit"]])
        if not chosen:
            self.answer_all([], [], none="Nothing is due." if options["due"] else NONE)
            return True
        done = [self._look(watch, number, len(chosen), options) for number, watch in enumerate(chosen, 1)]
        self._show(Watch.objects.filter(pk__in=[watch.pk for watch in chosen]))
        return all(done)

    def _look(self, watch: Watch, number: int, total: int, options: Options) -> bool:
        """One of them; what cannot be asked is said and does not stop the rest."""
        self.say((f"{number}/{total} ", "MIGRATE_LABEL"), (str(watch), "MIGRATE_HEADING"))
        if options["checks"]:
            return not recheck(watch)
        try:
            run = refresh(watch=watch, actor=requesting_person(options), enqueue=options["detach"])
        except DossierError as error:
            self.say(("  not asked: ", "ERROR"), str(error))
            return False
        if not options["detach"]:
            follow_family(run, self.say)
            settle_run(run.pk)
        watch.refresh_from_db()
        return not watch.failures

    def _show(self, watches: QuerySet[Watch]) -> bool:
        rows = list(watches.select_related("decision__result__run__macro"))
        documents = WatchSerializer(rows, many=True).data
        self.answer_all(documents, [_cells(watch) for watch in rows], none=NONE)
        return True


def _chosen(options: Options) -> QuerySet[Watch]:
    if options["entity"]:
        return about_entity(options["entity"])
    return due_watches(timezone.now()) if options["due"] else Watch.objects.order_by("due_at", "pk")


def about_entity(text: str) -> QuerySet[Watch]:
    """What was approved about an entity. Raises Refusal when the text means none, or several."""
    found = resolve(text)
    if found.entity is None:
        names = ", ".join(entity.slug for entity in found.candidates)
        raise Refusal(f"{text!r} is no entity in memory" + f"; did you mean: {names}" * bool(names))
    touched = Q(decision__verb_calls__output__slug=found.entity.slug)
    subject = Q(decision__result__run__subject=found.entity)
    return Watch.objects.filter(touched | subject).order_by("due_at", "pk").distinct()


def _cells(watch: Watch) -> list[Part]:
    state = (watch.get_state_display().lower(), STYLES.get(WatchState(watch.state), "SUCCESS"))
    return [
        str(watch),
        state,
        f"due {watch.due_at:%Y-%m-%d}",
        f"fresh until {watch.fresh_until:%Y-%m-%d}",
        watch.outcome,
    ]


def _positive(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 1000")
    return int(text)
