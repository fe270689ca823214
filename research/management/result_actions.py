"""``research result | approve | reject | rollback | memo``: results on the command line."""

import sys
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from common.commands.base import Actions, Mistake, Options
from common.program import typed
from research.api.memos import BINARY
from research.api.serializers import MemoSerializer, ResultDetailSerializer, RollbackSerializer, verb_plan
from research.errors import NotPermitted
from research.jsontext import JsonObject
from research.management.base import ResearchCommand, add_person, deciding_person, find, requesting_person
from research.management.report import (
    TAKEN_WORDS,
    call_rows,
    check_lines,
    data_lines,
    result_rows,
    review_path,
    taken_rows,
    tally,
)
from research.management.run_actions import read_json
from research.memo.labels import LANGUAGES
from research.models import Decision, Memo, ResearchResult, VerbCall
from research.models.states import DecisionVerdict, ResultState, VerbState
from research.services.access import EXECUTE, require
from research.services.execution import execute_verbs
from research.services.memos import compose_memo
from research.services.reviews import approve_result, reject_result
from research.services.rollback import preview_rollback, roll_back_verbs


class ResultActions(ResearchCommand):
    """The actions on results."""

    def add_result_actions(self, actions: Actions) -> None:
        _add_result(actions.add("result", self.show, "what was found, every check, the suggested verbs"))
        approve = actions.add("approve", self.approve, "sign for a result")
        approve.add_argument("--edits", type=Path, metavar="PATCH.json", help="a JSON Patch (RFC 6902)")
        approve.add_argument("--note", default="", metavar="TEXT", help="why; required when checks failed")
        approve.add_argument(
            "--shown",
            nargs="*",
            metavar="POINTER",
            help="what you have looked at, as JSON Pointers; alone: all of it. The rest is named in the note where "
            "its checks failed or are unknown",
        )
        approve.add_argument("--execute", action="store_true", help="execute the verbs right away")
        reject = actions.add("reject", self.reject, "turn a result down")
        reject.add_argument("--reason", required=True, metavar="TEXT")
        for parser in (approve, reject):
            parser.add_argument(
                "--digest", default="", help="decide only if the result still has this digest"
            )
        rollback = actions.add("rollback", self.rollback, "take back what the verbs of a result wrote")
        rollback.add_argument("--reason", default="", metavar="TEXT", help="why; required but for --dry-run")
        rollback.add_argument("--digest", default="", help="only if the plan still has this digest")
        rollback.add_argument("--dry-run", action="store_true", help="say what would be taken back, and stop")
        memo = actions.add("memo", self.memo, "write a memo about a result")
        memo.add_argument(
            "--style",
            choices=Memo.Style.values,
            default="",
            help="default: what the run asked for, else memo",
        )
        memo.add_argument("--format", choices=Memo.Format.values, default="", help="default: md")
        memo.add_argument("--language", choices=LANGUAGES, default="en")
        memo.add_argument(
            "--template", default="", metavar="NAME", help="a template of the admin (default: standard)"
        )
        memo.add_argument(
            "-o", "--output", type=Path, metavar="FILE", help="write to a file (default: print)"
        )
        for parser in (approve, reject, rollback, memo):
            _add_result(parser)
            add_person(parser)

    def show(self, options: Options) -> None:
        result = _find(options)
        self.show_result(result)
        if result.state == ResultState.PENDING_REVIEW:
            self._heading("Next")
            self.say(f"  {typed('research approve')} {result.pk}")
            self.say(f"  or review it in a browser: {typed('up')}, then {review_path(result)}")

    def approve(self, options: Options) -> bool:
        """Approve what is stored now, or with ``--digest`` only exactly that."""
        result, person = _find(options), deciding_person(options)
        if options["execute"]:
            require(person, EXECUTE)
        decision = approve_result(
            result=result,
            reviewer=person,
            digest=options["digest"] or result.digest,
            edits=_read_edits(options["edits"]),
            reason=options["note"],
            shown=[""] if options["shown"] == [] else options["shown"] or [],
        )
        calls = execute_verbs(decision=decision, actor=person) if options["execute"] else []
        self.show_result(_find(options))
        return all(call.state in (VerbState.SUCCEEDED, VerbState.SKIPPED) for call in calls)

    def reject(self, options: Options) -> None:
        result = _find(options)
        digest = options["digest"] or result.digest
        reject_result(
            result=result, reviewer=deciding_person(options), digest=digest, reason=options["reason"]
        )
        self.show_result(_find(options))

    def rollback(self, options: Options) -> None:
        """What goes, and what is kept and why; taken back unless it is a dry run."""
        result, actor = _find(options), deciding_person(options)
        if options["dry_run"]:
            plan = preview_rollback(result=result, actor=actor)
            self.show_rollback(plan.as_json(), plan.as_json())
            return
        done = roll_back_verbs(result=result, actor=actor, reason=options["reason"], digest=options["digest"])
        self.show_rollback(verb_plan(_find(options)), RollbackSerializer(done).data)

    def show_rollback(self, document: JsonObject, told: Mapping[str, Any]) -> None:
        if self.as_json:
            self.print_json(document)
            return
        self.table(taken_rows(told), none="nothing to take back")
        self.say(", ".join(f"{count} {TAKEN_WORDS[name]}" for name, count in told["counts"].items()))
        for call in told.get("left", []):
            self.say(("left: ", "WARNING"), f"{call['ordinal']} {call['verb']}: {call['why']}")

    def memo(self, options: Options) -> None:
        chosen = {name: options[name] for name in ("style", "format", "language", "template")}
        if options["format"] in BINARY and not options["output"] and not self.as_json and self._at_terminal():
            raise Mistake(f"{options['format']} is not text for a terminal: name a file with -o, or pipe it")
        memo = compose_memo(result=_find(options), actor=requesting_person(options), **chosen)
        body = bytes(memo.body)
        if options["output"]:
            _write(options["output"], body)
        if self.as_json:
            self.print_json({**MemoSerializer(memo).data, **_body(memo)})
        elif options["output"]:
            self.say(f"{options['output']}: {len(body):,} bytes, SHA-256 {memo.digest}")
        elif memo.format in BINARY and memo.style != Memo.Style.JSON:
            sys.stdout.buffer.write(body)
        elif self._at_terminal():
            self.say_text(body.decode())
        else:
            self.stdout.write(body.decode(), ending="")

    def _at_terminal(self) -> bool:
        return sys.stdout.isatty()

    def show_result(self, result: ResearchResult) -> None:
        """What was found, each check with its verdict, and the verbs as they stand."""
        if self.as_json:
            self.print_json(ResultDetailSerializer(result).data)
            return
        decision = Decision.objects.filter(result=result).first()
        approved = decision is not None and decision.verdict == DecisionVerdict.APPROVED
        self.table(result_rows(result))
        self._heading("Approved data" if approved else "Found")
        for line in data_lines(decision.data if decision and approved else result.data):
            self.say(*line)
        self._show_checks(result)
        self._show_verbs(result, decision if approved else None)
        if result.limitations:
            self._heading("Limitations")
        for sentence in result.limitations:
            self.say(f"  {sentence}")

    def _show_checks(self, result: ResearchResult) -> None:
        checks = list(result.checks.all())
        self.say("")
        self.say(("Checks: ", "MIGRATE_HEADING"), *tally(checks))
        for line in check_lines(checks):
            self.say(*line)

    def _show_verbs(self, result: ResearchResult, approved: Decision | None) -> None:
        self._heading("Approved verbs" if approved else "Suggested verbs")
        if approved:
            calls = list(VerbCall.objects.filter(decision=approved))
            self.table(call_rows(calls), indent="  ", none="  none")
            return
        self.say_text(result.suggested_verbs.strip() or "none", indent="  ")
        for fault in result.verb_faults:
            self.say(("  fault: ", "ERROR"), str(fault["message"]))

    def _heading(self, text: str) -> None:
        self.say("")
        self.say((text, "MIGRATE_HEADING"))


def _body(memo: Memo) -> dict[str, str]:
    """The bytes in a JSON document: text as it is, anything else in base64."""
    body = bytes(memo.body)
    if memo.format in BINARY and memo.style != Memo.Style.JSON:
        return {"body_base64": b64encode(body).decode()}
    return {"body": body.decode()}


def _find(options: Options) -> ResearchResult:
    result: ResearchResult = find(ResearchResult, options["result_id"], "run__macro")
    return result


def _read_edits(path: Path | None) -> list[dict[str, object]]:
    if path is None:
        return []
    edits = read_json(path)
    if not isinstance(edits, list) or not all(isinstance(edit, dict) for edit in edits):
        raise Mistake(f"{path}: must be a list of operations, each an object (RFC 6902)")
    return edits


def _write(path: Path, body: bytes) -> None:
    try:
        path.write_bytes(body)
    except OSError as error:
        raise NotPermitted(f"{path}: {error.strerror}") from None


def _add_result(parser: CommandParser) -> None:
    parser.add_argument("result_id", metavar="RESULT", help="the result's id, or how it begins")
