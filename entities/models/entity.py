import hashlib
import unicodedata
import uuid
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone

from entities.models.types import ShippedType
from entities.names.abbreviations import ABBREVIATED, stated_names
from entities.names.keys import search_key
from entities.names.matching import NameVariant

MAX_SHOWN = 200
PENDING = "pending-verification"


def name_key(name: str) -> str:
    """Under which a name is found, however it is written: SHA-256 of it without case, double blanks and compositions.

    Names may be longer than any index holds, and databases do not agree on what case is outside ASCII.
    """
    same = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return hashlib.sha256(" ".join(same.split()).encode("utf-8", "replace")).hexdigest()


class VerifiedBy(models.TextChoices):
    """Who vouches for an entity."""

    TEAM = "team"
    COMMUNITY = "community"
    AUTO = "auto"


class RepresentationType(models.TextChoices):
    """What kind of form a representation is."""

    LEI = "lei"
    REGISTER_NUMBER = "register-number"
    ISIN = "isin"
    BIC = "bic"
    DOCKET = "docket"
    SPOT_TOKEN = "spot-token"
    PERP_CONTRACT = "perp-contract"
    LP_PAIR = "lp-pair"
    LENDING = "lending"
    STAKING = "staking"
    FUTURES = "futures"
    OPTION = "option"
    FORMER_SLUG = "former-slug"
    OTHER = "other"


class RelationshipType(models.TextChoices):
    """How the subject stands to the object."""

    DIRECTLY_CONSOLIDATED_BY = "directly-consolidated-by"
    ULTIMATELY_CONSOLIDATED_BY = "ultimately-consolidated-by"
    FUND_MANAGED_BY = "fund-managed-by"
    SUBFUND_OF = "subfund-of"
    FEEDER_TO = "feeder-to"
    BRANCH_OF = "branch-of"
    OWNED_BY = "owned-by"
    CONTROLLED_BY = "controlled-by"
    SUCCEEDED_BY = "succeeded-by"
    MEMBER_OF = "member-of"
    FOUNDED_BY = "founded-by"
    PARTNER_OF = "partner-of"
    COMPETES_WITH = "competes-with"
    INTEGRATED_WITH = "integrated-with"
    LISTED_ON = "listed-on"


class EventSource(models.TextChoices):
    """Where an event was learnt."""

    REGISTER = "register"
    RESEARCH = "research"
    NEWS = "news"
    SOCIAL = "social"
    PROTOCOL = "protocol"
    PRICE = "price"
    TRANSACTION = "transaction"
    MANUAL = "manual"


def allowed(
    field: str, words: type[models.TextChoices], name: str, *, blank: bool = False
) -> models.CheckConstraint:
    """The database refuses any word in ``field`` that ``words`` does not name."""
    return models.CheckConstraint(
        condition=models.Q(**{f"{field}__in": [*words.values, *[""] * blank]}), name=name
    )


