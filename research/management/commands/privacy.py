"""``manage.py privacy``: erase what is known of somebody, hold it, and see who looked."""

from typing import cast

from django.contrib.auth.models import User

from common.commands.base import Actions, Options, Refusal
from entities.memory import RefusedWrite, by_slug
from entities.memory.holds import holds_on, lift_hold, place_hold, told
from entities.models import Entity, EntityLook, Erasure
from entities.services.erasure import ErasurePlan, erase_entity, plan_erasure
from research.management.base import ResearchCommand, add_person, deciding_person

SHOWN = 200


class Command(ResearchCommand):
    help = "Erase an entity, place and lift legal holds, and see who looked at persons."
    refusals: tuple[type[Exception], ...] = (*ResearchCommand.refusals, RefusedWrite)

    def add_actions(self, actions: Actions) -> None:
        plan = actions.add("plan", self.plan, "what erasing an entity would take, and what would stay")
        erase = actions.add(
            "erase", self.erase, "erase an entity and all that is known of it; see plan first"
        )
        erase.add_argument("--name", required=True, help="its name as it is written, to confirm")
        hold = actions.add("hold", self.hold, "nothing of an entity may go from now on")
        lift = actions.add("lift", self.lift, "take a hold back")
        lift.add_argument("--hold", type=int, metavar="NUMBER", help="which one, where several stand")
        looks = actions.add("looks", self.looks, "who looked at what is known of an entity")
        for parser in (plan, erase, hold, lift, looks):
            parser.add_argument("slug", metavar="SLUG")
        for parser in (erase, hold, lift):
            parser.add_argument("--reason", required=True, help="why; it stays, so it must not name anybody")
            add_person(parser)
        actions.add("erasures", self.erasures, "what was erased, by whom, when and why")

    def plan(self, options: Options) -> bool:
        """False when something forbids it."""
        plan = plan_erasure(_find(options))
        rows = [
            [f"  {name}", f"{row['deleted']:,} deleted", f"{row['emptied']:,} words taken out"]
            for name, row in plan.counts.items()
        ]
        self.answer(
            _document(plan),
            *rows,
            *([text] for text in plan.stays),
            *([(text, "ERROR")] for text in plan.blockers),
        )
        return not plan.blockers

    def erase(self, options: Options) -> None:
        entity = _find(options)
        erasure = erase_entity(
            entity=entity,
            actor=cast(User, deciding_person(options)),
            reason=options["reason"],
            confirmed=options["name"],
            digest=plan_erasure(entity).digest,
        )
        self.answer(_told(erasure), [f"erased: {erasure.pk}"])

    def hold(self, options: Options) -> None:
        act = place_hold(
            entity=_find(options), actor=cast(User, deciding_person(options)), reason=options["reason"]
        )
        self.answer({"hold": act.pk}, [told(act)])

    def lift(self, options: Options) -> None:
        standing = holds_on([_find(options).pk])
        chosen = standing.filter(pk=options["hold"]) if options["hold"] else standing
        holds = list(chosen[:2])
        if len(holds) != 1:
            raise Refusal(
                f"hold: {standing.count()} stand on it; name one with --hold", {"code": "not-found"}
            )
        act = lift_hold(hold=holds[0], actor=cast(User, deciding_person(options)), reason=options["reason"])
        self.answer({"lifted": act.undoes_id}, ["lifted"])

    def looks(self, options: Options) -> None:
        rows = EntityLook.objects.filter(entity=_find(options)).select_related("person")[:SHOWN]
        told = [[f"{row.day}", row.person.get_username(), row.how, str(row.times)] for row in rows]
        documents = [dict(zip(("day", "person", "how", "times"), row, strict=True)) for row in told]
        self.answer_all(documents, told, none="nobody has looked")

    def erasures(self, options: Options) -> None:
        rows = list(Erasure.objects.select_related("actor")[:SHOWN])
        table = [[f"{row.at:%Y-%m-%d %H:%M}", str(row.pk), _who(row), row.reason] for row in rows]
        self.answer_all([_told(row) for row in rows], table, none="nothing was erased")


def _find(options: Options) -> Entity:
    entity = by_slug(options["slug"])
    if entity is None:
        raise Refusal(f"entity: there is none with the slug {options['slug'][:120]!r}", {"code": "not-found"})
    return entity


def _document(plan: ErasurePlan) -> dict[str, object]:
    return {"counts": plan.counts, "stays": plan.stays, "blockers": plan.blockers, "words": plan.words}


def _told(erasure: Erasure) -> dict[str, object]:
    return {
        "erasure": str(erasure.pk),
        "at": erasure.at.isoformat(),
        "by": _who(erasure),
        "reason": erasure.reason,
        "counts": erasure.counts,
    }


def _who(erasure: Erasure) -> str:
    return erasure.actor.get_username() if erasure.actor else "retention"
