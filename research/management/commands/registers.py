"""``manage.py registers``: ask national registers, choose their lines for entities, take a choice back."""

from typing import Any

from common.commands.base import Actions, Mistake, Options, Refusal
from common.commands.console import Part
from entities.api.registers import (
    CorrectionSerializer,
    SelectionDetailSerializer,
    found_document,
    record_document,
    register_document,
)
from entities.gleif.jurisdictions import jurisdiction_code
from entities.memory import RefusedWrite
from entities.models import Entity, RegisterSelection
from entities.models.selection import CorrectionKind
from entities.registers.errors import BadNumber, RegisterError
from entities.registers.looking import look_up
from entities.registers.matching import Wanted
from entities.registers.setup import KINDS, NAMES, configured, open_source
from entities.services.correction import Plan, correct_selection, preview_correction
from entities.services.selection import Person, reject_candidates, select_company
from entities.services.thresholds import thresholds_of
from research.management.base import ResearchCommand, add_person, deciding_person, find

STYLES = {"auto": "SUCCESS", "ambiguous": "WARNING", "reject": "NOTICE"}


class Command(ResearchCommand):
    help = "Ask national registers and supervisors; choose their lines for entities and take choices back."
    refusals: tuple[type[Exception], ...] = (*ResearchCommand.refusals, RegisterError, RefusedWrite)

    def refusal(self, error: Exception) -> Mistake | Refusal:
        if isinstance(error, RegisterError):
            kind = Mistake if isinstance(error, BadNumber) else Refusal
            return kind(str(error), {"code": error.code.replace("_", "-"), "retryable": error.retryable})
        return super().refusal(error)

    def add_actions(self, actions: Actions) -> None:
        actions.add("list", self.list, "which registers there are, and which can be asked here")
        search = actions.add("search", self.search, "look a company up by name")
        search.add_argument("name", nargs="+", metavar="NAME")
        search.add_argument("--jurisdiction", default="", help="where it is registered, such as GB")
        search.add_argument("--number", default="", help="its number, if it is known")
        search.add_argument("--register", choices=NAMES, default="", help="ask this one only")
        show = actions.add("show", self.show, "everything that a register says of a company")
        show.add_argument("register", choices=NAMES)
        show.add_argument("number", metavar="NUMBER")
        self._add_choose(actions)
        self._add_correct(actions)

    def _add_choose(self, actions: Actions) -> None:
        choose = actions.add("choose", self.choose, "take a line of a register for an entity")
        choose.add_argument("slug", metavar="SLUG")
        choose.add_argument("register", choices=NAMES)
        choose.add_argument("--number", default="", help="the line; without it the rule chooses")
        choose.add_argument("--none", action="store_true", help="no line of this register is the entity")
        choose.add_argument("--reason", default="", help="why, when it is not what the rule says")
        add_person(choose)

    def _add_correct(self, actions: Actions) -> None:
        correct = actions.add(
            "correct", self.correct, "what taking a selection back would do; with --reason do it"
        )
        correct.add_argument("selection", metavar="SELECTION")
        correct.add_argument("--kind", choices=CorrectionKind.values, default=CorrectionKind.UNLINK.value)
        correct.add_argument("--reason", default="", help="why it was wrong; without it nothing is done")
        correct.add_argument("--number", default="", help="the line to take instead")
        correct.add_argument("--into", default="", metavar="SLUG", help="the entity that the line belongs to")
        add_person(correct)

    def list(self, options: Options) -> None:
        documents = [register_document(name) for name in KINDS]
        self.answer_all(documents, map(_register_row, documents), none="none")

    def search(self, options: Options) -> bool:
        """False when a register could not be asked, or none says for sure which company is meant."""
        names = [options["register"]] if options["register"] else list(configured())
        if not names:
            raise Refusal(
                "No national register is set up here; see registers list.", {"code": "not-configured"}
            )
        documents = [self._search_one(name, options) for name in names]
        for document in documents:
            self._say_found(document)
        return any(document.get("verdict") == "auto" for document in documents)

    def _search_one(self, register: str, options: Options) -> dict[str, Any]:
        place = jurisdiction_code(options["jurisdiction"])
        wanted = Wanted(" ".join(options["name"])[:500], place, options["number"])
        try:
            return found_document(look_up(open_source(register), wanted, thresholds_of(register)))
        except RegisterError as error:
            return {"register": register, "verdict": "unknown", "error": str(error), "code": error.code}

    def _say_found(self, document: dict[str, Any]) -> None:
        if self.as_json:
            self.print_json(document)
            return
        style = STYLES.get(document["verdict"], "ERROR")
        self.say((document["register"], "MIGRATE_LABEL"), "  ", (document["verdict"], style))
        self.say("  ", document.get("reason") or document["error"])
        self.table(map(_candidate_row, document.get("candidates", [])), indent="    ")

    def show(self, options: Options) -> None:
        document = record_document(options["register"], options["number"])
        if self.as_json:
            self.print_json(document)
            return
        for part in ("record", "authorisation", "officers", "owners"):
            self._say_part(part, document.get(part))

    def _say_part(self, title: str, part: Any) -> None:
        if not part:
            return
        self.say((title, "MIGRATE_HEADING"))
        for key, value in part.items():
            for line in value if isinstance(value, list) else [value]:
                self.say(f"  {key.replace('_', ' ')}: {_in_words(line)}")

    def choose(self, options: Options) -> bool:
        """False when the rule took nothing."""
        asked = {"entity": _entity(options["slug"]), "register": options["register"]}
        by: Person = deciding_person(options)  # type: ignore[assignment]  # users of this house are Django's own
        if options["none"]:
            selection = reject_candidates(**asked, by=by, reason=options["reason"])
        else:
            selection = select_company(**asked, by=by, number=options["number"], reason=options["reason"])
        facts = selection.facts.count()
        self.answer(
            SelectionDetailSerializer(selection).data,
            [(selection.verdict, "MIGRATE_LABEL"), f"  {selection.number}  {selection.reason}"],
            [f"{facts} facts imported; selection {selection.pk}"],
        )
        return bool(selection.number) or options["none"]

    def correct(self, options: Options) -> None:
        selection: RegisterSelection = find(RegisterSelection, options["selection"], "entity")
        plan = preview_correction(selection)
        if not options["reason"]:
            self._say_plan(plan)
            return
        by: Person = deciding_person(options)  # type: ignore[assignment]  # users of this house are Django's own
        correction = correct_selection(
            selection=selection,
            kind=options["kind"],
            reason=options["reason"],
            by=by,
            digest=plan.digest,
            number=options["number"],
            into=_entity(options["into"]) if options["into"] else None,
        )
        done = [step for step in correction.undone if step["action"] != "keep"]
        self.answer(
            CorrectionSerializer(correction).data,
            [f"taken back: {len(done)} of {len(correction.undone)} facts"],
            *[[f"  kept: {step['note']}"] for step in correction.undone if step["action"] == "keep"],
        )

    def _say_plan(self, plan: Plan) -> None:
        steps = [step.as_json() for step in plan.steps]
        rows: list[list[Part]] = [["  ", (step["action"], "MIGRATE_LABEL"), step["note"]] for step in steps]
        self.answer(
            {"digest": plan.digest, "steps": steps}, ["Nothing has been done. With --reason this is:"]
        )
        if not self.as_json:
            self.table(rows)


def _entity(slug: str) -> Entity:
    entity = Entity.objects.filter(slug=slug).first()
    if entity is None:
        raise Refusal(f"entity: there is none with the slug {slug[:120]!r}", {"code": "not-found"})
    return entity


def _register_row(document: dict[str, Any]) -> list[Part]:
    lacking = ", ".join(document["missing"]) or "name it in DOSSIER_REGISTERS"
    here: Part = ("set up", "SUCCESS") if document["set_up"] else (f"not set up: {lacking}", "NOTICE")
    return [(document["name"], "MIGRATE_LABEL"), document["label"], ", ".join(document["answers"]), here]


def _candidate_row(one: dict[str, Any]) -> list[Part]:
    doubts = "; ".join(one["doubts"])
    return [one["number"], one["score"], one["status"] or "-", one["name"], doubts]


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_in_words(item)}" for key, item in value.items())
    if isinstance(value, list):
        return "; ".join(map(_in_words, value))
    return str(value)
