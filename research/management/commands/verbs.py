"""``manage.py verbs``: read the verb language, see what a result would do, do it."""

import sys
from pathlib import Path

from common.commands.base import Actions, Mistake, Options
from common.commands.console import plain
from research.api.serializers import verb_plan
from research.errors import InvalidTransition
from research.jsontext import JsonObject
from research.management.base import ResearchCommand, add_person, deciding_person, find
from research.management.report import call_rows
from research.models import Decision, ResearchResult, VerbCall
from research.models.states import VerbState
from research.services.execution import enqueue_execution, execute_verbs
from research.verbs.calls import planned_calls
from research.verbs.catalogue import Verb, load_catalogue
from research.verbs.check import check_program
from research.verbs.parser import parse_all
from research.verbs.printer import print_call


class Command(ResearchCommand):
    help = "Read, plan and execute verbs."

    def add_actions(self, actions: Actions) -> None:
        parse = actions.add("parse", self.parse, "read a text of verbs: its calls and its faults")
        parse.add_argument("file", metavar="FILE", help="a file, or - for standard input")
        parse.add_argument("--check", action="store_true", help="also check the calls against the catalogue")
        plan = actions.add("plan", self.plan, "the verbs of a result in the order of their execution")
        run = actions.add("run", self.run_verbs, "execute the approved verbs of a result, each exactly once")
        run.add_argument("--detach", action="store_true", help="leave the work to a worker")
        add_person(run)
        for parser in (plan, run):
            parser.add_argument("result_id", metavar="RESULT", help="the result's id, or how it begins")
        actions.add("catalogue", self.catalogue, "every verb with its arguments")

    def parse(self, options: Options) -> bool:
        calls, errors = parse_all(_read(options["file"]))
        faults = [error.as_json() for error in errors]
        if options["check"] and not faults:
            faults = [fault.as_json() for fault in check_program(calls)]
        if self.as_json:
            self.print_json({"calls": [call.as_json() for call in calls], "errors": faults})
            return not faults
        for call in calls:
            self.say(f"{call.line:>4}:{call.column:<3} ", print_call(call))
        for fault in faults:
            self.say(f"{fault['line']:>4}:{fault['column']:<3} ", ("error: ", "ERROR"), fault["message"])
        return not faults

    def plan(self, options: Options) -> None:
        """What is planned for an approved result, or would be for one that waits."""
        result = _find(options)
        document = verb_plan(result)
        planned = planned_calls(document["text"])
        self.answer({**document, "planned": [call.as_json() for call in planned]})
        states = {call["ordinal"]: call["state"] for call in document["calls"]}
        rows = [
            [str(number), states.get(number, "suggested"), call.effect, call.text]
            for number, call in enumerate(planned, start=1)
        ]
        if not self.as_json:
            self.table(rows, none="no verbs")

    def run_verbs(self, options: Options) -> bool:
        """False when a call failed; run it again to go on from there."""
        result, actor = _find(options), deciding_person(options)
        decision = Decision.objects.filter(result=result).select_related("result__run", "reviewer").first()
        if decision is None:
            raise InvalidTransition("Nobody has approved this result yet.", state=result.state)
        if options["detach"]:
            enqueue_execution(decision=decision, actor=actor)
        else:
            execute_verbs(decision=decision, actor=actor)
        calls = list(VerbCall.objects.filter(decision=decision))
        self.answer(verb_plan(_find(options)))
        if not self.as_json:
            self.table(call_rows(calls), none="no verbs")
        return all(call.state != VerbState.FAILED for call in calls)

    def catalogue(self, options: Options) -> None:
        verbs = list(load_catalogue())
        if self.as_json:
            self.answer_all(map(_verb_document, verbs), [], none="")
            return
        for verb in verbs:
            alias = f"  (the same as {verb.alias_of})" if verb.alias_of else ""
            self.say((verb.name, "MIGRATE_HEADING"), f"  {verb.effect}  {verb.description}{alias}")
            self.table(
                (
                    [f":{arg.name}", arg.type + (" *" if arg.required else ""), " | ".join(arg.allowed)]
                    for arg in verb.args
                ),
                indent="    ",
            )


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise Mistake(f"{plain(file)}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Mistake(f"{plain(file)}: the text is not UTF-8") from None


def _find(options: Options) -> ResearchResult:
    result: ResearchResult = find(ResearchResult, options["result_id"], "run__macro")
    return result


def _verb_document(verb: Verb) -> JsonObject:
    return {
        "verb": verb.name,
        "description": verb.description,
        "effect": verb.effect,
        "alias_of": verb.alias_of or None,
        "returns": verb.returns,
        "args": [
            {
                "name": arg.name,
                "type": arg.type,
                "required": arg.required,
                "default": arg.default,
                "allowed": list(arg.allowed),
                "description": arg.description,
            }
            for arg in verb.args
        ],
    }
