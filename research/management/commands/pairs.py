"""``manage.py pairs``: entities that may be the same; find them, and say what they are."""

from typing import cast

from django.contrib.auth.models import User

from common.commands.base import Actions, Options
from common.commands.console import Part
from entities.api.pairs import PairDetailSerializer, PairSerializer
from entities.memory import (
    JUDGEMENTS,
    RefusedWrite,
    by_slug,
    find_pairs,
    judge_pair,
    plan_merge,
    waiting_pairs,
)
from entities.models import EntityPair
from research.management.base import ResearchCommand, add_person, deciding_person, find, requesting_person

CHUNK = 500


class Command(ResearchCommand):
    help = "Entities that may be the same: find them, and say whether they are."
    refusals: tuple[type[Exception], ...] = (*ResearchCommand.refusals, RefusedWrite)

    def add_actions(self, actions: Actions) -> None:
        rows = actions.add("list", self.list, "pairs that wait for a person, the likest first")
        rows.add_argument("--limit", type=int, default=50)
        show = actions.add("show", self.show, "a pair, and what merging the two would do")
        look = actions.add(
            "find", self.find, "look through what is stored for pairs that nobody was asked about"
        )
        look.add_argument("--after", default="", metavar="SLUG", help="go on after this entity")
        judge = actions.add("judge", self.judge, "say what two entities are")
        for parser in (show, judge):
            parser.add_argument("pair", metavar="PAIR", help="the beginning of its id")
        judge.add_argument("judgement", choices=JUDGEMENTS)
        judge.add_argument("--reason", required=True, help="how you know")
        judge.add_argument("--into", default="", metavar="SLUG", help="the entity that stays, for same")
        for parser in (look, judge):
            add_person(parser)

    def list(self, options: Options) -> None:
        pairs = waiting_pairs()[: max(1, min(options["limit"], 1000))]
        documents = PairSerializer(pairs, many=True).data
        self.answer_all(documents, map(_row, pairs), none="no pair waits")

    def show(self, options: Options) -> None:
        pair = find(EntityPair, options["pair"], "entity", "other", "judged_by")
        document = PairDetailSerializer(pair).data
        ways = [
            [f"  into {way['into']}", "; ".join([*way["blockers"], *way["conflicts"]]) or "nothing conflicts"]
            for way in document["merges"]
        ]
        self.answer(document, *([part] for part in _row(pair)), *ways)

    def find(self, options: Options) -> None:
        """Stopped in the middle, it goes on after the last slug it told."""
        person = requesting_person(options)
        found, after = 0, options["after"]
        while True:
            more, after = find_pairs(
                found_by=person.get_username() if person else "a look", after=after, limit=CHUNK
            )
            found += more
            if not after:
                break
            self.say(f"{found:,} found, up to {after}")
        self.answer({"found": found}, [f"{found:,} pairs found"])

    def judge(self, options: Options) -> None:
        person = deciding_person(options)
        pair = find(EntityPair, options["pair"], "entity", "other")
        into = by_slug(options["into"]) if options["into"] else None
        other = pair.other if into == pair.entity else pair.entity
        judge_pair(
            pair=pair,
            judgement=options["judgement"],
            actor=cast(User, person),
            reason=options["reason"],
            into=into,
            digest=plan_merge(into=into, other=other).digest if into else "",
        )
        pair.refresh_from_db()
        self.answer(PairSerializer(pair).data, [f"{pair}: {pair.state}"])


def _row(pair: EntityPair) -> list[Part]:
    return [
        (str(pair.pk)[:8], "MIGRATE_LABEL"),
        f"{pair.score:.0f}",
        pair.state,
        pair.entity.slug,
        pair.other.slug,
        pair.explanation,
    ]
