"""``manage.py entities``: read entity memory."""

from collections.abc import Iterator
from datetime import timedelta

from common.commands.base import Actions, DossierCommand, Options, Refusal
from common.commands.console import Part
from entities.api.serializers import (
    EntityDetailSerializer,
    EventSerializer,
    ResolutionSerializer,
)
from entities.management.anomaly_actions import add_anomaly_actions
from entities.management.owner_actions import add_owner_actions
from entities.management.statement_actions import add_days, add_statement_actions, show_facts
from entities.memory import (
    Resolution,
    by_slug,
    check_research_freshness,
    relationships_of,
    representations_of,
    resolve,
    timeline_of,
)
from entities.models import Entity, Relationship

SHOWN = 100


class Command(DossierCommand):
    help = "Read entity memory."

    def add_actions(self, actions: Actions) -> None:
        find = actions.add("resolve", self.resolve, "which entity does a text mean?")
        find.add_argument("text", nargs="+", metavar="TEXT")
        show = actions.add("show", self.show, "an entity, its forms and its relationships")
        timeline = actions.add("timeline", self.timeline, "what happened to an entity, the newest first")
        timeline.add_argument("--limit", type=int, default=50)
        timeline.add_argument("--type", action="append", default=[], metavar="TYPE", help="may be repeated")
        timeline.add_argument("--min-importance", type=int, default=0, metavar="0-10")
        add_days(show)
        add_statement_actions(self, actions)
        for parser in (show, timeline):
            parser.add_argument("slug", metavar="SLUG")
        add_owner_actions(self, actions)
        add_anomaly_actions(self, actions)

    def resolve(self, options: Options) -> bool:
        """False when nothing, or more than one entity, is meant."""
        resolution = resolve(" ".join(options["text"]))
        if self.as_json:
            self.print_json(ResolutionSerializer(resolution).data)
        elif resolution.entity:
            self.table([_row(resolution.entity)])
            self.say(f"found by its {resolution.how}")
            self._say_alike(resolution)
        else:
            self.say(resolution.message)
            self.table(map(_row, resolution.candidates), indent="  ")
            self.table(([each.entity.slug, each.explanation] for each in resolution.alike), indent="  ")
        return resolution.entity is not None

    def show(self, options: Options) -> None:
        entity = _find(options)
        if options["as_of"] or options["known_at"]:
            show_facts(self, entity, options)
            return
        if self.as_json:
            self.print_json(EntityDetailSerializer(entity).data)
            return
        self.say((entity.name, "MIGRATE_HEADING"))
        self.table(_head(entity), indent="  ")
        forms = representations_of(entity)
        self.table(([form.type, form.authority, form.key] for form in forms[:SHOWN]), indent="  ")
        self._say_more(forms.count())
        links = relationships_of(entity)
        for link in links[:SHOWN]:
            told = (
                f"{link.type}  {link.object.slug}"
                if link.subject_id == entity.pk
                else f"{link.subject.slug}  {link.type}  this"
            )
            self.say(f"  {told}", _share(link))
        self._say_more(links.count())
        self._say_research(entity)

    def timeline(self, options: Options) -> None:
        limit = max(1, min(options["limit"], 1000))
        events = timeline_of(
            _find(options), types=options["type"], min_importance=options["min_importance"]
        ).select_related("entity")[:limit]
        rows = [[f"{event.at:%Y-%m-%d %H:%M}", event.type, event.summary] for event in events]
        self.answer_all(EventSerializer(events, many=True).data, rows, none="nothing yet")

    def _say_alike(self, resolution: Resolution) -> None:
        if resolution.lookalikes:
            self.say((resolution.message, "WARNING"))
            self.table(map(_row, resolution.lookalikes), indent="  ")

    def _say_more(self, count: int) -> None:
        if count > SHOWN:
            self.say(f"  and {count - SHOWN:,} more")

    def _say_research(self, entity: Entity) -> None:
        found = check_research_freshness(entity=entity, max_age=timedelta.max)
        if found.research:
            state = "fresh" if found.fresh else found.message or "expired"
            self.say(f"  research of {found.research.at:%Y-%m-%d %H:%M}, {state}")


def _find(options: Options) -> Entity:
    entity = by_slug(options["slug"])
    if entity is None:
        raise Refusal(f"entity: there is none with the slug {options['slug'][:120]!r}", {"code": "not-found"})
    return entity


def _row(entity: Entity) -> list[Part]:
    return [
        (entity.slug, "MIGRATE_LABEL"),
        entity.type,
        entity.lei or "-",
        entity.jurisdiction or "-",
        entity.name,
    ]


def _head(entity: Entity) -> Iterator[list[Part]]:
    yield ["slug", entity.slug]
    yield ["type", entity.type]
    yield ["lei", entity.lei or "-"]
    yield ["jurisdiction", entity.jurisdiction or "-"]
    waits = "no, and kept apart until a person verifies it" if entity.pending_verification else "no"
    yield ["verified", f"by {entity.verified_by}" if entity.verified else waits]
    for alias in entity.aliases[:20]:
        yield ["also", str(alias.get("name", ""))]


def _share(relation: Relationship) -> str:
    return f"  {relation.percentage.normalize():f} %" if relation.percentage is not None else ""
