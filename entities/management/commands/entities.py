"""``manage.py entities``: read entity memory."""

from collections.abc import Iterator

from entities.api.serializers import (
    EntityDetailSerializer,
    EventSerializer,
    ResolutionSerializer,
)
from entities.management.base import Actions, DossierCommand, Options, Refusal
from entities.management.console import Part
from entities.memory import resolve
from entities.models import Entity, EntityEvent, Relationship, Representation


class Command(DossierCommand):
    help = "Read entity memory."

    def add_actions(self, actions: Actions) -> None:
        find = actions.add("resolve", self.resolve, "which entity does a text mean?")
        find.add_argument("text", nargs="+", metavar="TEXT")
        show = actions.add("show", self.show, "an entity, its forms and its relationships")
        timeline = actions.add("timeline", self.timeline, "what happened to an entity, the newest first")
        timeline.add_argument("--limit", type=int, default=50)
        for parser in (show, timeline):
            parser.add_argument("slug", metavar="SLUG")

    def resolve(self, options: Options) -> bool:
        """False when nothing, or more than one entity, is meant."""
        resolution = resolve(" ".join(options["text"]))
        if self.as_json:
            self.print_json(ResolutionSerializer(resolution).data)
        elif resolution.entity:
            self.table([_row(resolution.entity)])
            self.say(f"found by its {resolution.how}")
        else:
            self.say(
                f"{len(resolution.candidates)} entities could be meant" if resolution.candidates else "none"
            )
            self.table(map(_row, resolution.candidates), indent="  ")
        return resolution.entity is not None

    def show(self, options: Options) -> None:
        entity = _find(options)
        if self.as_json:
            self.print_json(EntityDetailSerializer(entity).data)
            return
        self.say((entity.name, "MIGRATE_HEADING"))
        self.table(_head(entity), indent="  ")
        forms = Representation.objects.filter(entity=entity, active=True)
        self.table(([form.type, form.authority, form.key] for form in forms), indent="  ")
        for relation in Relationship.objects.filter(subject=entity).select_related("object"):
            self.say(f"  {relation.type}  {relation.object.slug}", _share(relation))
        for relation in Relationship.objects.filter(object=entity).select_related("subject"):
            self.say(f"  {relation.subject.slug}  {relation.type}  this", _share(relation))

    def timeline(self, options: Options) -> None:
        limit = max(1, min(options["limit"], 1000))
        events = EntityEvent.objects.filter(entity=_find(options))[:limit]
        rows = [[f"{event.at:%Y-%m-%d %H:%M}", event.type, event.summary] for event in events]
        self.answer_all(EventSerializer(events, many=True).data, rows, none="nothing yet")


def _find(options: Options) -> Entity:
    entity = Entity.objects.filter(slug=options["slug"]).first()
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
    yield ["verified", f"by {entity.verified_by}" if entity.verified else "no"]
    for alias in entity.aliases[:20]:
        yield ["also", str(alias.get("name", ""))]


def _share(relation: Relationship) -> str:
    return f"  {relation.percentage.normalize():f} %" if relation.percentage is not None else ""
