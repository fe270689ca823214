"""``manage.py entities owners``: who owns an entity, by one rule on one day."""

from dataclasses import asdict
from datetime import date
from pathlib import Path

from django.utils import timezone

from common.commands.base import Actions, DossierCommand, Mistake, Options, Refusal
from entities.memory import by_slug
from entities.memory.interests import TooManyInterests, read_structure
from entities.models import Entity
from entities.ownership.assessment import Assessment, Owner, assess
from entities.ownership.bods import BadStatement
from entities.ownership.control import CASCADES, cascade
from entities.ownership.interests import Dimension, Structure
from entities.ownership.stakes import read_stakes
from entities.ownership.telling import as_json
from entities.ownership.thresholds import threshold, threshold_for, thresholds
from entities.services.bods_import import TooLarge, import_bods

SHOWN = 100


def add_owner_actions(command: DossierCommand, actions: Actions) -> None:
    """Add ``owners``, ``listed-owners`` and ``import-owners`` to a command."""
    owners = actions.add("owners", lambda options: _owners(command, options), "who owns an entity")
    owners.add_argument("--rule", choices=list(thresholds()), help="default: that of its jurisdiction")
    listed = actions.add(
        "listed-owners",
        lambda options: _listed(command, options),
        "whether persons on a sanctions list own an entity to the half",
    )
    listed.add_argument("--rule", choices=list(CASCADES), default="ofac", help="default: ofac")
    listed.add_argument("--listed", action="append", required=True, metavar="SLUG", help="may be repeated")
    taken = actions.add(
        "import-owners",
        lambda options: _import(command, options),
        "a file of BODS 0.4: parties and their interests; done again, it adds nothing",
    )
    taken.add_argument("file", type=Path, metavar="FILE")
    taken.add_argument(
        "--source", required=True, help="whose file it is, as it will stand beside each interest"
    )
    taken.add_argument("--dry-run", action="store_true", help="write nothing, and tell what cannot be read")
    for parser in (owners, listed):
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--as-of", type=date.fromisoformat, metavar="YYYY-MM-DD", help="default: today")


def _owners(command: DossierCommand, options: Options) -> bool:
    """False when it is undecided who owns the entity."""
    entity, day = _find(options["slug"]), options["as_of"] or timezone.localdate()
    rule = threshold(options["rule"]) if options["rule"] else threshold_for(entity.jurisdiction, day)
    found = assess(_structure(entity, day), str(entity.pk), rule)
    command.answer(as_json(found), [f"{entity.name}: {rule.title}, {rule.words}, on {day}: {found.answer}"])
    if not command.as_json:
        _tell(command, found)
    return found.answer != "undecided"


def _tell(command: DossierCommand, found: Assessment) -> None:
    command.table(map(_row, found.owners[:SHOWN]), indent="  ")
    for owner in found.owners[:SHOWN]:
        for fact in owner.settled_by:
            command.say(f"  {owner.party.name} would be decided by {fact}")
    for end in found.ends[:SHOWN]:
        command.say(f"  {end.share} ends at {end.party.name}: {end.reason}, {end.words}")
    for assumption in found.assumptions[:SHOWN]:
        command.say(f"  {assumption}")
    for finding in found.findings[:SHOWN]:
        command.say((f"  {finding.message}", "WARNING"))


def _row(owner: Owner) -> list[str]:
    shares = ", ".join(f"{each} {share}" for each, share in owner.shares.items())
    return [owner.answer, owner.party.name, shares, owner.controls]


def _listed(command: DossierCommand, options: Options) -> bool:
    """False when listed persons own the entity to the half, or may."""
    entity, day = _find(options["slug"]), options["as_of"] or timezone.localdate()
    structure, rule = _structure(entity, day), CASCADES[options["rule"]]
    listed = {str(_find(slug).pk) for slug in options["listed"]}
    stakes = read_stakes(structure, str(entity.pk), Dimension.CAPITAL)
    answers = cascade(stakes, listed, rule)
    answer = answers[str(entity.pk)]
    between = {structure.party(id).name: word for id, word in answers.items() if id not in listed}
    command.answer(
        {"rule": rule.name, "source": rule.source, "as_of": str(day), "answer": answer, "parties": between},
        [f"{entity.name}: {rule.source}, on {day}: {answer}"],
    )
    if not command.as_json:
        command.table(([word, name] for name, word in between.items() if word != "not met"), indent="  ")
    return answer == "not met"


def _import(command: DossierCommand, options: Options) -> bool:
    """False when a statement could not be taken."""
    if not options["file"].is_file():
        raise Mistake(f"There is no file {options['file']}.")
    try:
        done = import_bods(path=options["file"], source=options["source"], dry_run=options["dry_run"])
    except (BadStatement, TooLarge) as error:
        raise Refusal(str(error), {"code": "unreadable"}) from None
    command.answer(
        asdict(done),
        [
            f"{done.statements} statements: {done.parties} parties, {done.interests} interests; {done.faulty} faults"
        ],
        *([f"  statement {number}: {message}"] for number, message in done.faults[:SHOWN]),
    )
    return not done.faulty


def _structure(entity: Entity, day: date) -> Structure:
    try:
        return read_structure(entity, day)
    except TooManyInterests as error:
        raise Refusal(str(error), {"code": "too-many"}) from None


def _find(slug: str) -> Entity:
    entity = by_slug(slug)
    if entity is None:
        raise Refusal(f"entity: there is none with the slug {slug[:120]!r}", {"code": "not-found"})
    return entity