class Entity(models.Model):
    """Something that facts are about: a company, a fund, a person, a token. New entities are never verified.

    ``pending_verification`` keeps an entity apart that looks like another one: names do not find it until a person
    has verified it. One that was ``merged_into`` another is kept, empty, so that its keys still lead somewhere and the
    merge can be undone. ``type`` is a word of the table EntityType.
    """

    Type = ShippedType

    VerifiedBy = VerifiedBy

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=120, unique=True)
    name = models.TextField()
    symbol = models.CharField(max_length=30, blank=True)
    type = models.CharField(max_length=40)
    lei = models.CharField(max_length=20, blank=True)
    jurisdiction = models.CharField(max_length=10, blank=True)
    aliases = models.JSONField(default=list, blank=True, help_text="[{name, type, language}]")
    verified = models.BooleanField(default=False)
    verified_by = models.CharField(max_length=10, choices=VerifiedBy, blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)
    pending_verification = models.BooleanField(default=False)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged_from"
    )
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]
        verbose_name_plural = "entities"
        permissions = [
            ("verify_entity", "Can verify entities, and take it back"),
            ("merge_entity", "Can merge entities, and undo it"),
            ("view_person", "Can see natural persons"),
            ("export_entity", "Can export all that is known of an entity"),
            ("erase_entity", "Can erase an entity and all that is known of it"),
            ("hold_entity", "Can place and lift legal holds"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["lei"], condition=~models.Q(lei=""), name="entity_lei"),
            models.CheckConstraint(
                condition=models.Q(verified=False, verified_by="")
                | (models.Q(verified=True) & ~models.Q(verified_by="")),
                name="entity_verified_by_someone",
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="entity_name"),
            models.CheckConstraint(
                condition=~models.Q(verified=True, pending_verification=True),
                name="entity_verified_or_pending",
            ),
            models.CheckConstraint(
                condition=models.Q(merged_into__isnull=True) | ~models.Q(merged_into=models.F("id")),
                name="entity_not_merged_into_itself",
            ),
            allowed("verified_by", VerifiedBy, "entity_verified_by", blank=True),
        ]
        indexes = [
            models.Index(fields=["type"]),
            models.Index(fields=["-created_at"]),
            models.Index(Upper("symbol"), name="entity_symbol"),  # as iexact looks for it on PostgreSQL
            # Few were merged: without it SQLite reads the whole table for them.
            models.Index(
                fields=["merged_into"], name="entity_merged", condition=models.Q(merged_into__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        """The name, as long as a line can bear."""
        return self.name if len(self.name) <= MAX_SHOWN else f"{self.name[: MAX_SHOWN - 1]}…"

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Store the entity, and under which names it is found."""
        changed = None if update_fields is None else set(update_fields)
        super().save(*args, update_fields=changed, **kwargs)
        if changed is None or changed & {"name", "aliases"}:
            self._index_names()

    @property
    def names(self) -> tuple[NameVariant, ...]:
        """Every name it is known by, its own first; of a name that states its abbreviation both parts as well."""
        others = (
            NameVariant(str(alias["name"]), str(alias.get("type") or ""), str(alias.get("language") or ""))
            for alias in self.aliases
            if alias.get("name")
        )
        names = [NameVariant(self.name), *others]
        for variant in tuple(names):
            if parts := stated_names(variant.name):
                names += NameVariant(parts[0], variant.type), NameVariant(parts[1], ABBREVIATED)
        return tuple(dict.fromkeys(names))

    def _index_names(self) -> None:
        own = name_key(self.name)
        spelled = {name_key(variant.name): search_key(variant.name) for variant in reversed(self.names)}
        wanted = {key: (key == own, words) for key, words in spelled.items()}
        known = {
            key: (mine, words) for key, mine, words in self.name_keys.values_list("key", "own", "spelled")
        }
        if known == wanted:
            return
        self.name_keys.all().delete()
        self.name_keys.bulk_create(
            NameKey(entity=self, key=key, own=mine, spelled=words) for key, (mine, words) in wanted.items()
        )

    @property
    def tags(self) -> list[str]:
        """The words it is marked with, ``pending-verification`` first."""
        own = self.metadata.get("tags") or []
        return [PENDING] * self.pending_verification + [str(tag) for tag in own if tag != PENDING]


class NameKey(models.Model):
    """A name of an entity as it is looked up: its own, or one it is also known by. Written whenever they change."""

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="name_keys")
    key = models.CharField(max_length=64, help_text="See name_key.")
    own = models.BooleanField(help_text="Its name; else an alias.")
    spelled = models.CharField(
        max_length=300,
        blank=True,
        help_text="See entities.names.keys.search_key; names alike are found by it.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entity", "key"], name="namekey_once")]
        indexes = [models.Index(fields=["key"]), models.Index(fields=["spelled"])]

    def __str__(self) -> str:
        return self.key


class Representation(models.Model):
    """One concrete form of an entity: its LEI, a register number, an ISIN, a docket, a token's mint, a market.

    ``key`` is the part of the context that tells it apart (see ``entities.memory.forms``). Among active ones an LEI and
    an ISIN are unique by themselves; a market and a pool by protocol; everything else by protocol and chain as well.
    """

    Type = RepresentationType

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="representations")
    type = models.CharField(max_length=20, choices=Type)
    authority = models.CharField(max_length=60, blank=True, help_text="Register, court, venue or protocol.")
    chain = models.CharField(max_length=40, blank=True)
    key = models.CharField(max_length=200)
    context = models.JSONField(default=dict, blank=True)
    active = models.BooleanField(default=True)
    discovered_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["type", "key"]
        constraints = [
            models.UniqueConstraint(
                fields=["type", "authority", "chain", "key"],
                condition=models.Q(active=True),
                name="representation_active_key",
            ),
            models.UniqueConstraint(
                fields=["type", "key"],
                condition=models.Q(active=True, type__in=["lei", "isin", "former-slug"]),
                name="representation_by_itself",
            ),
            models.UniqueConstraint(
                fields=["type", "authority", "key"],
                condition=models.Q(active=True, type__in=["perp-contract", "lp-pair"]),
                name="representation_of_a_protocol",
            ),
            models.CheckConstraint(condition=~models.Q(key=""), name="representation_key"),
            allowed("type", RepresentationType, "representation_type"),
        ]
        indexes = [models.Index(fields=["key"])]

    def __str__(self) -> str:
        return f"{self.type} {self.key}"


class Relationship(models.Model):
    """A directed fact between two entities: ``subject`` is consolidated by, managed by, owned by ... ``object``."""

    Type = RelationshipType

    subject = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="relationships")
    object = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="related_from")
    type = models.CharField(max_length=30, choices=Type)
    percentage = models.DecimalField(max_digits=7, decimal_places=4, null=True, blank=True)
    source = models.CharField(max_length=300, blank=True)
    valid_from = models.DateField(null=True, blank=True)
    valid_to = models.DateField(null=True, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["subject", "type", "object"]
        constraints = [
            models.UniqueConstraint(
                fields=["subject", "object", "type"],
                condition=models.Q(valid_to__isnull=True),
                name="relationship_current",
            ),
            models.CheckConstraint(
                condition=models.Q(percentage__isnull=True)
                | models.Q(percentage__gte=0, percentage__lte=100),
                name="relationship_percentage",
            ),
            models.CheckConstraint(
                condition=~models.Q(subject=models.F("object")),
                name="relationship_not_to_itself",
            ),
            models.CheckConstraint(
                condition=models.Q(valid_from__isnull=True)
                | models.Q(valid_to__isnull=True)
                | models.Q(valid_to__gte=models.F("valid_from")),
                name="relationship_ends_after_it_begins",
            ),
            allowed("type", RelationshipType, "relationship_type"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.type} {self.object}"


class EntityEvent(models.Model):
    """One entry of an entity's timeline; ``related`` are the others it is about."""

    SourceType = EventSource

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField(default=timezone.now)
    type = models.CharField(max_length=40)
    summary = models.TextField()
    data = models.JSONField(default=dict, blank=True)
    source = models.CharField(max_length=300, blank=True)
    source_type = models.CharField(max_length=12, choices=SourceType, blank=True)
    related = models.ManyToManyField(Entity, blank=True, related_name="mentioned_in")
    representation = models.ForeignKey(
        Representation, null=True, blank=True, on_delete=models.SET_NULL, related_name="events"
    )
    confidence = models.PositiveSmallIntegerField(default=100)
    importance = models.PositiveSmallIntegerField(default=5)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(importance__lte=10), name="event_importance"),
            models.CheckConstraint(condition=models.Q(confidence__lte=100), name="event_confidence"),
            allowed("source_type", EventSource, "event_source_type", blank=True),
        ]
        indexes = [models.Index(fields=["entity", "-at"]), models.Index(fields=["-at", "-id"])]

    def __str__(self) -> str:
        return self.summary[:100]
