"""``research run | status | steps | resume | cancel | confirm``: runs on the command line."""

from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation
from pathlib import Path

from django.core.management.base import CommandParser

from common.commands.base import Actions, Mistake, Options, Refusal
from common.program import typed
from research.api.requests import REGISTERS
from research.api.serializers import RunDetailSerializer, RunSerializer, StepSerializer
from research.jsontext import JsonObject, JsonTextError, parse_json
from research.macros.parameters import parse_cli_parameters
from research.management.base import ResearchCommand, add_person, deciding_person, find, requesting_person
from research.management.family import follow_family
from research.management.report import (
    checkpoint_lines,
    plan_lines,
    progress_lines,
    run_rows,
    step_line,
    tally,
    trouble_lines,
)
from research.management.run_list import add_list, list_row, narrowed, nothing_listed
from research.models import Macro, ResearchResult, ResearchSession, Run, Step
from research.models.states import Autonomy, Depth, RunState, Trigger
from research.services.checkpoints import BUDGET, progress, waiting_for
from research.services.macros import active_macro, definition_of
from research.services.resuming import resume_failed
from research.services.runs import (
    can_finish,
    cancel_run,
    confirm_checkpoint,
    finish_run,
    resume_run,
    start_run,
)
from research.services.sessions import open_session


class RunActions(ResearchCommand):
    """The actions on runs."""

    def add_run_actions(self, actions: Actions) -> None:
        run = actions.add("run", self.run_macro, "start a run and work on it here")
        run.add_argument("macro")
        run.add_argument("pairs", nargs="*", metavar="key=value", help="parameters of the macro")
        run.add_argument("--params", type=Path, metavar="FILE", help="a JSON object of parameters")
        run.add_argument("--session", default="", metavar="ID", help="a session's id, or: new")
        run.add_argument("--autonomy", choices=Autonomy.values, default=Autonomy.BALANCED.value)
        run.add_argument("--depth", choices=Depth.values, default=Depth.STANDARD.value)
        run.add_argument("--budget-usd", type=money, metavar="N")
        run.add_argument(
            "--register", choices=REGISTERS, help="which LEI register (default: DOSSIER_REGISTER)"
        )
        _add_detach(run)
        add_person(run)
        add_list(actions.add("list", self.list_runs, "the runs, the newest first"))
        _add_run(actions.add("status", self.show_status, "how far a run is"))
        _add_run(actions.add("steps", self.show_steps, "the journal of a run"))
        resume = actions.add("resume", self.resume, "take up a failed or cancelled run")
        finishing = actions.add("finish", self.finish, "make a partial result of what a run has found")
        _add_run(
            actions.add("checkpoint", self.show_checkpoint, "what a run waits for, to be edited, as JSON")
        )
        confirm = actions.add("confirm", self.confirm, "let a run go on that waits for a person")
        edit = "a JSON object: of a plan other parameters, else what `checkpoint` printed, edited"
        confirm.add_argument("--edit", type=Path, metavar="FILE", help=edit)
        confirm.add_argument("--answer", metavar="TEXT", help="the answer to a question that the run asks")
        finish = "make a partial result of what there is, instead of going on"
        confirm.add_argument("--finish", action="store_true", help=finish)
        confirm.add_argument(
            "--budget-usd", type=money, metavar="N", help="a larger budget, when it is spent"
        )
        cancel = actions.add("cancel", self.cancel, "stop a run")
        resume.add_argument("run_id", metavar="RUN", nargs="?", help="the run's id, or how it begins")
        resume.add_argument(
            "--cause",
            default="",
            metavar="CODE",
            help="instead of a run: all that failed by this cause, such as network or auth",
        )
        for parser in (finishing, confirm, cancel):
            _add_run(parser)
        for parser in (resume, finishing, confirm, cancel):
            add_person(parser)
        for parser in (resume, finishing, confirm):
            _add_detach(parser)

    def run_macro(self, options: Options) -> bool:
        """Start, and unless ``--detach`` work until the run ends or waits for someone."""
        macro = active_macro(options["macro"])
        params = read_params(options["params"]) if options["params"] else {}
        person = requesting_person(options)
        run = start_run(
            macro=macro,
            params={**params, **parse_cli_parameters(definition_of(macro), options["pairs"])},
            trigger=Trigger.CLI.value,
            requested_by=person,
            session=self._session(options["session"], macro, person),
            autonomy=options["autonomy"],
            depth=options["depth"],
            budget_usd=options["budget_usd"],
            register=options["register"],
            enqueue=options["detach"],
        )
        return self.work_on(run, detach=options["detach"])

    def list_runs(self, options: Options) -> None:
        """What was asked, and how far each is; with nothing to show, what to do about that."""
        chosen = narrowed(options)
        documents = RunSerializer(chosen, many=True).data if self.as_json else []
        self.answer_all(documents, [list_row(run) for run in chosen], none=nothing_listed(options))

    def show_status(self, options: Options) -> None:
        self.show_run(_find(options))

    def show_steps(self, options: Options) -> None:
        steps = list(Step.objects.filter(run=_find(options)).order_by("seq"))
        documents = StepSerializer(steps, many=True).data
        if self.as_json:
            self.answer_all(documents, [], none="")
        for step in steps:
            self.say(*step_line(step))
            for line in plan_lines(step):
                self.say(*line)

    def resume(self, options: Options) -> bool:
        if bool(options["run_id"]) == bool(options["cause"]):
            raise Mistake("Name a run, or with --cause what failed those that are to go on.")
        if options["cause"]:
            done = resume_failed(cause=options["cause"], actor=deciding_person(options))
            self.answer({"resumed": done.count, "left": done.left}, [done.sentence])
            return not done.left
        run = resume_run(run=_find(options), actor=deciding_person(options), enqueue=options["detach"])
        return self.work_on(run, detach=options["detach"])

    def finish(self, options: Options) -> bool:
        run = finish_run(run=_find(options), actor=deciding_person(options), enqueue=options["detach"])
        return self.work_on(run, detach=options["detach"])

    def show_checkpoint(self, options: Options) -> None:
        """JSON either way: what is printed is edited and given to ``confirm --edit``."""
        checkpoint = waiting_for(_find(options))
        if checkpoint is None:
            raise Refusal("The run does not wait for a person.")
        self.print_json(checkpoint.edit or {})

    def confirm(self, options: Options) -> bool:
        run = _find(options)
        changes = _changes(run, options)
        run = confirm_checkpoint(
            run=run, actor=deciding_person(options), phase=run.phase, enqueue=options["detach"], **changes
        )
        return self.work_on(run, detach=options["detach"])

    def cancel(self, options: Options) -> None:
        self.show_run(cancel_run(run=_find(options), actor=deciding_person(options)))

    def work_on(self, run: Run, *, detach: bool = False) -> bool:
        """Work here, a line a step, and say how it ended; False when the run failed."""
        if not detach:
            self.say((f"{run.macro}: {run.title}", "MIGRATE_HEADING"))
            self.perform(run)
        run = find(Run, str(run.pk), "macro", "requested_by")
        self.show_run(run)
        return run.state not in (RunState.FAILED, RunState.CANCELLED)

    def perform(self, run: Run) -> None:
        """Work on the run and its family in this process, a line of progress for each step."""
        try:
            follow_family(run, self.say)
        except KeyboardInterrupt:
            raise Refusal(f"Interrupted; go on with: {typed('research resume')} {run.pk}") from None

    def show_run(self, run: Run) -> None:
        """The run as it stands, and what can be done next."""
        if self.as_json:
            self.print_json(RunDetailSerializer(run).data)
            return
        self.table(run_rows(run))
        for line in progress_lines(progress(run)):
            self.say(*line)
        for line in checkpoint_lines(waiting_for(run)):
            self.say(*line)
        for line in trouble_lines(run):
            self.say(*line)
        result = ResearchResult.objects.filter(run=run).first()
        if result:
            self.say("checks  ", *tally(list(result.checks.all())))
        self.say(*_next_step(run, result))

    def _session(self, text: str, macro: Macro, person: object) -> ResearchSession | None:
        if text == "new":
            return open_session(title=macro.name, actor=None)
        return find(ResearchSession, text) if text else None


