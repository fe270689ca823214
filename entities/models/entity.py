import uuid

from django.db import models
from django.utils import timezone


class Entity(models.Model):
    """Something that facts are about: a company, a fund, a person, a group. New entities are never verified."""

    class Type(models.TextChoices):
        LEGAL_ENTITY = "legal-entity"
        FUND = "fund"
        BRANCH = "branch"
        PERSON = "person"
        CLIENT_GROUP = "client-group"
        CRYPTO_TOKEN = "crypto-token"
        MACRO_ASSET = "macro-asset"
        PROTOCOL = "protocol"
        CONCEPT = "concept"
        MEME = "meme"

    class VerifiedBy(models.TextChoices):
        TEAM = "team"
        COMMUNITY = "community"
        AUTO = "auto"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=120, unique=True)
    name = models.CharField(max_length=500)
    symbol = models.CharField(max_length=30, blank=True)
    type = models.CharField(max_length=20, choices=Type)
    lei = models.CharField(max_length=20, blank=True)
    jurisdiction = models.CharField(max_length=10, blank=True)
    aliases = models.JSONField(default=list, blank=True, help_text="[{name, type, language}]")
    verified = models.BooleanField(default=False)
    verified_by = models.CharField(max_length=10, choices=VerifiedBy, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]
        verbose_name_plural = "entities"
        constraints = [
            models.UniqueConstraint(fields=["lei"], condition=~models.Q(lei=""), name="entity_lei"),
            models.CheckConstraint(
                condition=models.Q(verified=False, verified_by="")
                | (models.Q(verified=True) & ~models.Q(verified_by="")),
                name="entity_verified_by_someone",
            ),
        ]
        indexes = [models.Index(fields=["type", "name"])]

    def __str__(self) -> str:
        return self.name


class Representation(models.Model):
    """One concrete form of an entity: its LEI, a register number, an ISIN, a token's mint, a market."""

    class Type(models.TextChoices):
        LEI = "lei"
        REGISTER_NUMBER = "register-number"
        ISIN = "isin"
        BIC = "bic"
        SPOT_TOKEN = "spot-token"
        PERP_CONTRACT = "perp-contract"
        LP_PAIR = "lp-pair"
        OTHER = "other"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="representations")
    type = models.CharField(max_length=20, choices=Type)
    authority = models.CharField(max_length=60, blank=True, help_text="Register, protocol or chain.")
    key = models.CharField(max_length=200)
    context = models.JSONField(default=dict, blank=True)
    active = models.BooleanField(default=True)
    discovered_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["type", "key"]
        constraints = [
            models.UniqueConstraint(
                fields=["type", "authority", "key"],
                condition=models.Q(active=True),
                name="representation_active_key",
            ),
            models.CheckConstraint(condition=~models.Q(key=""), name="representation_key"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.key}"


class Relationship(models.Model):
    """A directed fact between two entities: ``subject`` is consolidated by, managed by, owned by ... ``object``."""

    class Type(models.TextChoices):
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
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.type} {self.object}"


class EntityEvent(models.Model):
    """One entry of an entity's timeline."""

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField(default=timezone.now)
    type = models.CharField(max_length=40)
    summary = models.TextField()
    data = models.JSONField(default=dict, blank=True)
    source = models.CharField(max_length=300, blank=True)
    confidence = models.PositiveSmallIntegerField(default=100)
    importance = models.PositiveSmallIntegerField(default=5)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(importance__lte=10), name="event_importance"),
            models.CheckConstraint(condition=models.Q(confidence__lte=100), name="event_confidence"),
        ]
        indexes = [models.Index(fields=["entity", "-at"])]

    def __str__(self) -> str:
        return self.summary[:100]


class EntityResearch(models.Model):
    """Findings about an entity with their time to live. History is kept; the newest row is the current one."""

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="research")
    at = models.DateTimeField(default=timezone.now)
    ttl = models.PositiveIntegerField(help_text="Seconds, 5 minutes to 90 days.")
    expires_at = models.DateTimeField()
    findings = models.JSONField()
    sources = models.JSONField(default=list)
    confidence = models.PositiveSmallIntegerField()
    reference = models.CharField(max_length=64, blank=True, help_text="The result or run it came from.")

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name_plural = "entity research"
        constraints = [
            models.CheckConstraint(condition=models.Q(confidence__lte=100), name="research_confidence"),
        ]

    def __str__(self) -> str:
        return f"{self.entity} {self.at:%Y-%m-%d}"