def read_params(path: Path) -> JsonObject:
    """A JSON object from a file. Raises Mistake."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise Mistake(f"{path}: must be a JSON object, not a {type(value).__name__}")
    return value


def read_json(path: Path) -> object:
    """One JSON document from a file. Raises Mistake naming the file, line and column."""
    try:
        return parse_json(path.read_text(encoding="utf-8"))
    except JsonTextError as error:
        raise Mistake(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise Mistake(f"{path}: the file is not UTF-8") from None
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror}") from None


def _find(options: Options) -> Run:
    run: Run = find(Run, options["run_id"], "macro", "requested_by")
    return run


def _next_step(run: Run, result: ResearchResult | None) -> list[str]:
    command = typed("research")
    if run.state == RunState.AWAITING_CONFIRMATION and run.phase == BUDGET:
        return [f"Give it more: {command} confirm {run.pk} --budget-usd N"]
    if run.state == RunState.AWAITING_CONFIRMATION and _confirms_parameters(run):
        return [f"It shows its plan and waits: {command} steps {run.pk}, then {command} confirm {run.pk}"]
    if run.state == RunState.AWAITING_CONFIRMATION:
        return [
            f"It waits. As it is: {command} confirm {run.pk}; to change it: {command} checkpoint {run.pk} > edit.json, "
            f"then {command} confirm {run.pk} --edit edit.json"
        ]
    if run.state == RunState.QUEUED:
        return [
            f"A worker takes it up as soon as one runs ({typed('up')}); follow it: {command} status {run.pk}"
        ]
    if run.state in (RunState.FAILED, RunState.CANCELLED):
        made = f"; or make do with what was found: {command} finish {run.pk}" if can_finish(run) else ""
        return [f"Take it up again: {command} resume {run.pk}{made}"]
    return [f"See what was found: {command} result {result.pk}"] if result else []


def _confirms_parameters(run: Run) -> bool:
    """A plan that is nothing but the parameters; that of legal research is edited like any other question."""
    return run.phase == "plan" and run.workflow != "legal"


def _changes(run: Run, options: Options) -> JsonObject:
    """What the person sends back, as arguments of the service."""
    answer: JsonObject = {}
    if options["finish"]:
        answer["finish"] = True
    if options["answer"] is not None:
        answer["answer"] = options["answer"]
    edited = read_params(options["edit"]) if options["edit"] else None
    money = {} if options["budget_usd"] is None else {"budget_usd": options["budget_usd"]}
    if edited is not None and _confirms_parameters(run):
        return {"params": edited, **money}
    answer |= edited or {}
    return {"answer": answer, **money} if answer else money


def _add_run(parser: CommandParser) -> None:
    parser.add_argument("run_id", metavar="RUN", help="the run's id, or how it begins")


def _add_detach(parser: CommandParser) -> None:
    parser.add_argument("--detach", action="store_true", help="leave the work to a worker")


def money(text: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise ArgumentTypeError(f"{text!r} is not a number") from None
    if not value.is_finite() or value < 0 or value >= 1_000_000:
        raise ArgumentTypeError(f"{text!r} is not an amount of 0 or more")
    return value
